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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..errors import meant
from .constraint import OPERATORS, Constraint
from .domain import domain_text
from .expression import Variable
from .regular import Automaton

if TYPE_CHECKING:
    from .model import Model

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<op>==|!=|<=|>=|<|>)|(?P<span>\.\.)|(?P<number>-?\d{1,4000}(?!\d))'
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<mark>[\[\](){},]))"
)
_WORDS = {"true": True, "false": False, "none": None}
_DEEPEST = 100
_WIDE, _MOST_WIDE = 1_000, 2_000_000
"""Domains with more values than the first number may have at most the second number together."""


_LOOKS, _MANY = 64, 1 << 16
"""The number of lines, and of words of a line, between two looks at the clock."""


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
        if not number % _LOOKS:
            look()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found = _TextReader(line, left, look).statement()
        except (TextError, TypeError, ValueError) as error:
            raise TextError(f"line {number}: {error}") from None
        if isinstance(found, Variable):
            first, _ = variables.setdefault(found.name, (number, found))
            if first != number:
                raise TextError(f"line {number}: the variable {_name(found.name)} appears twice, first in line {first}")
            left -= len(found.domain) if len(found.domain) > _WIDE else 0
        elif isinstance(found, Constraint):
            constraints.append(found)
            named.append((number, "the constraint", found.scope))
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


class _TextReader:
    """Parses one line, token by token; a domain of many values has at most ``left`` values."""

    def __init__(self, line: str, left: int, look: Callable[[], None]) -> None:
        self.tokens: list[tuple[str, str]] = []
        for token in _tokens(line):
            self.tokens.append(token)
            if not len(self.tokens) % _MANY:
                look()
        self.at, self.left = 0, left

    def statement(self) -> Any:
        kind = self.take("name")
        found = self.variable() if kind == "variable" else self.call(kind, 0)
        if self.at < len(self.tokens):
            raise TextError(f"{self.tokens[self.at][1]!r} after the end of the statement")
        return found

    def variable(self) -> Variable:
        """Read a variable: its name, 'in', and its domain, a range or a list of values."""
        group, name = self.next()
        if group not in ("name", "text"):
            raise TextError(f"a variable's name is expected, not {name!r}")
        if self.take("name") != "in":
            raise TextError("'in' is expected after a variable's name")
        group, value = self.next()
        if value == "{":
            return Variable(name, self.items("}", 0))
        if group != "number":
            raise TextError(f"a domain is expected, 1..9 or {{1, 3}}, not {value!r}")
        self.take("span")
        low, high = int(value), int(self.take("number"))
        if high - low >= max(self.left, _WIDE):
            raise TextError(f"the domain {low}..{high}: domains hold at most {_MOST_WIDE} values together")
        return Variable(name, range(low, high + 1))

    def call(self, kind: str, depth: int) -> Any:
        """Parse a call, and make its object; raise TextError for arguments that do not fit."""
        from .model import Objective

        if self.next()[1] != "(":
            raise TextError(f"'(' is expected after {kind}")
        arguments = self.items(")", depth + 1)
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
            raise TextError(
                f"{kind}: other arguments are expected: {str(error).rpartition('__init__() ')[2]}"
            ) from None

    def items(self, end: str, depth: int) -> list[Any]:
        """Parse values separated by commas, up to a closing bracket."""
        found: list[Any] = []
        while self.peek() != end:
            if found and self.next()[1] != ",":
                raise TextError("',' is expected between two items")
            found.append(self.value(depth))
        self.at += 1
        return found

    def value(self, depth: int) -> Any:
        """Parse a number, a list, a name or a nested call; raise TextError if it is nested too deeply."""
        if depth > _DEEPEST:
            raise TextError(f"nested deeper than {_DEEPEST}")
        group, value = self.next()
        if group == "number":
            return int(value)
        if value == "[" and group == "mark":
            return self.items("]", depth + 1)
        if group == "name" and self.peek() == "(":
            return self.call(value, depth)
        if group == "name" and value in _WORDS:
            return _WORDS[value]
        if group in ("name", "text", "op"):
            return value
        raise TextError(f"a value is expected, not {value!r}")

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) and self.tokens[self.at][0] == "mark" else ""

    def next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise TextError("the line ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, group: str) -> str:
        found, value = self.next()
        if found != group:
            raise TextError(f"a {group} is expected, not {value!r}")
        return value


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    at, line = 0, line.rstrip()
    while at < len(line):
        match = _TOKEN.match(line, at)
        if not match or match.lastgroup is None:
            raise TextError(f"column {at + 1}: {line[at : at + 20]!r} cannot be read")
        group, value = match.lastgroup, match.group(match.lastgroup)
        if group == "text":
            value = str(json.loads(value))
            value.encode()  # which refuses half a character, a lone surrogate
        yield group, value
        at = match.end()
