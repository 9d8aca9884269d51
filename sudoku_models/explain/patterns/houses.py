"""Patterns of houses: singles, pointing and claiming, naked and hidden sets, fish, sets around a cell or a crossing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np

from ..atoms import bits, union
from ..explanation import listed
from .board import BOXES, LINES, Board, Found, House, Node, Pattern, State
from .links import almost_locked

SIZES = {2: "pair", 3: "triple", 4: "quad"}
DIRECT = {1: 2.4, 2: 2.4, 3: 2.5}
"""The costs of what leaves a single at once, by the number of values: more than singles, less than other patterns."""
NAKED, HIDDEN = {2: 3.0, 3: 3.6, 4: 5.0}, {2: 3.4, 3: 4.0, 4: 5.4}


def singles(state: State) -> Found:
    """A value with one place in a house, and a cell with one value."""
    board = state.board
    for house in board.houses:
        left = sum(1 for c in bits(house.cells) if c not in state.placed)
        for b in range(board.values) if left else ():
            place = state.places[b] & house.cells
            if place and not place & (place - 1):
                cell = place.bit_length() - 1
                yield hidden_single(board, house, cell, b, state.masks[cell], left == 1)
    for c in state.open:
        if found := naked_single(state, c):
            yield found


def naked_single(state: State, cell: int) -> Pattern | None:
    """Return the pattern of an open cell with one value; None if it has more."""
    mask = state.masks[cell]
    if cell in state.placed or not mask or mask & (mask - 1):
        return None
    node, why = state.cell(cell), "the only value that is left there"
    return Pattern("naked single", 2.3, state.common(node), why, (("single", node),), cells=1 << cell, sets=node)


def hidden_single(board: Board, house: House, cell: int, bit: int, mask: int, last: bool) -> Pattern:
    """Return the pattern of a value with one place in a house; ``last``: no other cell of it is open."""
    name, cost = ("full house", 1.0) if last else ("hidden single", 1.2 if house.kind == "box" else 1.5)
    node = 1 << board.literal(cell, bit)
    why = f"the last cell of {house.title}" if last else f"the only {bit + board.ladder.low} in {house.title}"
    places = ((house.atom, bit),)
    return Pattern(name, cost, board.node(cell, mask) & ~node, why, (("single", node),), places=places, sets=node)


def intersections(state: State) -> Found:
    """The places of a value in a house: what they all exclude falls."""
    for house in state.board.houses:
        for b in range(state.board.values):
            node, out = state.at(b, house.cells), 0
            if node & (node - 1) and (out := state.alike(b, house.cells)) & state.wanted:
                box = house.kind not in ("row", "column")
                name, cost = ("pointing", 2.6) if box else ("claiming", 2.8)
                why = f"in {house.title}, {state.value(b)} is in {state.either(state.places[b] & house.cells)}"
                also = (f"locked candidates, type {1 if box else 2}",)
                parts, then = (("base", node),), left_single(state, out)
                cost, places = DIRECT[1] if then else cost, ((house.atom, b),)
                yield Pattern(name, cost, out, why, parts, places=places, also=also, then=then)


def left_single(state: State, out: Node) -> str:
    """Say which value of some candidates has one place left in a house without these; "" if none has."""
    board = state.board
    for b, cells in enumerate(state.by_value(out)):
        for house in board.in_order if cells else ():
            places = state.places[b] & house.cells
            left = places & ~cells
            if places & cells and left and not left & (left - 1):
                return f"{state.names(left)} is the only place of {state.value(b)} in {house.title}"
    return ""


def sets(state: State, size: int) -> Found:
    """Some cells of a house with as many values, and some values with as many cells there."""
    wanted = state.board.where(state.wanted)
    for house in state.board.houses:
        state.check()
        cells = [c for c in bits(house.cells) if c not in state.placed]
        if len(cells) >= size:
            yield from _naked(state, cells, size)
        if len(cells) > size and wanted & house.cells:
            yield from _hidden(state, house, size)


def _naked(state: State, cells: list[int], size: int) -> Found:
    for some in combinations([c for c in cells if 1 < state.masks[c].bit_count() <= size], size):
        values = state.union(some)
        if values.bit_count() != size:
            continue
        inside = sum(1 << c for c in some)
        out = union(state.common(state.at(b, inside)) for b in bits(values))
        if out & state.wanted:
            hit = sum(bool(state.board.where(out) & house.cells) for house in state.board.houses_of(inside))
            locked = hit > 1 and size < 4
            name, also = f"naked {SIZES[size]}", (f"naked {SIZES[size]}",) if locked else ()
            why = "{} have only {}".format(*state.both(inside, values))
            cost, parts = NAKED[size] - 0.1 * locked, (("set", state.all_of(inside)),)
            yield Pattern(f"locked {SIZES[size]}" if locked else name, cost, out, why, parts, cells=inside, also=also)


def _hidden(state: State, house: House, size: int) -> Found:
    few = [b for b in range(state.board.values) if 1 < (state.places[b] & house.cells).bit_count() <= size]
    for some in combinations(few, size):
        where = union(state.places[b] & house.cells for b in some)
        if where.bit_count() == size:
            keep = sum(state.at(b, where) for b in some)
            if (out := state.all_of(where) & ~keep) & state.wanted:
                cells, values = state.both(where, sum(1 << b for b in some))
                why = f"in {house.title}, {values} are only in {cells}"
                places, then = tuple((house.atom, b) for b in some), left_single(state, out)
                cost, parts = DIRECT.get(size, HIDDEN[size]) if then else HIDDEN[size], (("set", keep),)
                yield Pattern(f"hidden {SIZES[size]}", cost, out, why, parts, places=places, then=then)


# ----------------------------------------------------------------------------
# Fish: some houses, the bases, whose places of a value lie in as many others, the covers, but for fins.


NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
COST = {2: 3.2, 3: 3.8, 4: 5.2}
SHAPES = {"": 0.0, "Franken ": 4.0, "mutant ": 5.2}
"""What is added to the cost if a base or a cover is a box, or if rows and columns are on the same side."""


Covered = tuple[tuple[int, ...], int, int]
"""The covers of a fish, its fins, and what falls."""


@dataclass(frozen=True)
class Bases:
    """The bases of a fish for one value: ``once`` are their places, ``fins`` those that lie in two of them."""

    bit: int
    houses: tuple[int, ...]
    once: int
    fins: int
    reach: int


def fish(state: State, size: int, fins: int = 0, shape: str = "") -> Found:
    """Yield fish: what is in a cover, in no base, and sees every fin falls.

    If it were true, ``size`` bases would have to find their places in ``size - 1`` covers. A place in two bases counts
    as a fin. ``shape``: only Franken fish, with a box among bases or covers, or only mutant ones, with rows and columns
    among the bases or among the covers. Two fish of the same bases make a Siamese one.
    """
    kind = {name: [i for i, h in enumerate(state.board.houses) if h.kind == name] for name in LINES}
    box = [i for i, h in enumerate(state.board.houses) if h.kind in BOXES] if shape else []
    every = [*kind["row"], *kind["column"], *box]
    ways = [(kind[lines] + box, kind[across] + box) for lines, across in (LINES, LINES[::-1])]
    for bases, covers in [(every, every)] if shape == "mutant " else ways:
        yield from state.of_values(_of_value, tuple(bases), tuple(covers), size, fins, shape)


def _of_value(
    state: State, bit: int, bases: Sequence[int], covers: Sequence[int], size: int, fins: int, shape: str
) -> Found:
    live = [i for i in bases if (state.places[bit] & state.board.houses[i].cells).bit_count() > 1]
    able = _able(state, bit, live, covers, size) if shape else combinations(live, size)
    for base in _bases(state, bit, able, 2 if fins else 0):
        found = [
            (cover, fin, out)
            for cover, fin, out in _covered(state, base, covers, fins)
            if _shape(state, base, cover) == shape and (shape or bool(fin) == bool(fins))
        ]
        yield from (_named(state, base, shape, (one,)) for one in found)
        finned = combinations([one for one in found if one[1]], 2)
        yield from (_named(state, base, shape, (a, b)) for a, b in finned if a[2] & ~b[2] and b[2] & ~a[2])


def _shape(state: State, base: Bases, cover: tuple[int, ...]) -> str:
    """Return the shape of a fish, by the kinds of its bases and covers."""
    kinds = [{state.board.houses[i].kind for i in side} for side in (base.houses, cover)]
    if any(kind.issuperset(LINES) for kind in kinds):
        return "mutant "
    return "Franken " if any(kind - set(LINES) for kind in kinds) else ""


def _able(state: State, bit: int, bases: Sequence[int], covers: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return the choices of bases that may make a fish: if what falls were true, ``size - 1`` covers would hold them.

    This is tried for each place and all covers at once; the places of the value are the bits of a word.
    """
    board, places = state.board, list(bits(state.places[bit]))
    fallen = [c for c in places if state.wanted >> board.literal(c, bit) & 1]
    possible = [i for i in covers if state.places[bit] & board.houses[i].cells]
    if len(bases) < size or len(possible) < size or not fallen or len(places) > 64:
        return list(combinations(bases, size))

    def word(cells: int) -> int:
        return sum(1 << i for i, c in enumerate(places) if cells >> c & 1)

    seen = np.array([word(board.peers[c]) for c in fallen], np.uint64)
    own = np.array([word(1 << c) for c in fallen], np.uint64)
    houses = np.array([word(house.cells) for house in board.houses], np.uint64)
    base, cover = np.array(bases), np.array(list(combinations(possible, size - 1)))
    left = np.where(houses[base, None] & own, ~np.uint64(0), houses[base, None] & ~seen)
    held = left[:, :, None] & ~np.bitwise_or.reduce(houses[cover], axis=1) == 0
    held &= (base[:, None, None] != cover).all(axis=2)[:, None]
    able = held[:, held.sum(axis=0, dtype=np.uint8) >= size].T
    rows = np.unique(np.packbits(able, axis=1), axis=0)
    found = {some for row in rows for some in combinations(np.flatnonzero(np.unpackbits(row)).tolist(), size)}
    return [tuple(bases[i] for i in some) for some in sorted(found)]


