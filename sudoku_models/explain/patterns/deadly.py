"""Deadly patterns: cells that could exchange two values unnoticed, so that in a puzzle with one solution they do not.

Which rectangles and loops no constraint notices is asked of the problem itself (``explain.uniqueness``), so rules may
apply to their cells. One of the *guards*, the other candidates of the cells, is true. All patterns have the same types,
by where the guards are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ..atoms import bits, union
from ..explanation import listed
from ..uniqueness import GRAVE, RECTANGLE, Assumption
from .board import Found, Node, Pattern, State


@dataclass(frozen=True)
class Deadly:
    """Cells with two deadly values each, and the guards; ``roof`` are the cells with guards, ``atom`` forbids it all.

    A rectangle has its corners in the order round it.
    """

    name: str
    atom: int
    cells: tuple[int, ...]
    pairs: Mapping[int, int]
    guards: Node
    roof: tuple[int, ...]

    @property
    def is_diagonal(self) -> bool:
        """Return whether the guards are in two opposite corners."""
        places = [self.cells.index(c) for c in self.roof]
        return self.name == RECTANGLE and len(places) == 2 and (places[0] - places[1]) % 2 == 0

    @property
    def cost(self) -> float:
        """The cost of its simplest type that needs more than the pattern itself."""
        return 5.7 if self.name == GRAVE else 4.5 + 0.1 * min(3, len(self.cells) // 2 - 2)


def uniqueness(state: State) -> Found:
    """Yield what rectangles, loops, and the grave of all open cells remove if there is one solution."""
    state.board.ladder.assumed(state.masks, state.with_loops)
    for number, atom in enumerate(state.board.ladder.atoms):
        if isinstance(atom.part, Assumption):
            for deadly in (_of_pairs if atom.part.cells else _rectangles)(state, number, atom.cells, atom.part):
                yield from _types(state, deadly)


def _of_pairs(state: State, number: int, cells: tuple[int, ...], found: Assumption) -> Iterator[Deadly]:
    """Yield a loop or a grave if all its cells are open, with what else they may be."""
    if state.placed.isdisjoint(cells):
        ladder = state.board.ladder
        pairs = {c: state.masks[c] & ladder.mask(found.cells[ladder.names[c]]) for c in cells}
        spare = {c: state.masks[c] & ~mask for c, mask in pairs.items()}
        guards = sum(state.board.node(c, mask) for c, mask in spare.items())
        if guards:
            yield Deadly(found.name, number, cells, pairs, guards, tuple(c for c, mask in spare.items() if mask))


def _rectangles(state: State, number: int, cells: tuple[int, ...], found: Assumption) -> Iterator[Deadly]:
    """Yield the pairs of values that four corners must not have crosswise."""
    a, b, d, c = cells  # in reading order
    corners = a, b, c, d
    free = [x for x in corners if x not in state.placed]
    if len(free) == 4:
        pairs = {state.masks[x] for x in corners if state.masks[x].bit_count() == 2}
    elif free:
        done = [x for x in corners if x in state.placed]
        pairs = {state.union(done) | 1 << v for v in bits(state.union(free))}
    else:
        return
    for pair in sorted(pairs):
        if tuple(map(state.value, bits(pair))) in found.crosswise:
            name = RECTANGLE if len(free) == 4 else "avoidable rectangle"
            if made := _guarded(state, name, number, corners, pair):
                yield made


def _guarded(state: State, name: str, number: int, corners: tuple[int, ...], pair: int) -> Deadly | None:
    """Return a rectangle with its guards, if the corners can have the pair crosswise.

    If none of them is filled in, they might have it in both ways: the guards are what neither way has.
    """
    ways = [tuple(1 << b for b in bits(pair)) * 2, tuple(1 << b for b in bits(pair))[::-1] * 2]
    able = [way for way in ways if all(state.masks[c] & v for c, v in zip(corners, way, strict=True))]
    if not able or (len(able) > 1 and name.startswith("avoidable")):
        return None
    keep = [pair] * 4 if name == RECTANGLE else list(able[0])
    masks = [state.masks[c] & ~v if c not in state.placed else 0 for c, v in zip(corners, keep, strict=True)]
    guards = sum(1 << state.board.literal(c, b) for c, mask in zip(corners, masks, strict=True) for b in bits(mask))
    roof = tuple(c for c, mask in zip(corners, masks, strict=True) if mask)
    return Deadly(name, number, corners, dict.fromkeys(corners, pair), guards, roof) if guards else None


def _pattern(
    state: State, found: Deadly, kind: str, cost: float, out: int, why: str, more: int = 0, **given: object
) -> Pattern:
    every = sum(1 << c for c in found.cells)
    open_cells = sum(1 << c for c in found.cells if c not in state.placed)
    values = listed(state.value(b) for b in bits(union(found.pairs.values())))
    said = why.format(f"{values} could change places in {state.names(every)}")
    if found.name == GRAVE:
        said = f"otherwise all {len(state.open)} open cells would have two values that could be exchanged"
        said += f", so one of these is true: {state.say(found.guards)}" if kind in "23" else ""
    parts = (
        ("corners", state.all_of(open_cells) & ~found.guards),
        ("guards", found.guards),
        ("set", state.all_of(more)),
    )
    name, also = f"{found.name}, type {kind}", tuple[str, ...]()
    if kind == "hidden":
        name = "hidden rectangle"
    elif kind in ("4", "6") and found.name == RECTANGLE:
        also = ("hidden rectangle",)
    elif found.name == GRAVE:
        name, also = (f"BUG+{len(found.roof)}", (name,)) if kind in "12" else (name, (f"BUG+{len(found.roof)}",))
    shown = tuple(part for part in parts if part[1])
    cells, atoms = every | more, (found.atom,)
    cost = round(cost, 1)
    return Pattern(name, cost, out, said, shown, cells=cells, atoms=atoms, also=also, assumes=True, **given)  # type: ignore[arg-type]


def _types(state: State, found: Deadly) -> Found:
    """Yield what falls by a deadly pattern: its types by where the guards are."""
    wrong = listed(sorted({state.value(x // state.board.cells) for x in bits(found.guards)}), "or")
    prevented = f"{{}}, unless {state.either(state.board.where(found.guards))} is {wrong}"
    if len(found.roof) == 1:
        cell = found.roof[0]
        cost = found.cost - 0.1 * (found.name == GRAVE)
        values = listed(map(state.value, bits(found.pairs[cell] & state.masks[cell])), "or")
        why = f"if {state.names(1 << cell)} were {values}, {{}}"
        yield _pattern(state, found, "1", cost, state.cell(cell) & ~found.guards, why)
        return
    if out := state.common(found.guards):
        wide = found.is_diagonal or (len(found.cells) == 4 and len(found.roof) > 2)
        yield _pattern(state, found, "5" if wide else "2", found.cost + 0.1 * wide, out, prevented)
    if len(found.roof) == 2:
        yield from _with_set(state, found, prevented)
    if len(found.roof) == 2 or found.name == RECTANGLE:
        yield from _forcing(state, found)


def _with_set(state: State, found: Deadly, prevented: str) -> Found:
    """Yield type 3: the guards of two cells, as one cell, make a naked set with other cells of a house."""
    cells, board = sum(1 << c for c in found.roof), state.board
    values = sum(1 << b for b in {x // board.cells for x in bits(found.guards)})
    for house in board.houses_of(cells) if not values & union(found.pairs[c] for c in found.roof) else ():
        others = [c for c in bits(house.cells & ~cells) if c not in state.placed]
        for k in (1, 2, 3):
            for some in combinations(others, k):
                held = values | state.union(some)
                more = sum(1 << c for c in some)
                locked = bits(held if held.bit_count() == k + 1 else 0)
                guarded = ((at, (state.at(b, more) | found.guards) & at) for b in locked for at in [state.at(b, -1)])
                if out := union(state.common(node) & at for at, node in guarded):
                    why = f"{prevented}; with {state.names(more)}, these make a naked set"
                    yield _pattern(state, found, "3", found.cost + 0.1 * k, out, why, more)


def _forcing(state: State, found: Deadly) -> Found:
    """Yield types 4 and 6, and hidden rectangles: a value of a cell that would force the deadly values on the others.

    Of type 4, one deadly value has no place but the two cells with guards in a house of both.
    """
    joined = {h.atom for h in state.board.houses_of(sum(1 << c for c in found.roof))}
    for cell in found.cells if found.name == RECTANGLE else found.roof:
        for v in bits(found.pairs[cell] & state.masks[cell]):
            places = _forced(state, found, cell, v)
            if places is None:
                continue
            out, kind, cost = state.at(v, 1 << cell), "hidden", 4.7
            if len(found.roof) == 2 and cell in found.roof and (found.is_diagonal or joined & {a for a, _ in places}):
                kind, cost = ("6", 4.6) if found.is_diagonal else ("4", found.cost)
                other = next(c for c in found.roof if c != cell)
                more = _forced(state, found, other, v) if state.masks[other] >> v & 1 else None
                out |= 0 if more is None else state.at(v, 1 << other)
                places += more or ()
            if kind != "hidden" or found.name == RECTANGLE:
                houses = listed(state.board.ladder.atoms[a].label for a in sorted({a for a, _ in places}))
                values = listed(sorted({state.value(b) for _, b in places}), "or")
                only = f", because there is no other place of {values} in {houses}" if places else ""
                why = f"if {state.names(1 << cell)} were {state.value(v)}, {{}}{only}"
                yield _pattern(state, found, kind, cost, out, why, places=places)


def _forced(state: State, found: Deadly, start: int, bit: int) -> tuple[tuple[int, int], ...] | None:
    """Return the places by which a value in one cell forces the deadly values on all others; None if it does not."""
    board, pairs = state.board, found.pairs
    known, places, waiting = {start: 1 << bit}, list[tuple[int, int]](), [start]
    while waiting:
        c = waiting.pop()
        other = pairs[c] & ~known[c]
        for d in (d for d in found.cells if d not in known and board.peers[c] >> d & 1):
            both = 1 << c | 1 << d
            b = other.bit_length() - 1
            only = [h for h in board.houses_of(both) if state.places[b] & h.cells == both] if other & pairs[d] else []
            if state.masks[d] == pairs[d] and known[c] & pairs[d]:
                known[d] = pairs[d] & ~known[c]
            elif only:
                known[d] = other
                places.append((only[0].atom, b))
            if d in known:
                waiting.append(d)
    return tuple(places) if len(known) == len(found.cells) else None
