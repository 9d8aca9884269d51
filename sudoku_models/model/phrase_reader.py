"""Parses a constraint from a short text: ``R1C1 + R1C2 == 5``, ``abs(x - y) >= 3``, ``x < y or z in [1, 2]``.

The operators are those of Python, with ``and``, ``or``, ``not``, ``in``, the functions of ``FUNCTIONS`` and the kinds
of constraints by name. A text is read token by token; nothing in it is executed.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Any

from ..errors import meant
from .constraint import OPERATORS, Constraint, InDomain
from .expression import Arithmetic, Variable, expression
from .logic import And, Implies, Not, Or
from .regular import Automaton
from .terms import all_different, count_of, element, maximum, minimum, quotient, remainder

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


def _sum(*xs: Any) -> Any:
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
    "sum": _sum,
    "xor": lambda a, b: a.xor(b),
}
"""The functions that a text may call, besides the kinds of constraints."""

Node = tuple[str, Any]
"""A node of the parsed text: its type and its content."""


class Phrase:
    """The text of a constraint, parsed but not yet over variables. ``names`` are the names of its variables, each once.

    ``steps`` is roughly the work to make it. A ValueError says what cannot be read, and where.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MOST_LETTERS:
            raise ValueError(f"{len(text):,} characters: at most {MOST_LETTERS:,} are read as one constraint")
        reader = _PhraseReader(text)
        self.text, self._tree = text, reader.whole()
        self.names = tuple(dict.fromkeys(reader.names))
        self.steps = 20 * len(reader.tokens) + len(self.names) ** 2 // 20

    def over(self, variables: Mapping[str, Variable]) -> Constraint:
        """Return the constraint over variables, one for each of ``names``.

        Raises ValueError if the text states no constraint: the operands do not fit, or it is only a number.
        """
        try:
            found = _Maker(variables).made(self._tree)
        except (TypeError, AttributeError, ArithmeticError) as error:
            raise ValueError(f"{self.text[:60]!r} states no constraint: {error}") from None
        if not isinstance(found, Constraint):
            raise ValueError(f"{self.text[:60]!r} states no constraint: a comparison is expected, such as R1C1 < R1C2")
        return found


class _PhraseReader:
    """Parses a text, token by token."""

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

    def whole(self) -> Node:
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

    def take(self, mark: str) -> None:
        if self.peek() != mark:
            raise self.unexpected(repr(mark))
        self.at += 1

    def chain(self, level: int) -> Node:
        """Parse operands of a level, with its operators between them."""
        if level == len(_LEVELS):
            return self.signed()
        first = self.negated(level)
        rest: list[tuple[str, Node]] = []
        while self.peek() in _LEVELS[level] and self.tokens[self.at][0] in ("mark", "name"):
            sign = self.peek()
            self.at += 1
            rest.append((sign, self.negated(level)))
            if len(rest) >= MOST_OPERANDS:
                raise ValueError(f"more than {MOST_OPERANDS} operands in one chain")
        return ("chain", (first, rest)) if rest else first

    def negated(self, level: int) -> Node:
        """Parse an operand of a level; ``not`` binds more weakly than comparisons."""
        if level + 1 == _COMPARISONS and self.peek() == "not":
            self.at += 1
            return self.deeper(lambda: ("not", self.negated(level)))
        return self.chain(level + 1)

    def signed(self) -> Node:
        if self.peek() == "-":
            self.at += 1
            return self.deeper(lambda: ("minus", self.signed()))
        return self.deeper(self.atom)

    def deeper(self, read: Callable[[], Node]) -> Node:
        """Parse one level deeper; raise ValueError if there are too many levels."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise ValueError(f"nested deeper than {_DEEPEST}")
        found = read()
        self.depth -= 1
        return found

    def atom(self) -> Node:
        """Parse a number, a name, a call, a list or an expression in brackets."""
        kind, value = self.tokens[self.at][:2] if self.at < len(self.tokens) else ("", "")
        if kind in ("number", "text"):
            self.at += 1
            return "value", json.loads(value)
        if kind == "name" and value not in ("and", "or", "not", "in"):
            self.at += 1
            return self.named(value)
        if value == "[":
            return "list", self.items("[", "]")
        self.take_open("a cell, a number or a function")
        found = self.chain(0)
        self.take(")")
        return found

    def take_open(self, wanted: str) -> None:
        if self.peek() != "(":
            raise self.unexpected(wanted)
        self.at += 1

    def named(self, name: str) -> Node:
        """Parse a call, True, False, None, or a variable after a name; raise ValueError for an unknown function."""
        if self.peek() == "(":
            if name not in FUNCTIONS and name not in Constraint.kinds and name != "Automaton":
                raise ValueError(f"{name[:40]} is not a function{meant(name, [*FUNCTIONS, *Constraint.kinds])}")
            return "call", (name, self.items("(", ")"))
        if name in _WORDS:
            return "value", _WORDS[name]
        self.names.append(name)
        return "name", name

    def items(self, start: str, end: str) -> list[Node]:
        """Parse values in brackets, separated by commas."""
        self.take(start)
        found: list[Node] = []
        while self.peek() != end:
            if found:
                self.take(",")
            found.append(self.chain(0))
        self.at += 1
        return found


class _Maker:
    """Makes the constraint of a text over variables."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self.variables = variables

    def made(self, node: Node) -> Any:
        """Return a number, a list, an expression or a constraint."""
        kind, content = node
        if kind == "value":
            return content
        if kind == "name":
            return self.variables[content]
        if kind == "list":
            return [self.made(item) for item in content]
        if kind == "minus":
            return -self.made(content)
        return Not(self.made(content)) if kind == "not" else self.joined(kind, content)

    def joined(self, kind: str, content: Any) -> Any:
        """Return the result of a call, or of operands joined by operators from left to right."""
        first, rest = content
        if kind == "call":
            return self.called(first, [self.made(item) for item in rest])
        found, sign = self.made(first), rest[0][0]
        if sign in ("and", "or"):
            return (And if sign == "and" else Or)(found, *(self.made(node) for _, node in rest))
        if sign in _LEVELS[_COMPARISONS]:
            sides = [found, *(self.made(node) for _, node in rest)]
            parts = [_combined(a, sign, b) for (a, b), (sign, _) in zip(pairwise(sides), rest, strict=True)]
            return And(parts) if len(parts) > 1 else parts[0]
        for sign, node in rest:
            found = _combined(found, sign, self.made(node))
        return found

    def called(self, name: str, arguments: list[Any]) -> Any:
        """Return the result of a function in ``FUNCTIONS``, an Automaton, or a constraint of a kind."""
        if name in FUNCTIONS:
            return FUNCTIONS[name](*arguments)
        if name == "Automaton":
            return Automaton(*arguments)
        found = Constraint.kinds[name](*arguments)
        vars(found)["stated"] = {x.name: x.domain for x in self.variables.values()}
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