def _bases(state: State, bit: int, choices: Iterable[tuple[int, ...]], shared: int) -> Iterator[Bases]:
    """Yield choices of bases with at most ``shared`` places in two of them; these see what may fall."""
    board, places = state.board, state.places[bit]
    wanted = state.wanted >> bit * board.cells & places
    for some in choices:
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


def _covered(state: State, base: Bases, covers: Sequence[int], most: int) -> Iterator[Covered]:
    """Yield covers with the fins that they leave and what falls: each place is covered, or made a fin.

    A house with a fin is no cover, so what falls lies in the others (``free``).
    """
    inside, peers, size = [house.cells for house in state.board.houses], state.board.peers, len(base.houses)
    wanted = state.wanted >> base.bit * state.board.cells & state.places[base.bit]

    def search(rest: int, chosen: tuple[int, ...], free: list[int], fins: int, reach: int) -> Iterator[Covered]:
        if not rest:
            for i in free if len(chosen) == size - 1 and fins else ():  # the last cover holds no place of a base
                if inside[i] & reach & wanted:
                    yield (*chosen, i), fins, reach & _union(state, (*chosen, i))
            if len(chosen) == size and (out := reach & _union(state, chosen)) & wanted:
                yield chosen, fins, out
            return
        spare = most - (fins & ~base.fins).bit_count()
        held = sorted([(inside[i] & rest).bit_count() for i in free])
        if sum(held[len(chosen) - size :] if len(chosen) < size else ()) + spare < rest.bit_count():
            return  # more places than the covers and fins that are left can take
        low = rest & -rest
        for i in free if len(chosen) < size else ():
            if inside[i] & low:
                others = [j for j in free if j != i]
                yield from search(rest & ~inside[i], (*chosen, i), others, fins, reach)
        if spare > 0:
            left = [i for i in free if not inside[i] & low]
            seen = reach & peers[low.bit_length() - 1]
            if seen & wanted and seen & wanted & _union(state, (*chosen, *left)):
                yield from search(rest & ~low, chosen, left, fins | low, seen)

    every = [i for i in covers if i not in base.houses]
    yield from search(base.once & ~base.fins, (), every, base.fins, base.reach)


