"""Core constraints over constraints: Or, And, Not, Implies. ``a | b``, ``a & b`` and ``~a`` make the first three."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..dataclass import dataclass
from .combined import hint_on_truth
from .constraint import Constraint, Domains, Values, rows_of
from .expression import Boolean

if TYPE_CHECKING:
    from .constraint import Columns, Flags


def _checked(parts: Iterable[Constraint]) -> tuple[Constraint, ...]:
    found = tuple([part._constraint if isinstance(part, Boolean) else part for part in parts])
    for part in found:
        if not isinstance(part, Constraint):
            raise TypeError(f"{part!r} is not a constraint{hint_on_truth(part)}")
    return found


def _mark(made: Constraint, parts: Iterable[Constraint]) -> None:
    if any(part.parted for part in parts):
        vars(made)["parted"] = True


@dataclass(frozen=True, init=False)
class _OfParts(Constraint):
    """A constraint composed of any number of others."""

    parts: tuple[Constraint, ...]

    def __init__(self, *parts: Constraint | Iterable[Constraint]) -> None:
        vars(self).update(parts=_checked(listed(parts)))
        _mark(self, self.parts)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    def variables(self) -> Iterable[str]:
        return (x for part in self.parts for x in part.variables())


@dataclass(frozen=True, init=False)
class Or(_OfParts):
    """At least one of the parts holds; without parts, this never holds."""

    def holds(self, values: Values) -> bool:
        return any(part.holds(values) for part in self.parts)

    def possible(self, domains: Domains) -> bool:
        return any(part.possible(domains) for part in self.parts)

    def holds_many(self, columns: Columns) -> Flags:
        return ~_all(columns, (~part.holds_many(columns) for part in self.parts))


@dataclass(frozen=True, init=False)
class And(_OfParts):
    """All of the parts hold."""

    def holds(self, values: Values) -> bool:
        return all(part.holds(values) for part in self.parts)

    def possible(self, domains: Domains) -> bool:
        """Return whether every part, taken alone, may hold."""
        return all(part.possible(domains) for part in self.parts)

    def holds_many(self, columns: Columns) -> Flags:
        return _all(columns, (part.holds_many(columns) for part in self.parts))


@dataclass(frozen=True)
class Not(Constraint):
    """The part does not hold."""

    part: Constraint

    def __init__(self, part: Constraint) -> None:
        vars(self).update(part=_checked([part])[0])
        _mark(self, (self.part,))

    def variables(self) -> Iterable[str]:
        return self.part.variables()

    def holds(self, values: Values) -> bool:
        return not self.part.holds(values)

    def holds_many(self, columns: Columns) -> Flags:
        return ~self.part.holds_many(columns)


@dataclass(frozen=True)
class Implies(Constraint):
    """If ``condition`` holds, ``result`` holds too."""

    condition: Constraint
    result: Constraint

    def __init__(self, condition: Constraint, result: Constraint) -> None:
        both = _checked([condition, result])
        vars(self).update(condition=both[0], result=both[1])
        _mark(self, both)

    def variables(self) -> Iterable[str]:
        return (*self.condition.variables(), *self.result.variables())

    def holds(self, values: Values) -> bool:
        return not self.condition.holds(values) or self.result.holds(values)

    def holds_many(self, columns: Columns) -> Flags:
        return ~self.condition.holds_many(columns) | self.result.holds_many(columns)


def parts_of(constraint: Constraint) -> tuple[Constraint, ...]:
    """Return the constraints of which a constraint is composed; none for a kind that is not logic."""
    match constraint:
        case And(parts=parts) | Or(parts=parts):
            return parts
        case Not(part=part):
            return (part,)
        case Implies(condition=condition, result=result):
            return condition, result
    return ()


def nested(constraint: Constraint) -> Iterator[Constraint]:
    """Yield a constraint, its parts, and the parts of each part."""
    yield constraint
    for part in parts_of(constraint):
        yield from nested(part)


def _all(columns: Columns, flags: Iterable[Flags]) -> Flags:
    """Return where all flags are set: everywhere, if there are no flags."""
    import numpy as np

    found = np.ones(rows_of(columns), dtype=bool)
    for flag in flags:
        found &= flag
    return found


def listed(constraints: Iterable[Any], from_array: bool = False) -> Iterator[Any]:
    """Yield constraints, those of lists and arrays one by one; a Boolean variable as "it is 1"."""
    for one in constraints:
        if isinstance(one, Constraint):
            yield one
        elif from_array and isinstance(one, bool):
            yield And() if one else Or()  # two numbers were compared
        elif isinstance(one, Boolean):
            yield one == 1
        elif isinstance(one, Iterable) and not isinstance(one, str):
            yield from listed(one, hasattr(one, "ndim"))
        else:
            yield one


class StatedConstraints(tuple[Constraint, ...]):
    """The constraints of a model, or some of them, after a look through them: none needs additional variables.

    ``known`` are names among which are all that they mention. ``is_block``: other models of the same shape share them.
    Of the constraints of a model, ``blocks`` are those that it shares.
    """

    known: frozenset[str]
    is_block: bool = False
    blocks: tuple[StatedConstraints, ...] = ()
    rest: Sequence[Constraint] = ()

    @property
    def others(self) -> Sequence[Constraint]:
        """The constraints that are in no block."""
        return self.rest if self.blocks else self

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)
