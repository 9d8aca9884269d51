"""Deadly patterns: cells that could exchange two values unnoticed, so that in a puzzle with one solution they do not.

Which rectangles no constraint notices is asked of the problem itself (``explain.uniqueness``), so rules may apply to
their cells. One of the *guards*, the other candidates of the corners, is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ...model import InDomain, Or
from ..atoms import Atom, bits, union
from ..uniqueness import ASSUMED
from .board import Found, Node, Pattern, State


@dataclass(frozen=True)
class Rectangle:
    """Four corners in the order round the rectangle, the two deadly values, and the guards; ``atom`` forbids it."""

    name: str
    atom: int
    corners: tuple[int, ...]
    pair: int
    guards: Node
    roof: tuple[int, ...]

    @property
    def is_diagonal(self) -> bool:
        """Return whether the guards are in two opposite corners."""
        return len(self.roof) == 2 and (self.corners.index(self.roof[0]) - self.corners.index(self.roof[1])) % 2 == 0


def uniqueness(state: State) -> Found:
    """Yield what rectangles and the grave of all open cells remove if there is one solution."""
    for number, atom in enumerate(state.board.ladder.atoms):
        if atom.part == ASSUMED:
            if len(atom.cells) == 4 and not atom.label.endswith("open cells)"):
                for rectangle in _rectangles(state, number, atom):
                    yield from _types(state, rectangle)
            else:
                yield from _grave(state, number, atom)


def _grave(state: State, number: int, atom: Atom) -> Found:
    """Yield what follows if all cells of an atom but a few have two values, which could be exchanged."""
    board, name = state.board, state.board.ladder.names
    stated = atom.stated[0]
    others = {p.x: p.values for p in (stated.parts if isinstance(stated, Or) else [stated]) if isinstance(p, InDomain)}
    more = [c for c in atom.cells if state.masks[c].bit_count() > 2]
    spare = {c: state.masks[c] & board.ladder.mask(others.get(name[c], ())) for c in atom.cells}
    guards = sum(board.node(c, mask) for c, mask in spare.items())
    if any(spare[c] for c in atom.cells if c not in more) or not guards:
        return
    alone = len(more) == 1
    out = state.cell(more[0]) & ~guards if alone else state.common(guards)
    if out & state.wanted:
        cells = sum(1 << c for c in atom.cells)
        parts = (("corners", state.all_of(cells) & ~guards), ("guards", guards))
        why = f"otherwise all {len(state.open)} open cells would have two values that could be exchanged"
        said = "" if alone else f", so one of these is true: {state.say(guards)}"
        cost = 5.6 if alone else 5.7
        yield Pattern(f"BUG+{len(more)}", cost, out, why + said, parts, cells=cells, atoms=(number,), assumes=True)


def _rectangles(state: State, number: int, atom: Atom) -> Iterator[Rectangle]:
    """Yield the pairs of values that four corners must not have crosswise."""
    a, b, d, c = atom.cells  # atoms have their cells in reading order
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
        if pair.bit_count() == 2 and _forbids(state, atom, pair):
            name = "unique rectangle" if len(free) == 4 else "avoidable rectangle"
            if made := _guarded(state, name, number, corners, pair):
                yield made


def _forbids(state: State, atom: Atom, pair: int) -> bool:
    """Return whether an atom forbids a pair of values crosswise, both ways."""
    (x, y), names = (state.value(b) for b in bits(pair)), [state.board.ladder.names[c] for c in atom.cells]
    ways = ((x, y, y, x), (y, x, x, y))
    return not any(atom.stated[0].holds(dict(zip(names, way, strict=True))) for way in ways)


def _guarded(state: State, name: str, number: int, corners: tuple[int, ...], pair: int) -> Rectangle | None:
    """Return a rectangle with its guards, if the corners can have the pair crosswise.

    If none of them is filled in, they might have it in both ways: the guards are what neither way has.
    """
    ways = [tuple(1 << b for b in bits(pair)) * 2, tuple(1 << b for b in bits(pair))[::-1] * 2]
    able = [way for way in ways if all(state.masks[c] & v for c, v in zip(corners, way, strict=True))]
    if not able or (len(able) > 1 and name.startswith("avoidable")):
        return None
    keep = [pair] * 4 if name.startswith("unique") else list(able[0])
    masks = [state.masks[c] & ~v if c not in state.placed else 0 for c, v in zip(corners, keep, strict=True)]
    guards = sum(1 << state.board.literal(c, b) for c, mask in zip(corners, masks, strict=True) for b in bits(mask))
    roof = tuple(c for c, mask in zip(corners, masks, strict=True) if mask)
    return Rectangle(name, number, corners, pair, guards, roof) if guards else None


def _pattern(
    state: State, found: Rectangle, kind: str, cost: float, out: int, why: str, more: int = 0, **given: object
) -> Pattern:
    corners = sum(1 << c for c in found.corners)
    open_cells = sum(1 << c for c in found.corners if c not in state.placed)
    said = f"{state.names(corners)} could exchange {state.values(found.pair)}{why}"
    parts = [
        ("corners", state.all_of(open_cells) & ~found.guards),
        ("guards", found.guards),
        ("set", state.all_of(more)),
    ]
    name = kind if kind.startswith("hidden") else f"{found.name}, type {kind}"
    shown = tuple(part for part in parts if part[1])
    cells, atoms = corners | more, (found.atom,)
    return Pattern(name, cost, out, said, shown, cells=cells, atoms=atoms, assumes=True, **given)  # type: ignore[arg-type]


def _types(state: State, found: Rectangle) -> Found:
    """Yield what falls by a rectangle: its types by where the guards are."""
    if len(found.roof) == 1:
        cell = found.roof[0]
        why = f" if {state.names(1 << cell)} were one of them, and there would be two solutions"
        yield _pattern(state, found, "1", 4.5, state.cell(cell) & ~found.guards, why)
        return
    if out := state.common(found.guards):
        kind, cost = ("5", 4.6) if found.is_diagonal or len(found.roof) > 2 else ("2", 4.5)
        yield _pattern(state, found, kind, cost, out, f", but {state.say(found.guards)} prevents it")
    if len(found.roof) == 2:
        yield from _with_set(state, found)
    if found.name == "unique rectangle":
        yield from _forcing(state, found)


def _with_set(state: State, found: Rectangle) -> Found:
    """Yield type 3: the guards of two corners, as one cell, make a naked set with other cells of a house."""
    cells, board = sum(1 << c for c in found.roof), state.board
    values = sum(1 << b for b in {x // board.cells for x in bits(found.guards)})
    for house in board.houses_of(cells) if not values & found.pair else ():
        others = [c for c in bits(house.cells & ~cells) if c not in state.placed]
        for k in (1, 2, 3):
            for some in combinations(others, k):
                held = values | state.union(some)
                more = sum(1 << c for c in some)
                locked = bits(held if held.bit_count() == k + 1 else 0)
                guarded = (state.at(b, more) | found.guards & state.at(b, -1) for b in locked)
                if out := union(map(state.common, guarded)):
                    why = f", but {state.say(found.guards)} prevents it, a set with {state.names(more)}"
                    yield _pattern(state, found, "3", round(4.5 + 0.1 * k, 1), out, why, more)


def _forcing(state: State, found: Rectangle) -> Found:
    """Yield types 4 and 6, and hidden rectangles: a value of a corner that would force the pair on the other three."""
    for i, cell in enumerate(found.corners):
        for v in bits(found.pair & state.masks[cell]):
            places = _forced(state, found, i, v)
            if places is None:
                continue
            out, at = state.at(v, 1 << cell), found.corners[i]
            name, cost = "hidden rectangle", 4.7
            joined = {h.atom for h in state.board.houses_of(sum(1 << c for c in found.roof))}
            if len(found.roof) == 2 and at in found.roof and (found.is_diagonal or joined & {a for a, _ in places}):
                name, cost = ("6", 4.6) if found.is_diagonal else ("4", 4.5)
                j = found.corners.index(next(c for c in found.roof if c != at))
                more = _forced(state, found, j, v) if state.masks[found.corners[j]] >> v & 1 else None
                out |= 0 if more is None else state.at(v, 1 << found.corners[j])
                places += more or ()
            why = f" if {state.names(1 << cell)} were {state.value(v)}, and there would be two solutions"
            also = ("hidden rectangle",) if name != "hidden rectangle" else ()
            yield _pattern(state, found, name, cost, out, why, places=places, also=also)


def _forced(state: State, found: Rectangle, start: int, bit: int) -> tuple[tuple[int, int], ...] | None:
    """Return the places by which a value in one corner forces the pair on all four; None if it does not."""
    first, second = bits(found.pair)
    known, places, waiting = {start: bit}, list[tuple[int, int]](), [start]
    while waiting:
        j = waiting.pop()
        for q in ((j - 1) % 4, (j + 1) % 4):
            if q in known:
                continue
            other = second if known[j] == first else first
            both = 1 << found.corners[j] | 1 << found.corners[q]
            only = [h for h in state.board.houses_of(both) if state.places[other] & h.cells == both]
            if only or state.masks[found.corners[q]] == found.pair:
                known[q] = other
                waiting.append(q)
                places += [(only[0].atom, other)] if only else []
    return tuple(places) if len(known) == 4 else None