def _union(state: State, houses: tuple[int, ...]) -> int:
    return union(state.board.houses[i].cells for i in houses)


def _named(state: State, base: Bases, shape: str, found: tuple[Covered, ...]) -> Pattern:
    """Return a fish, or two of the same bases together."""
    board, size = state.board, len(base.houses)
    fin, out = union(one[1] for one in found), union(one[2] for one in found)
    thin = any((board.houses[i].cells & base.once & ~one[1]).bit_count() < 2 for i in base.houses for one in found)
    fins = "" if not fin else "sashimi " if thin and not shape else "finned "
    cost = COST[size] + SHAPES[shape] + (0.4 if fin else 0) + (0.5 if fins == "sashimi " else 0)
    cost += 0.2 * (len(found) - 1)
    said = [f"{_titles(state, one[0])}{_fins(state, one[1])}" for one in found]
    why = f"the places of {state.value(base.bit)} in {_titles(state, base.houses)} are in {', and in '.join(said)}"
    parts = tuple(
        (role, state.at(base.bit, cells)) for role, cells in (("base", base.once & ~fin), ("fin", fin)) if cells
    )
    places = tuple((board.houses[i].atom, base.bit) for i in base.houses)
    atoms = tuple(dict.fromkeys(board.houses[i].atom for one in found for i in one[0]))
    name = f"{'Siamese ' if len(found) > 1 else ''}{fins}{shape}{NAMES[size]}"
    return Pattern(name, round(cost, 1), state.at(base.bit, out), why, parts, places=places, atoms=atoms)


