"""Nested constraints: what a format can state there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model import And, Constraint, Implies, Not, Or

_LOGIC = (And, Or, Not, Implies)


def refusal(kinds: frozenset[type[Constraint]]) -> Callable[[Constraint], str | None]:
    """Return a function that rejects a constraint with parts of other kinds than these, however deeply nested."""

    def refuses(constraint: Constraint) -> str | None:
        """Return why a constraint cannot be written, None if it can."""
        if not isinstance(constraint, _LOGIC):
            return None
        for part in parts_of(constraint):
            if not isinstance(part, _LOGIC) and type(part) not in kinds:
                return f"a {type(part).__name__} cannot stand inside another constraint"
            reason = refuses(part)
            if reason:
                return reason
        return None

    return refuses


def parts_of(constraint: Constraint) -> Iterable[Constraint]:
    """Return the direct parts of a constraint."""
    if isinstance(constraint, And | Or):
        return constraint.parts
    if isinstance(constraint, Not):
        return (constraint.part,)
    return (constraint.condition, constraint.result) if isinstance(constraint, Implies) else ()
