"""Writes and reads the text form of a model: one line for each variable, constraint or objective.

    variable x in 1..4
    variable y in {1, 3}
    AllDifferent([x, y])
    Linear([2, -1], [x, y], <=, 5)
    minimize([1, 1], [x, y], 0)

Names that are not identifiers are in double quotes (JSON strings). Texts are never executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..errors import meant, said
from .constraint import OPERATORS, Constraint
from .domain import domain_text
from .expression import Variable
from .regular import Automaton

if TYPE_CHECKING:
    from .model import Model

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
_NAME = r'"(?:[^"\\]|\\(?:.|\Z))*(?:"|\Z)|[A-Za-z_][A-Za-z_0-9]*'
_VARIABLE = re.compile(
    rf"variable\s+(?P<name>{_NAME})\s+in\b\s*(?:(?P<low>-?\d{{1,4000}})\s*\.\.\s*(?P<high>-?\d{{1,4000}})"
    r"|\{(?P<values>[^{}]*)\})\Z"
)
_WORD = re.compile(rf"(?P<kind>[A-Za-z_][A-Za-z_0-9]*)\s*\(|(?P<name>{_NAME})|(?P<op>==|!=|[<>]=?)|(?P<mark>[){{}}:])")
_WORDS = {"true": "true", "false": "false", "none": "null"}
_DEEPEST = 100
"""So many levels of constraints in each other are always read."""
_WIDE, _MOST_WIDE = 1_000, 2_000_000
"""Domains with more values than the first number may have at most the second number together."""
_LOOKS, _LONG = 64, 1 << 16
"""The number of lines between two looks at the clock, and the length of a line before which there is one."""


class TextError(ValueError):
    """Raised if a line of a model's text cannot be read; the message says which line and why."""


def model_text(model: Model) -> str:
    """Write a model: its variables, constraints and objective."""
    lines = [f"variable {_name(v.name)} in {domain_text(v.domain)}" for v in model.variables]
    lines += map(constraint_text, model.constraints)
    if model.objective:
        o = model.objective
        lines.append(f"{o.sense}({_write(o.coeffs)}, {_write(o.xs)}, {o.constant})")
    return "\n".join(lines)


def constraint_text(constraint: Constraint | Automaton) -> str:
    """Write one constraint (or an automaton in it) as its kind and its fields.

    The constraints in it wait in a list, so that no depth is too much.
    """
    written, waiting = list[str](), _pieces(constraint)
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            written.append(one)
        else:
            waiting += _pieces(one)
    return "".join(written)


def _pieces(stated: Constraint | Automaton) -> list[str | Constraint | Automaton]:
    """Return the text of a kind and its fields from its end to its beginning, with the constraints in it as they
    are.
    """
    if type(stated).__str__ is not Constraint.__str__ and isinstance(stated, Constraint):
        return [str(stated)]  # a comparison that waits for its parts
    found: list[str | Constraint | Automaton] = [")"]
    for field in reversed(fields(stated)):  # type: ignore[arg-type]
        value = getattr(stated, field.name)
        if isinstance(value, Constraint | Automaton):
            found += value, ", "
        elif isinstance(value, tuple) and value and isinstance(value[0], Constraint):
            found += "]", *(piece for part in value[:0:-1] for piece in (part, ", ")), value[0], "[", ", "
        else:
            found += _write(value), ", "
    if len(found) > 1:
        found.pop()
    found.append(f"{type(stated).__name__}(")
    return found


def parse_model(text: str, look: Callable[[], None] | None = None) -> Model:
    """Parse the output of ``model_text``; ``#`` lines and blank lines are skipped. Raises TextError with the line.

    ``look`` is called now and then; an exception from it ends the reading.
    """
    from .model import Model

    variables = dict[str, tuple[int, Variable]]()
    constraints, objective = list[Constraint](), None
    named = list[tuple[int, str, Iterable[str]]]()
    look, left = look or (lambda: None), _MOST_WIDE
    for number, line in enumerate(text.splitlines(), 1):
        if not number % _LOOKS or len(line) > _LONG:
            look()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found = _statement(line.strip(), left)
            scope = found.scope if isinstance(found, Constraint) else ()
        except RecursionError:  # from the reader, or, in releases of Python whose reader goes deeper, from the scope
            raise TextError(f"line {number}: nested deeper than {_DEEPEST}") from None
        except (TypeError, ValueError) as error:
            raise TextError(f"line {number}: {said(error)}") from None
        if isinstance(found, Variable):
            first, _ = variables.setdefault(found.name, (number, found))
            if first != number:
                raise TextError(f"line {number}: the variable {_name(found.name)} appears twice, first in line {first}")
            left -= len(found.domain) if len(found.domain) > _WIDE else 0
        elif isinstance(found, Constraint):
            constraints.append(found)
            named.append((number, "the constraint", scope))
        elif objective is not None:
            raise TextError(f"line {number}: a second objective")
        else:
            objective = found
            named.append((number, "the objective", found.xs))
    for number, what, names in named:
        missing = next((name for name in names if name not in variables), None)
        if missing is not None:
            raise TextError(f"line {number}: {what} names {_name(missing)}, which is not a variable of the model")
    try:
        return Model([variable for _, variable in variables.values()], constraints, objective)
    except ValueError as error:
        raise TextError(str(error)) from None


