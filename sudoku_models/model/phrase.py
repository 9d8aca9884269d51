"""A constraint as a short, readable text: ``R1C1 + R1C2 == 5``, ``x < y or z in [1, 2]``.

Comparisons are written with operators, as they were stated; kinds without an operator with their name and fields, such
as ``Regular([x, y], Automaton(...))``. ``Phrase`` (see ``phrase_reader``) reads these texts back.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import reduce
from itertools import pairwise
from typing import Any

from ..errors import meant
from .constraint import OPERATORS, AllDifferent, Compare, Constraint, InDomain, Linear
from .expression import Arithmetic, Expression, Variable, expression
from .logic import And, Implies, Not, Or
from .regular import Automaton
from .terms import CountTerm, Term, TruthTerm, all_different, count_of, element, maximum, minimum, quotient, remainder

_SHORT, _FEW = 80, 5
"""The number of letters of a text, and of names of variables, that a message shows."""


def phrase(constraint: Constraint) -> str:
    """Write a constraint."""
    said: tuple[Expression, str] | None = vars(constraint).get("said")
    if said is not None and not isinstance(constraint, Compare | Linear | InDomain):
        return _comparison(*said)
    if isinstance(constraint, And | Or) and len(constraint.parts) > 1:
        return (" and " if isinstance(constraint, And) else " or ").join(map(_bracketed, constraint.parts))
    if isinstance(constraint, Not):
        return f"not {_bracketed(constraint.part)}"
    if isinstance(constraint, Implies):
        return f"implies({phrase(constraint.condition)}, {phrase(constraint.result)})"
    return _by_kind(constraint)


def named(constraint: Constraint) -> str:
    """Name a constraint in a message: ``the constraint R1C1 + R1C2 == 5 (Linear)``, ``the Table over x, y``."""
    kind, text = type(constraint).__name__, brief(constraint)
    return f"the {kind} {text}" if text.startswith("over ") else f"the constraint {text} ({kind})"


def brief(constraint: Constraint) -> str:
    """Write a short constraint, or the first variables of a long one: ``R1C1 + R1C2 == 5``, ``over x, y``."""
    said, names = phrase(constraint), list(dict.fromkeys(constraint.scope))
    if len(said) <= _SHORT and not said.startswith(f"{type(constraint).__name__}("):
        return said
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return f"over {', '.join(names[:_FEW])}{more}" if names else "over no variable"


def _by_kind(constraint: Constraint) -> str:
    """Write a constraint in the special form of its kind, if there is one, otherwise as its kind and fields."""
    if isinstance(constraint, Compare) and constraint.x != constraint.y:
        return f"{constraint.x} {constraint.op} {constraint.y}{_shift(constraint.c)}"
    if isinstance(constraint, InDomain):
        values = constraint.values
        return f"{constraint.x} == {values[0]}" if len(values) == 1 else f"{constraint.x} in {_values(values)}"
    if isinstance(constraint, AllDifferent) and constraint.xs:
        return f"all_different({', '.join(constraint.xs)})"
    if isinstance(constraint, Linear) and _is_sum(constraint):
        terms = zip(constraint.xs, constraint.coeffs, strict=True)
        return f"{_sum(terms)} {constraint.op} {constraint.k}"
    return _called(constraint)


def _is_sum(found: Linear) -> bool:
    """Return whether a Linear, written as a sum, is read back as a Linear and not as a Compare or an InDomain."""
    distinct = len(set(found.xs)) == len(found.xs) and all(found.coeffs)
    return bool(found.xs) and distinct and sorted(found.coeffs) != [-1, 1] and (found.op, found.coeffs) != ("==", (1,))


def _called(made: Constraint | Automaton) -> str:
    names = [field.name for field in fields(made)]  # type: ignore[arg-type]
    return f"{type(made).__name__}({', '.join(_field(name, getattr(made, name)) for name in names)})"


def _field(name: str, value: Any) -> str:
    if isinstance(value, Constraint):
        return phrase(value)
    if isinstance(value, Automaton):
        return _called(value)
    if isinstance(value, str):
        return json.dumps(value) if name == "op" else value
    return str(value) if value is None or isinstance(value, int) else f"[{', '.join(_field('', x) for x in value)}]"


def _bracketed(constraint: Constraint) -> str:
    return f"({phrase(constraint)})" if isinstance(constraint, And | Or | Not) else phrase(constraint)


def _comparison(difference: Expression, op: str) -> str:
    """Write ``difference op 0`` with the negative terms on the right side."""
    terms = [*difference.terms.items(), *((_term(term), c) for term, c in difference.parts)]
    left = [(x, c) for x, c in terms if c >= 0]
    right = [(x, -c) for x, c in terms if c < 0]
    constant = difference.constant
    over, under = (constant, 0) if constant > 0 and right else (0, -constant)
    return f"{_side(left, over)} {op} {_side(right, under)}"


def _side(terms: list[tuple[str, int]], constant: int) -> str:
    return f"{_sum(terms)}{_shift(constant)}" if terms else str(constant)


def _sum(terms: Iterable[tuple[str, int]]) -> str:
    found = ""
    for x, c in terms:
        sign = ("-" if c < 0 else "") if not found else (" - " if c < 0 else " + ")
        found += sign + (x if abs(c) == 1 else f"{abs(c)}*{x}")
    return found


def _shift(constant: int) -> str:
    return f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else ""


_BETWEEN = {"product": "*", "quotient": "//", "remainder": "%", "power": "**"}
_NAMES = {"minimum": "min", "maximum": "max"}


def _term(term: Term) -> str:
    """Write a term so that it can be the operand of any operator."""
    if isinstance(term, TruthTerm):
        return f"({phrase(term.constraint)})"
    operands = list(map(_expression, term.operands))
    if term.text in _BETWEEN:
        return f"({_operand(operands[0])} {_BETWEEN[term.text]} {_operand(operands[1])})"
    if isinstance(term, CountTerm):
        return f"count([{', '.join(operands)}], {_values(sorted(term.wanted))})"
    if term.text == "element":
        return f"element([{', '.join(operands[:-1])}], {operands[-1]})"
    return f"{_NAMES.get(term.text, term.text)}({', '.join(operands)})"


def _operand(text: str) -> str:
    return text if text.isalnum() or _is_bracket(text) else f"({text})"


def _is_bracket(text: str) -> bool:
    """Return whether the bracket that begins a text is closed at its end."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return place == len(text) - 1
    return False


