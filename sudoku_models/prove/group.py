"""Connected in the formula of a certificate: steps from the first place inside."""

from __future__ import annotations

from ..model import Connected
from .formula_place import Place


def connected(place: Place, c: Connected) -> None:
    """Every place inside is some number of steps from the first place inside.

    A solution extends to the new variables: a place is inside or not; the number for a place inside is the length of
    the shortest path through the group.
    """
    inside = [_inside(place, x, c) for x in c.xs]
    if not place.holds:
        _parted(place, c, inside)
        return
    steps = [[place.formula.fresh() for _ in c.xs] for _ in c.xs]
    for p, own in enumerate(steps):
        place.add(-inside[p], *own)
        for literal in own:
            place.add(-literal, inside[p])
        for q in range(p):
            place.add(-own[0], -inside[q])
        for d in range(1, len(own)):
            place.add(-own[d], *(steps[q][d - 1] for q in c.neighbours[p]))


def _parted(place: Place, c: Connected, inside: list[int]) -> None:
    """Some places are marked: both ends of an edge inside alike; one place inside is marked and one is not."""
    marked, chosen = [], []
    for literal in inside:
        yes, first, second = (place.formula.fresh() for _ in range(3))
        place.add(-first, literal)
        place.add(-first, yes)
        place.add(-second, literal)
        place.add(-second, -yes)
        marked.append(yes)
        chosen.append((first, second))
    place.add(*(first for first, _ in chosen))
    place.add(*(second for _, second in chosen))
    for p, q in c.edges:
        place.add(-inside[p], -inside[q], -marked[p], marked[q])
        place.add(-inside[p], -inside[q], marked[p], -marked[q])


def _inside(place: Place, x: str, c: Connected) -> int:
    """Return a literal for whether a variable has one of the counted values."""
    inside = place.formula.fresh()
    yes = [literal for value, literal in place.digit(x) if value in c.values]
    for literal in yes:
        place.define(-literal, inside)
    place.define(-inside, *yes)
    return inside
