"""Patterns of almost locked sets around a cell or a crossing: wings, death blossoms, Sue de Coq."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ..atoms import bits, union
from .board import LINES, Found, House, Node, Pattern, State
from .links import almost_locked

WINGS = {(2, False): ("XY-wing", 4.2), (3, True): ("XYZ-wing", 4.4), (4, True): ("WXYZ-wing", 4.6)}
"""The names of patterns whose petals are single cells, by the values of the stem and whether it has the common one."""


def blossoms(state: State, most: int) -> Found:
    """Yield a stem cell, and for each of its values but z a petal, which holds z if the stem has that value.

    A petal is an almost locked set with both values, in which the stem sees all places of its own. Whatever the stem
    has, z is in a petal, or in the stem itself, and what all these exclude falls. Petals of one cell make wings.
    """
    petals: dict[tuple[int, int], list[tuple[Node, int]]] = defaultdict(list)
    for cells, values in almost_locked(state, most):
        for b in bits(values):
            for z in bits(values & ~(1 << b)):
                petals[b, z].append((state.at(b, cells), cells))
    for stem in state.open:
        state.check()
        mask = state.masks[stem]
        if 2 <= mask.bit_count() <= (4 if most == 1 else 5):
            for z in range(state.board.values):
                if not state.wanted & state.at(z, -1):
                    continue
                ways = [
                    [cells for lost, cells in petals[b, z] if not lost & ~state.seen(state.board.literal(stem, b))]
                    for b in bits(mask & ~(1 << z))
                ]
                ways = [[cells for cells in way if not cells >> stem & 1] for way in ways]
                if len(ways) > 1 and all(ways):
                    yield from _blossoms(state, stem, z, ways)


def _blossoms(state: State, stem: int, z: int, ways: list[list[int]]) -> Found:
    start = state.at(z, 1 << stem)
    first = state.common(start) if start else state.at(z, -1)
    waiting: list[tuple[Node, int, tuple[int, ...]]] = [(start, first, ())]
    while waiting:
        node, out, chosen = waiting.pop()
        if len(chosen) < len(ways):
            for cells in ways[len(chosen)]:
                more = state.at(z, cells)
                if (left := out & state.common(more)) & state.wanted:
                    waiting.append((node | more, left, (*chosen, cells)))
        elif found := _blossom(state, stem, z, node, out, chosen):
            yield found


def _blossom(state: State, stem: int, z: int, node: Node, out: int, petals: tuple[int, ...]) -> Pattern | None:
    mask = state.masks[stem]
    simple = all(not cells & (cells - 1) for cells in petals)
    name, cost = "death blossom", round(6.2 + 0.1 * sum(cells.bit_count() for cells in petals), 1)
    if simple:
        name, cost = WINGS.get((mask.bit_count(), bool(mask >> z & 1)), ("death blossom", 6.3))
    elif mask.bit_count() == 2:
        return None  # an ALS-XY-wing
    where = state.names(node >> z * state.board.cells)
    why = f"whichever of {state.values(mask)} {state.names(1 << stem)} is, {state.value(z)} is in one of {where}"
    roles = [("pincer" if simple else "petal", state.all_of(cells)) for cells in petals]
    lines = tuple((state.cell(stem) & ~node, state.at(z, cells), "weak") for cells in petals)
    cells = union((1 << stem, *petals))
    return Pattern(name, cost, out, why, (("pivot", state.cell(stem)), *roles), lines, cells=cells)


Cells = tuple[int, int]
"""Some cells, and their values."""


def sue_de_coq(state: State) -> Found:
    """Yield cells where a box and a line cross, of the rest of the line and of the box, with as many values as cells.

    The places of each value see one another, so each value is there exactly once, and what excludes all places falls.
    """
    live = sum(1 << c for c in state.open)
    boxes = [house for house in state.board.houses if house.kind not in LINES]
    for box in boxes:
        state.check()
        for line in state.board.houses:
            if line.kind in LINES and (box.cells & line.cells & live).bit_count() > 1:
                yield from _crossing(state, box, line, live)


def _crossing(state: State, box: House, line: House, live: int) -> Found:
    middle = list(_choices(state, box.cells & line.cells & live))
    cores = [x for x in middle if x[0].bit_count() > 1 and x[1].bit_count() >= x[0].bit_count() + 2]
    if not cores:
        return
    along = list(_choices(state, line.cells & ~box.cells & live))
    inside = list(_choices(state, box.cells & ~line.cells & live))
    for core in cores:
        spare = core[1].bit_count() - core[0].bit_count()
        room: dict[int, list[Cells]] = defaultdict(list)
        for some in inside:
            if some[1] & core[1]:
                room[_gain(some, core)].append(some)
        for some in along:
            gain = _gain(some, core)
            if 0 < gain < spare and some[1] & core[1]:
                for other in room[spare - gain]:
                    if not some[1] & other[1] and (found := _confined(state, box, line, core, some, other)):
                        yield found


def _choices(state: State, cells: int) -> Iterator[Cells]:
    few = [c for c in bits(cells) if state.masks[c].bit_count() > 1]
    for k in range(1, 5):
        for some in combinations(few, k):
            yield sum(1 << c for c in some), state.union(some)


def _gain(some: Cells, core: Cells) -> int:
    """Return how many more cells than values of its own a choice has."""
    return some[0].bit_count() - (some[1] & ~core[1]).bit_count()


def _confined(state: State, box: House, line: House, core: Cells, some: Cells, other: Cells) -> Pattern | None:
    every = core[0] | some[0] | other[0]
    out = union(state.common(state.at(b, every)) for b in bits(core[1] | some[1] | other[1]))
    if not out & state.wanted:
        return None
    names = [state.names(cells) for cells, _ in (core, some, other)]
    why = f"{names[0]} with {names[1]} in {line.title} and {names[2]} in {box.title} have as many values as cells"
    roles = (("base", core), ("one side", some), ("other side", other))
    parts = tuple((role, state.all_of(cells)) for role, (cells, _) in roles)
    cost = round(5.0 + 0.1 * (every.bit_count() - 4), 1)
    return Pattern("Sue de Coq", cost, out, why, parts, cells=every, also=("ALS-XZ, doubly linked",))