def _expression(found: Expression) -> str:
    terms = [*found.terms.items(), *((_term(term), c) for term, c in found.parts)]
    return _side(terms, found.constant)


def _values(values: Iterable[int]) -> str:
    return f"[{', '.join(map(str, values))}]"


# ---------------------------------------------------------------- reading


MOST_LETTERS = 100_000
"""The length of the longest text of one constraint."""
MOST_OPERANDS = 1_000
"""The largest number of operands in a chain of operators: a + b + c + ..."""
_DEEPEST = 40
_TOKEN = re.compile(
    r'\s*(?:(?P<text>"[^"\\\s]{1,9}")|(?P<number>\d{1,18}(?![\w.]))|(?P<name>[A-Za-z_]\w*)'
    r"|(?P<mark>==|!=|<=|>=|//|\*\*|[<>+\-*%()\[\],]))",
    re.ASCII,
)
_LEVELS: tuple[frozenset[str], ...] = tuple(
    map(frozenset, (["or"], ["and"], [*OPERATORS, "in"], ["+", "-"], ["*", "//", "%"], ["**"]))
)
_COMPARISONS = 2
"""The level of comparisons. In 1 < x < 5 both must hold, as in Python."""
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "**": operator.pow,
    "//": lambda a, b: quotient(a, b) if type(b) is int and not b else a // b,  # 1 // 0 is read too: it has no value
    "%": lambda a, b: remainder(a, b) if type(b) is int and not b else a % b,
}
_WORDS = {"True": True, "False": False, "None": None}


def _added(*xs: Any) -> Any:
    """Add up numbers and expressions, or the members of one list."""
    return reduce(operator.add, xs[0] if len(xs) == 1 and isinstance(xs[0], list) else xs, 0)