def _name(name: str) -> str:
    return name if _PLAIN.match(name) and name not in _WORDS else json.dumps(name)


def _write(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "none"}[value]
    if isinstance(value, int) or value in OPERATORS:
        return str(value)
    if isinstance(value, str):
        return _name(value)
    return "[" + ", ".join(map(_write, value)) + "]"


def _statement(line: str, left: int) -> Any:
    """Return the variable, the constraint or the objective of a line.

    Constraints are read as JSON in which each is an object, {"AllDifferent": [["x", "y"]]}, which is made when it ends.
    """
    if re.match(r"variable\b(?!\s*\()", line):
        return _variable(line, left)
    try:
        found = json.loads(_WORD.sub(_as_json, line), object_pairs_hook=_made, parse_float=_no_float)
    except json.JSONDecodeError as error:
        at = _column(line, error.pos)
        if at >= len(line):
            raise TextError("the line ends too early") from None
        raise TextError(f"column {at + 1}: {line[at : at + 20]!r} cannot be read: {error.msg}") from None
    if not hasattr(found, "xs") and not isinstance(found, Constraint):
        raise TextError(f"a constraint or an objective is expected, not {line[:40]!r}")
    return found


def _variable(line: str, left: int) -> Variable:
    """Read a variable: its name, 'in', and its domain, a range of at most ``left`` values or a list of values."""
    match = _VARIABLE.match(line)
    if match is None:
        raise TextError(f"variable NAME in 1..9, or in {{1, 3}}, is expected, not {line[:60]!r}")
    name = _unquoted(match["name"])
    if match["values"] is not None:
        try:
            return Variable(name, json.loads(f"[{match['values']}]", parse_float=_no_float))
        except json.JSONDecodeError as error:
            raise TextError(f"the values {{{match['values'][:40]}}} cannot be read: {error.msg}") from None
    low, high = int(match["low"]), int(match["high"])
    if high - low >= max(left, _WIDE):
        raise TextError(f"the domain {low}..{high}: domains hold at most {_MOST_WIDE} values together")
    return Variable(name, range(low, high + 1))


def _as_json(match: re.Match[str]) -> str:
    """Return a word of a line as JSON."""
    if match["kind"]:
        return f'{{"{match["kind"]}":['
    if match["op"]:
        return f'"{match["op"]}"'
    if match["mark"]:
        return "]}" if match["mark"] == ")" else "&"  # in JSON, where those of the line itself fit nowhere
    name = match["name"]
    return _WORDS.get(name) or json.dumps(_unquoted(name))


def _unquoted(name: str) -> str:
    try:
        found = str(json.loads(name)) if name.startswith('"') else name
    except json.JSONDecodeError as error:
        raise TextError(f"the name {name[:40]} cannot be read: {error.msg}") from None
    found.encode()  # which refuses half a character, a lone surrogate
    return found


def _column(line: str, at: int) -> int:
    """Return the place in a line from which a place in its JSON comes."""
    longer = 0
    for match in _WORD.finditer(line):
        if match.start() + longer >= at:
            break
        longer += len(_as_json(match)) - len(match[0])
    return at - longer


def _no_float(text: str) -> None:
    raise TextError(f"{text[:40]} is not a whole number")


def _made(pairs: list[tuple[str, list[Any]]]) -> Any:
    """Return the object of a call; raise TextError for arguments that do not fit."""
    from .model import Objective

    [(kind, arguments)] = pairs
    if kind in ("minimize", "maximize"):
        return Objective(kind, *arguments)
    if kind == "Automaton":
        return Automaton(*arguments)
    if kind not in Constraint.kinds:
        known = Constraint.kinds
        raise TextError(
            f"{kind} is not a kind of constraint: one of {', '.join(known)} is expected{meant(kind, known)}"
        )
    try:
        return Constraint.kinds[kind](*arguments)
    except TypeError as error:
        raise TextError(f"{kind}: other arguments are expected: {str(error).rpartition('__init__() ')[2]}") from None
