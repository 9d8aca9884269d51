"""A constraint as a short, readable text: ``R1C1 + R1C2 == 5``, ``x < y or z in [1, 2]``.

Comparisons are written with operators, as they were stated; kinds without an operator with their name and fields, such
as ``Regular([x, y], Automaton(...))``. ``Phrase`` (see ``phrase_reader``) reads these texts back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from .constraint import AllDifferent, Compare, Constraint, InDomain, Linear
from .expression import Expression
from .logic import And, Implies, Not, Or
from .regular import Automaton
from .terms import CountTerm, Term, TruthTerm

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