def _count(xs: list[Any], values: list[int] | int) -> Any:
    """Return the number of members of a list that have one of the values."""
    return count_of(xs, *(values if isinstance(values, list) else [values]))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda x: abs(expression(x) if isinstance(x, Constraint) else x),
    "all_different": all_different,
    "count": _count,
    "element": element,
    "implies": Implies,
    "iff": lambda a, b: a.iff(b),
    "max": maximum,
    "min": minimum,
    "sum": _added,
    "xor": lambda a, b: a.xor(b),
}
"""The functions that a text may call, besides the kinds of constraints."""

Made = Callable[[Mapping[str, Variable]], Any]
"""What a part of a text makes of variables: a number, a list, an expression or a constraint."""


class Phrase:
    """The text of a constraint, parsed but not yet over variables. ``names`` are the names of its variables, each once.

    ``steps`` is roughly the work to make it. A ValueError says what cannot be read, and where.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MOST_LETTERS:
            raise ValueError(f"{len(text):,} characters: at most {MOST_LETTERS:,} are read as one constraint")
        reader = _PhraseReader(text)
        self.text, self._made = text, reader.whole()
        self.names = tuple(dict.fromkeys(reader.names))
        self.steps = 20 * len(reader.tokens) + len(self.names) ** 2 // 20

    def __reduce__(self) -> tuple[type[Phrase], tuple[str]]:
        return Phrase, (self.text,)

    def over(self, variables: Mapping[str, Variable]) -> Constraint:
        """Return the constraint over variables, one for each of ``names``.

        Raises ValueError if the text states no constraint: the operands do not fit, or it is only a number.
        """
        try:
            found = self._made(variables)
        except (TypeError, AttributeError, ArithmeticError) as error:
            said = str(error).rpartition("__init__() ")[2]
            raise ValueError(f"{self.text[:60]!r} states no constraint: {said}") from None
        if not isinstance(found, Constraint):
            raise ValueError(f"{self.text[:60]!r} states no constraint: a comparison is expected, such as R1C1 < R1C2")
        return found


class _PhraseReader:
    """Parses a text, token by token; each part becomes a function from the variables to what it states."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._split())
        self.at = self.depth = 0
        self.names: list[str] = []

    def _split(self) -> Iterator[tuple[str, str, int]]:
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if not match or match.lastgroup is None:
                near = self.text[at:].lstrip()[:20]
                at = len(self.text) - len(self.text[at:].lstrip())
                hint = "; == is for comparing" if near.startswith("=") else ""
                raise ValueError(f"column {at + 1}: {near!r} cannot be read{hint}")
            yield match.lastgroup, match.group(match.lastgroup), match.start(match.lastgroup) + 1
            at = match.end()

    def whole(self) -> Made:
        found = self.chain(0)
        if self.at < len(self.tokens):
            raise self.unexpected("the end")
        return found

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def unexpected(self, wanted: str) -> ValueError:
        if self.at >= len(self.tokens):
            return ValueError(f"the constraint {self.text[:60]!r} ends too early: {wanted} is expected")
        _, found, column = self.tokens[self.at]
        return ValueError(f"column {column}: {wanted} is expected, not {found[:20]!r}")

    def take(self, mark: str, wanted: str = "") -> None:
        if self.peek() != mark:
            raise self.unexpected(wanted or repr(mark))
        self.at += 1

    def chain(self, level: int) -> Made:
        """Parse operands of a level, with its operators between them."""
        if level == len(_LEVELS):
            return self.signed()
        first = self.negated(level)
        rest: list[tuple[str, Made]] = []
        while self.peek() in _LEVELS[level] and self.tokens[self.at][0] in ("mark", "name"):
            sign = self.peek()
            self.at += 1
            rest.append((sign, self.negated(level)))
            if len(rest) >= MOST_OPERANDS:
                raise ValueError(f"more than {MOST_OPERANDS} operands in one chain")
        return (lambda xs: _joined(first(xs), [(sign, made(xs)) for sign, made in rest])) if rest else first

    def negated(self, level: int) -> Made:
        """Parse an operand of a level; ``not`` binds more weakly than comparisons."""
        if level + 1 != _COMPARISONS or self.peek() != "not":
            return self.chain(level + 1)
        self.at += 1
        part = self.deeper(lambda: self.negated(level))
        return lambda xs: Not(part(xs))

    def signed(self) -> Made:
        if self.peek() != "-":
            return self.deeper(self.atom)
        self.at += 1
        part = self.deeper(self.signed)
        return lambda xs: -part(xs)

    def deeper(self, read: Callable[[], Made]) -> Made:
        """Parse one level deeper; raise ValueError if there are too many levels."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError(f"nested deeper than {_DEEPEST}")
        found = read()
        self.depth -= 1
        return found

    def atom(self) -> Made:
        """Parse a number, a name, a call, a list or an expression in brackets."""
        kind, value = self.tokens[self.at][:2] if self.at < len(self.tokens) else ("", "")
        if kind in ("number", "text"):
            self.at += 1
            known = json.loads(value)
            return lambda xs: known
        if kind == "name" and value not in ("and", "or", "not", "in"):
            self.at += 1
            return self.named(value)
        if value == "[":
            listed = self.items("[", "]")
            return lambda xs: [item(xs) for item in listed]
        self.take("(", "a cell, a number or a function")
        found = self.chain(0)
        self.take(")")
        return found

    def named(self, name: str) -> Made:
        """Parse a call, True, False, None, or a variable after a name; raise ValueError for an unknown function."""
        if self.peek() == "(":
            if name not in FUNCTIONS and name not in Constraint.kinds and name != "Automaton":
                raise ValueError(f"{name[:40]} is not a function{meant(name, [*FUNCTIONS, *Constraint.kinds])}")
            arguments = self.items("(", ")")
            return lambda xs: _call(name, [argument(xs) for argument in arguments], xs)
        if name in _WORDS:
            return lambda xs: _WORDS[name]
        self.names.append(name)
        return lambda xs: xs[name]

    def items(self, start: str, end: str) -> list[Made]:
        """Parse values in brackets, separated by commas."""
        self.take(start)
        found: list[Made] = []
        while self.peek() != end:
            if found:
                self.take(",")
            found.append(self.chain(0))
        self.at += 1
        return found


def _joined(first: Any, rest: list[tuple[str, Any]]) -> Any:
    """Return the result of operands joined by operators from left to right."""
    sign = rest[0][0]
    if sign in ("and", "or"):
        return (And if sign == "and" else Or)(first, *(operand for _, operand in rest))
    if sign in _LEVELS[_COMPARISONS]:
        sides = [first, *(operand for _, operand in rest)]
        parts = [_combined(a, sign, b) for (a, b), (sign, _) in zip(pairwise(sides), rest, strict=True)]
        return And(parts) if len(parts) > 1 else parts[0]
    return reduce(lambda found, more: _combined(found, *more), rest, first)


def _call(name: str, arguments: list[Any], variables: Mapping[str, Variable]) -> Any:
    """Return the result of a function in ``FUNCTIONS``, an Automaton, or a constraint of a kind."""
    if name in FUNCTIONS:
        return FUNCTIONS[name](*arguments)
    if name == "Automaton":
        return Automaton(*arguments)
    found = Constraint.kinds[name](*arguments)
    vars(found)["stated"] = {x.name: x.domain for x in variables.values()}
    return found


def _combined(left: Any, sign: str, right: Any) -> Any:
    if sign == "in":
        return _among(left, right)
    left, right = (expression(side) if isinstance(side, Constraint) else side for side in (left, right))
    if sign not in OPERATORS:
        return _PLAIN[sign](left, right)
    found = OPERATORS[sign](left, right)
    return (And() if found else Or()) if isinstance(found, bool) else found


def _among(x: Any, values: Any) -> Constraint:
    """Return the constraint that a variable or an expression has one of some values."""
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise TypeError("'in' needs a list of numbers: R1C1 in [1, 2]")
    if not isinstance(x, Variable):
        if not isinstance(x, Arithmetic | Constraint):
            raise TypeError("'in' needs a cell on its left side")
        return Or(_combined(x, "==", value) for value in values)
    found = InDomain(x, values)
    vars(found)["stated"] = {x.name: x.domain}
    return found
