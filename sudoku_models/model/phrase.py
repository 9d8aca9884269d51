"""A constraint as a short, readable text: ``R1C1 + R1C2 == 5``, ``x < y or z in [1, 2]``.

Comparisons are written with operators, as they were stated; kinds without an operator with their name and fields, such
as ``Regular([x, y], Automaton(...))``. ``Phrase`` reads these texts back.
"""

from __future__ import annotations

import ast
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
_STRANGE = re.compile(
    r'[^\w\s"<>=!+\-*/%(),\[\]]|(?<!\w)(?:\d{19}|\d+[A-Za-z_]|0\d)|(?<![<>=!])=(?!=)|"[^"\\\s]{10}', re.ASCII
)
"""What no constraint has: other signs, numbers that are not whole or too long, an assignment, long texts."""
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.In: "in",
    ast.Eq: "==", ast.NotEq: "!=", ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">",
}  # fmt: skip
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "**": operator.pow,
    "//": lambda a, b: quotient(a, b) if type(b) is int and not b else a // b,  # 1 // 0 is read too: it has no value
    "%": lambda a, b: remainder(a, b) if type(b) is int and not b else a % b,
}


def _added(*xs: Any) -> Any:
    """Add up numbers and expressions, or the members of one list."""
    return reduce(operator.add, xs[0] if len(xs) == 1 and isinstance(xs[0], list) else xs, 0)


def _count(xs: list[Any], values: list[int] | int) -> Any:
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
    "Automaton": Automaton,
}
"""The functions that a text may call, besides the kinds of constraints."""


class Phrase:
    """The text of a constraint, parsed but not yet over variables. ``names`` are the names of its variables, each once.

    ``steps`` is roughly the work to make it. A ValueError says what cannot be read, and where. Python's own parser
    reads the text, which is never executed; of its syntax, only what ``_operands`` lists is a constraint.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MOST_LETTERS:
            raise ValueError(f"{len(text):,} characters: at most {MOST_LETTERS:,} are read as one constraint")
        self.text, self._tree = text, _parsed(text)
        found = list(_checked(self._tree, 0))
        self.names = tuple(dict.fromkeys(node.id for node in found if isinstance(node, ast.Name)))
        self.steps = 40 * len(found) + len(self.names) ** 2 // 20

    def __reduce__(self) -> tuple[type[Phrase], tuple[str]]:
        return Phrase, (self.text,)

    def over(self, variables: Mapping[str, Variable]) -> Constraint:
        """Return the constraint over variables, one for each of ``names``.

        Raises ValueError if the text states no constraint: the operands do not fit, or it is only a number.
        """
        try:
            found = _value(self._tree, variables)
        except (TypeError, AttributeError, ArithmeticError) as error:
            said = str(error).rpartition("__init__() ")[2]
            raise ValueError(f"{self.text[:60]!r} states no constraint: {said}") from None
        if not isinstance(found, Constraint):
            raise ValueError(f"{self.text[:60]!r} states no constraint: a comparison is expected, such as R1C1 < R1C2")
        return found


def _parsed(text: str) -> ast.expr:
    """Return the syntax tree of a text; raise ValueError with the column that cannot be read."""
    line = re.sub(r"\s", " ", text)
    indent = len(line) - len(line.lstrip())
    if strange := _STRANGE.search(line):
        near = line[strange.start() :][:20]
        hint = "; == is for comparing" if near.startswith("=") else ""
        raise ValueError(f"column {strange.start() + 1}: {near!r} cannot be read{hint}")
    try:
        return ast.parse(line.strip(), mode="eval").body
    except SyntaxError as error:
        at, why = indent + error.offset - 1 if error.offset else len(line), error.msg  # 0: at the end
    except (RecursionError, MemoryError):
        raise ValueError(f"{text[:60]!r} is nested deeper than {_DEEPEST}") from None
    if at >= len(line.rstrip()):
        raise ValueError(f"the constraint {text[:60]!r} ends too early: a cell, a number or a function is expected")
    raise ValueError(f"column {at + 1}: {line[at:][:20]!r} cannot be read: {why}")


def _operands(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a node; raise ValueError for what is no part of a constraint."""
    match node:
        case ast.Name() | ast.Constant(value=int() | str() | None):
            return []
        case ast.BoolOp(values=parts) | ast.List(elts=parts):
            return parts
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=part):
            return [part]
        case ast.Compare(left=first, ops=signs, comparators=others) if all(type(sign) in _SIGNS for sign in signs):
            return [first, *others]
        case ast.BinOp():
            first, rest = _chain(node)
            if all(sign for sign, _ in rest):
                return [first, *(part for _, part in rest)]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            if name not in FUNCTIONS and name not in Constraint.kinds:
                raise ValueError(f"{name[:40]} is not a function{meant(name, [*FUNCTIONS, *Constraint.kinds])}")
            return parts
    raise ValueError(f"column {node.col_offset + 1}: a comparison of cells and numbers is expected here")


def _chain(node: ast.expr) -> tuple[ast.expr, list[tuple[str, ast.expr]]]:
    """Return the first operand of a chain such as a - b + c, and the others with their operators ("": unknown)."""
    rest: list[tuple[str, ast.expr]] = []
    while isinstance(node, ast.BinOp):
        rest.append((_SIGNS.get(type(node.op), ""), node.right))
        node = node.left
    return node, rest[::-1]


def _checked(node: ast.expr, depth: int) -> Iterator[ast.expr]:
    """Yield a node and all parts of it, in the order of the text; raise ValueError for what cannot be read."""
    if depth > _DEEPEST:
        raise ValueError(f"nested deeper than {_DEEPEST}")
    yield node
    parts = _operands(node)
    if len(parts) > MOST_OPERANDS and not isinstance(node, ast.List | ast.Call):
        raise ValueError(f"more than {MOST_OPERANDS} operands in one chain")
    for part in parts:
        yield from _checked(part, depth + 1)


def _value(node: ast.expr, xs: Mapping[str, Variable]) -> Any:
    """Return what a part of a text states over variables: a number, a list, an expression or a constraint."""
    if isinstance(node, ast.Name):
        return xs[node.id]
    if isinstance(node, ast.Constant):
        return node.value
    values = [_value(part, xs) for part in _operands(node)]
    match node:
        case ast.BoolOp(op=sign):
            return (And if isinstance(sign, ast.And) else Or)(*values)
        case ast.UnaryOp(op=sign):
            return Not(values[0]) if isinstance(sign, ast.Not) else -values[0]
        case ast.BinOp():
            signs = [sign for sign, _ in _chain(node)[1]]
            return reduce(lambda found, more: _combined(found, *more), zip(signs, values[1:], strict=True), values[0])
        case ast.Compare(ops=compared):
            sides = zip(pairwise(values), compared, strict=True)
            parts = [_combined(a, _SIGNS[type(sign)], b) for (a, b), sign in sides]
            return And(parts) if len(parts) > 1 else parts[0]
        case ast.Call(func=ast.Name(id=name)):
            return _call(name, values, xs)
    return values


def _call(name: str, arguments: list[Any], variables: Mapping[str, Variable]) -> Any:
    """Return the result of a function in ``FUNCTIONS``, or a constraint of a kind."""
    if name in FUNCTIONS:
        return FUNCTIONS[name](*arguments)
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
