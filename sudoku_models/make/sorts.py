"""Sorts of puzzles in a data set: boards, rules and bands of difficulty, each with its share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, TypedDict

from ..engine.registry import BackendLike
from ..errors import meant
from ..puzzle import Shape
from ..puzzle.rules import Rule
from ..verbs.task import Problem
from .demands import Clues
from .generating import generate
from .levels import Accept
from .themes import Place

FEW = 16
"""Variants, and puzzles in a band of difficulty, that are made together: each takes some time."""

Strata = Sequence[tuple[str, str] | tuple[float, float]]


class Wishes(TypedDict, total=False):
    """The options of ``generate`` that a data set may have, for type checkers and editors."""

    clues: Clues
    minimal: bool
    symmetry: str
    pattern: str | Iterable[int] | None
    start: Problem | None
    level: tuple[str, str] | None
    rating: float | tuple[float, float] | None
    size: tuple[int, int] | None
    techniques: tuple[str, ...]
    accept: Accept | None
    uniform: bool
    rules: tuple[Rule, ...]
    place: Place
    drop: str | Iterable[str]
    workers: int
    tries: int | None
    time_limit: float | None
    backend: BackendLike


@dataclass(frozen=True)
class Sort:
    """Puzzles on a ``shape`` with the options ``wishes`` and a ``share`` of the total; ``number`` is the index of the
    sort.
    """

    number: int
    shape: Shape
    share: float = 1.0
    wishes: Mapping[str, Any] = field(default_factory=dict)

    def made(self, number: int, seed: int) -> Any:
        """Make puzzles of the sort."""
        return generate(number, shape=self.shape, seed=seed, **self.wishes)

    @property
    def is_variant(self) -> bool:
        """Return whether the puzzles have rules."""
        return bool(self.wishes.get("rules") or self.wishes.get("place"))

    def together(self, most: int) -> int:
        """Return how many are made together."""
        slow = self.is_variant or {"level", "rating", "size", "techniques", "accept"} & set(self.wishes)
        return min(most, FEW) if slow else most

    def __str__(self) -> str:
        wishes = ", ".join(f"{name} {value}" for name, value in self.wishes.items() if name != "workers")
        return f"{self.shape}{'; ' if wishes else ''}{wishes}"


def sorts_of(
    mix: Sequence[Mapping[str, Any]], strata: Strata, shape: Shape | None, wishes: Mapping[str, Any]
) -> list[Sort]:
    """Return the sorts that a mix states, divided into strata; ValueError for impossible shares and options."""
    found: list[Sort] = []
    for stated in mix or [{}]:
        own = {**wishes, **stated}
        share = float(own.pop("share", 1.0))
        board = own.pop("shape", None) or shape or Shape.square(9)
        if share <= 0:
            raise ValueError(f"a share of {share:g}: a number above 0 is expected")
        bounds = [{"level" if isinstance(band[0], str) else "rating": band} for band in strata]
        for bound in bounds or [{}]:
            if set(bound) & set(own):
                raise ValueError(f"strata and the option {next(iter(bound))} cannot be combined")
            found.append(Sort(len(found), board, share / max(len(strata), 1), {**own, **bound}))
            _check(found[-1])
    return found


def _check(sort: Sort) -> None:
    """Raise ValueError for an unknown option, like ``generate``, but before anything is made."""
    known = [name for name in signature(generate).parameters if name not in ("n", "shape", "seed")]
    unknown = next((name for name in sort.wishes if name not in known), None)
    if unknown is not None:
        raise ValueError(
            f"{unknown!r} is not an option of generate: one of {', '.join(known)} is expected{meant(unknown, known)}"
        )


def amounts(sorts: Sequence[Sort], total: int) -> list[int]:
    """Divide a number into integers as close as possible to the shares; the same sorts give the same numbers."""
    whole = sum(sort.share for sort in sorts)
    ends = [round(total * sum(sort.share for sort in sorts[: i + 1]) / whole) for i in range(len(sorts))]
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
