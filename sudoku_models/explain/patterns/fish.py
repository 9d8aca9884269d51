"""Fish: some houses, the bases, whose places of a value lie in as many others, the covers, but for fins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ..atoms import bits
from .board import LINES, Found, Pattern, State

NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
COST = {2: 3.2, 3: 3.8, 4: 5.2}
WITH_BOXES = 3.4
"""What is added to the cost if a base or a cover is a box."""


@dataclass(frozen=True)
class Bases:
    """The bases of a fish for one value: ``once`` are their places, ``fins`` those that lie in two of them."""

    bit: int
    houses: tuple[int, ...]
    once: int
    fins: int
    reach: int


def fish(state: State, size: int, fins: int = 0, boxes: bool = False) -> Found:
    """Yield fish: what is in a cover, in no base, and sees every fin falls.

    If it were true, ``size`` bases would have to find their places in ``size - 1`` covers. A place in two bases counts
    as a fin. ``boxes``: at least one base or cover is a box (a Franken fish).
    """
    kind = {name: [i for i, h in enumerate(state.board.houses) if h.kind == name] for name in LINES}
    box = [i for i, h in enumerate(state.board.houses) if h.kind not in LINES] if boxes else []
    for lines, across in (LINES, LINES[::-1]):
        bases, covers = kind[lines] + box, kind[across] + box
        for b in range(state.board.values):
            state.check()
            for base in _bases(state, b, bases, size, 2 if fins else 0):
                for cover, fin, out in _covered(state, base, covers, fins):
                    pattern = _named(state, base, cover, fin, out)
                    if boxes == ("Franken" in pattern.name) and (boxes or bool(fin) == bool(fins)):
                        yield pattern


def _bases(state: State, bit: int, houses: list[int], size: int, shared: int) -> Iterator[Bases]:
    """Yield choices of bases with at most ``shared`` places in two of them; these see what may fall."""
    board, places = state.board, state.places[bit]
    wanted = state.wanted >> bit * board.cells & places
    for some in combinations([i for i in houses if (places & board.houses[i].cells).bit_count() > 1], size):
        once = twice = 0
        for i in some:
            twice |= once & board.houses[i].cells
            once |= board.houses[i].cells
        reach, twice = places & ~once, twice & places
        if twice.bit_count() <= shared:
            for c in bits(twice):
                reach &= board.peers[c]
            if reach & wanted:
                yield Bases(bit, some, once & places, twice, reach)


def _covered(state: State, base: Bases, covers: list[int], most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield covers with the fins that they leave and what falls: each place is covered, or made a fin.

    A house with a fin is no cover, so what falls lies in the others (``free``).
    """
    houses, peers, size = state.board.houses, state.board.peers, len(base.houses)
    wanted = state.wanted >> base.bit * state.board.cells & state.places[base.bit]

    def search(
        rest: int, chosen: tuple[int, ...], free: list[int], fins: int, reach: int
    ) -> Iterator[tuple[tuple[int, ...], int, int]]:
        if not rest:
            for i in free if len(chosen) == size - 1 and fins else ():  # the last cover holds no place of a base
                if houses[i].cells & reach & wanted:
                    yield (*chosen, i), fins, reach & _union(state, (*chosen, i))
            if len(chosen) == size and (out := reach & _union(state, chosen)) & wanted:
                yield chosen, fins, out
            return
        low = rest & -rest
        for i in free if len(chosen) < size else ():
            if houses[i].cells & low:
                others = [j for j in free if j != i]
                yield from search(rest & ~houses[i].cells, (*chosen, i), others, fins, reach)
        if (fins & ~base.fins).bit_count() < most:
            left = [i for i in free if not houses[i].cells & low]
            seen = reach & peers[low.bit_length() - 1]
            if seen & wanted and seen & wanted & _union(state, (*chosen, *left)):
                yield from search(rest & ~low, chosen, left, fins | low, seen)

    every = [i for i in covers if i not in base.houses]
    yield from search(base.once & ~base.fins, (), every, base.fins, base.reach)


def _union(state: State, houses: tuple[int, ...]) -> int:
    found = 0
    for i in houses:
        found |= state.board.houses[i].cells
    return found


def _named(state: State, base: Bases, cover: tuple[int, ...], fin: int, out: int) -> Pattern:
    board, size = state.board, len(base.houses)
    kinds = [{board.houses[i].kind for i in side} for side in (base.houses, cover)]
    shape = "Franken " if any(kind - set(LINES) for kind in kinds) else ""
    thin = any((board.houses[i].cells & base.once & ~fin).bit_count() < 2 for i in base.houses)
    fins = "" if not fin else "sashimi " if thin and not shape else "finned "
    cost = COST[size] + (WITH_BOXES if shape else 0) + (0.4 if fin else 0) + (0.5 if fins == "sashimi " else 0)
    titles = [", ".join(board.houses[i].title for i in side) for side in (base.houses, cover)]
    most = f" but for {state.names(fin)}" if fin else ""
    why = f"the places of {state.value(base.bit)} in {titles[0]} are in {titles[1]}{most}"
    parts = tuple(
        (role, state.at(base.bit, cells)) for role, cells in (("base", base.once & ~fin), ("fin", fin)) if cells
    )
    places = tuple((board.houses[i].atom, base.bit) for i in base.houses)
    atoms = tuple(board.houses[i].atom for i in cover)
    name = f"{fins}{shape}{NAMES[size]}"
    return Pattern(name, round(cost, 1), state.at(base.bit, out), why, parts, places=places, atoms=atoms)