def _fins(state: State, cells: int) -> str:
    return f" but for the fin{'s' if cells & (cells - 1) else ''} {state.names(cells)}" if cells else ""


def _titles(state: State, houses: tuple[int, ...]) -> str:
    """Name houses: rows 2 and 7, box 3 and column 4."""
    said, every = list[str](), [state.board.houses[i] for i in sorted(houses)]
    for kind, some in groupby(every, key=lambda house: house.kind):
        titles = [house.title for house in some]
        if len(titles) > 1:  # those of rules have a kind each
            several = f"{kind}{'es' if kind.endswith('x') else 's'}"
            titles = [f"{several} {listed(title.rpartition(' ')[2] for title in titles)}"]
        said += titles
    return listed(said)


# ----------------------------------------------------------------------------
# Almost locked sets around a cell or a crossing: wings, death blossoms, Sue de Coq.


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
            unseen = {b: ~state.seen(state.board.literal(stem, b)) for b in bits(mask)}
            for z in range(state.board.values):
                if not state.wanted & state.at(z, -1):
                    continue
                ways = [
                    [cells for lost, cells in petals[b, z] if not lost & unseen[b] and not cells >> stem & 1]
                    for b in bits(mask & ~(1 << z))
                ]
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
    own = f"{state.names(1 << stem)} is {state.value(z)}, or " if mask >> z & 1 else ""
    tips: dict[str, list[int]] = {}
    for b, cells in zip(bits(mask & ~(1 << z)), petals, strict=True):
        tips.setdefault(_tip(state, z, cells), []).append(state.value(b))
    if_so = [f"is {listed(values, 'or')}, {tip}" for tip, values in tips.items()]
    why = f"{own}if {'it' if own else state.names(1 << stem)} {'; if it '.join(if_so)}"
    roles = [("pincer" if simple else "petal", state.all_of(cells)) for cells in petals]
    lines = tuple((state.cell(stem) & ~node, state.at(z, cells), "weak") for cells in petals)
    cells = union((1 << stem, *petals))
    return Pattern(name, cost, out, why, (("pivot", state.cell(stem)), *roles), lines, cells=cells)


def _tip(state: State, bit: int, petal: int) -> str:
    """Say where a petal has a value."""
    cells = state.places[bit] & petal
    alone = not cells & (cells - 1)
    value, of = state.value(bit), f" of {state.names(petal)}" if petal & (petal - 1) else ""
    return f"{state.names(cells)} is {value}" if alone and not of else f"{value} is in {state.either(cells)}{of}"


Cells = tuple[int, int]
"""Some cells, and their values."""


def sue_de_coq(state: State) -> Found:
    """Yield cells where a box and a line cross, of the rest of the line and of the box, with as many values as cells.

    The places of each value see one another, so each value is there exactly once, and what excludes all places falls.
    """
    live, wanted = sum(1 << c for c in state.open), state.board.where(state.wanted)
    kept = state.board.kept
    for box in (house for house in state.board.houses if house.kind in BOXES):
        state.check()
        for line in state.board.houses:
            useful = wanted & (box.cells | line.cells)
            if line.kind in LINES and useful and (box.cells & line.cells & live).bit_count() > 1:
                key = box.atom, line.atom, *((c, state.masks[c]) for c in bits((box.cells | line.cells) & live))
                if key not in kept:
                    kept[key] = tuple(_crossing(state, box, line, live))
                yield from filter(None, (_confined(state, box, line, *found) for found in kept[key]))


def _crossing(state: State, box: House, line: House, live: int) -> Iterator[tuple[Cells, Cells, Cells]]:
    """Yield cells of the crossing, of the rest of the line, and of the box, with as many values as cells together."""
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
                    if not some[1] & other[1]:
                        yield core, some, other


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
    names = [f"{state.names(cells)} ({state.values(values)})" for cells, values in (core, some, other)]
    why = f"{names[0]} with {names[1]} in {line.title} and {names[2]} in {box.title} have as many values as cells"
    roles = (("base", core), ("other side", some), ("third side", other))
    parts = tuple((role, state.all_of(cells)) for role, (cells, _) in roles)
    cost = round(5.0 + 0.1 * (every.bit_count() - 4), 1)
    return Pattern("Sue de Coq", cost, out, why, parts, cells=every, also=("ALS-XZ, doubly linked",))
