"""Sums that houses and cages imply together: of the cells that the cages leave of a house, and of those that stick out.

Players call them innies and outies. They serve hints alone: no level needs them, so ratings do not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from ..model import Constraint, Linear
from .explanation import as_run

MOST_LEFT = 3
"""The most cells whose sum is told."""

MOST_HOUSES = 3
"""The most neighbouring houses that are taken together."""


@dataclass(frozen=True)
class Region:
    """A house, or neighbouring ones: each value of ``total`` is in it, so its sum is known."""

    label: str
    cells: frozenset[str]
    total: int
    stated: tuple[Constraint, ...]


@dataclass(frozen=True)
class RegionSum:
    """The ``sum`` of some cells, which follows from what is ``stated``; ``technique`` is what players call it."""

    technique: str
    label: str
    sum: Linear
    stated: tuple[Constraint, ...]


def region_sums(houses: Sequence[Region], constraints: Iterable[Constraint]) -> Iterator[RegionSum]:
    """Yield the sums of at most ``MOST_LEFT`` cells that follow from houses and from sums among the constraints."""
    cages = [c for c in constraints if isinstance(c, Linear) and c.op == "==" and {*c.coeffs} == {1}]
    found: list[Set[str]] = []
    for region in _together(houses):
        for technique, cells, total, used in _around(region, cages):
            if 0 < len(cells) <= MOST_LEFT and not any(other <= cells for other in found):
                found.append(cells)
                xs, caged = sorted(cells), sum(cage.k for cage in used)
                its, it = ("its", "it") if region in houses else ("their", "them")
                what, known = f"{region.label} without {its} cages", f"{region.total} - {caged}"
                if technique == "outies":
                    what, known = f"the cages of {region.label} outside {it}", f"{caged} - {region.total}"
                label = f"{what} ({' '.join(xs)}: {known.replace('- -', '+ ')} = {total})"
                yield RegionSum(technique, label, Linear([1] * len(xs), xs, "==", total), (*region.stated, *used))


def _around(region: Region, cages: Iterable[Linear]) -> Iterator[tuple[str, Set[str], int, list[Linear]]]:
    """Yield the cells that cages inside of a region leave, and those that cages which cover it have outside."""
    inside, covering = list[Linear](), list[Linear]()
    taken, covered = set[str](), set[str]()
    for cage in cages:
        cells = {*cage.xs}
        if cells <= region.cells and taken.isdisjoint(cells):
            inside.append(cage)
            taken |= cells
        if not region.cells.isdisjoint(cells) and covered.isdisjoint(cells):
            covering.append(cage)
            covered |= cells
    if inside:
        yield "innies", region.cells - taken, region.total - sum(cage.k for cage in inside), inside
    if covered > region.cells:
        yield "outies", covered - region.cells, sum(cage.k for cage in covering) - region.total, covering


def _together(houses: Sequence[Region]) -> Iterator[Region]:
    """Yield each house, then neighbouring houses of one kind together."""
    yield from houses
    for number in range(2, MOST_HOUSES + 1):
        for some in zip(*(houses[i:] for i in range(number)), strict=False):
            kinds = {house.label.rpartition(" ")[0] for house in some}
            cells = frozenset().union(*(house.cells for house in some))
            if len(kinds) == 1 and len(cells) == sum(len(house.cells) for house in some):  # no cell in two of them
                stated = tuple(c for house in some for c in house.stated)
                yield Region(as_run([house.label for house in some]), cells, sum(house.total for house in some), stated)
