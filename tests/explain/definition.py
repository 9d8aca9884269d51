"""The ladder in plain words of Python: the definition that the kernels are held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatch
from itertools import combinations
from math import comb

from sudoku_models.explain import Ladder
from sudoku_models.explain.atoms import (
    MOST_CHOICES,
    Either,
    Group,
    House,
    Listed,
    Loose,
    Masks,
    Narrowed,
    Word,
    bits,
    union,
)
from sudoku_models.explain.ladder import (
    HIGHEST,
    INNER_ROUNDS,
    NUMBERS,
    ROUNDS,
    STRONG_ROUNDS,
    Fact,
    Level,
    Stage,
    is_open,
)

BANDS = {2: ROUNDS, 3: STRONG_ROUNDS, 4: INNER_ROUNDS}
ALL, LONG = NUMBERS[-1], 1000


@singledispatch
def revise(how: object, masks: Masks) -> Narrowed:
    """Return the candidates that occur in a solution of an atom; None if some cell has none."""
    raise TypeError(how)


@revise.register
def _(how: House, masks: Masks) -> Narrowed:
    """Keep a value of a cell if the other cells can differ with it."""
    found = [0] * len(masks)
    for cell, mask in enumerate(masks):
        for bit in bits(mask):
            others = [m & ~(1 << bit) for i, m in enumerate(masks) if i != cell]
            found[cell] |= can_differ(others) << bit
    return found if all(found) else None


def can_differ(masks: Sequence[int]) -> bool:
    """Return whether there is a matching (found by augmenting paths)."""
    owner: dict[int, int] = {}

    def placed(cell: int, seen: set[int]) -> bool:
        for bit in bits(masks[cell]):
            if bit not in seen:
                seen.add(bit)
                if bit not in owner or placed(owner[bit], seen):
                    owner[bit] = cell
                    return True
        return False

    return all(placed(cell, set()) for cell in range(len(masks)))


@revise.register
def _(how: Listed, masks: Masks) -> Narrowed:
    rows = [row for row in how.rows.tolist() if all(m >> b & 1 for m, b in zip(masks, row, strict=True))]
    return [union(1 << row[i] for row in rows) for i in range(len(masks))] if rows else None


@revise.register
def _(how: Word, masks: Masks) -> Narrowed:
    """Keep the values of accepted words, by the states that are reached from both ends."""
    reached, found = [{0}], list(masks)
    for states, place in zip(how.layers, how.places, strict=True):
        reached.append({t for s in reached[-1] for bit, t in states[s] if masks[place] >> bit & 1})
    good = reached[-1]
    for i in range(len(how.places) - 1, -1, -1):
        place = how.places[i]
        arrows = [(s, b, t) for s in reached[i] for b, t in how.layers[i][s] if masks[place] >> b & 1 and t in good]
        found[place] &= union(1 << b for _, b, _ in arrows)
        good = {s for s, _, _ in arrows}
    return found if all(found) else None


@revise.register
def _(how: Either, masks: Masks) -> Narrowed:
    kept = [0] * len(masks)
    for places, part in how.parts:
        found = revise(part, [masks[i] for i in places])
        if found is not None and all(masks):
            left = {**dict(enumerate(masks)), **dict(zip(places, found, strict=True))}
            kept = [mask | left[i] for i, mask in enumerate(kept)]
    return kept if all(kept) else None


@revise.register
def _(how: Loose, masks: Masks) -> Narrowed:
    return how.revise(masks)


@revise.register
def _(how: Group, masks: Masks) -> Narrowed:
    state, before = [*masks, *how.hidden], list[int]()
    while state != before:
        before = list(state)
        for places, part in how.parts:
            found = revise(part, [state[i] for i in places])
            if found is None:
                return None
            for i, mask in zip(places, found, strict=True):
                state[i] = mask
    return state[: how.visible]


def singles(house: House, masks: Masks) -> Narrowed:
    """Apply the singles of a snapshot to a house."""
    filled = [mask for mask in masks if not mask & (mask - 1)]
    lonely = [1 << b for b in bits(house.values) if sum(m >> b & 1 for m in masks) == 1] if house.exact else []
    if len(set(filled)) < len(filled) or (house.exact and union(masks) != house.values):
        return None
    found = []
    for mask in masks:
        own = [one for one in lonely if mask & one]
        if len(own) > 1:
            return None
        found.append(own[0] if own else mask & ~union(one for one in filled if one != mask))
    return found if all(found) else None


def subsets(house: House, masks: Masks, size: int) -> list[int]:
    """Remove what some cells confined to as many values take from the others, and likewise for values in cells."""
    found = list(masks)
    for chosen in combinations(range(len(masks)), size):
        values = union(masks[i] for i in chosen)
        if values.bit_count() == size:
            found = [mask if i in chosen else mask & ~values for i, mask in enumerate(found)]
    for bits_ in combinations(bits(house.values), size) if house.exact else ():
        where = [i for i, mask in enumerate(masks) if mask & union(1 << b for b in bits_)]
        if len(where) == size:
            found = [mask & union(1 << b for b in bits_) if i in where else mask for i, mask in enumerate(found)]
    return found


class Definition:
    """What follows from the atoms of a ladder."""

    def __init__(self, ladder: Ladder) -> None:
        self.atoms, self.full, self.users = ladder.atoms, ladder.full, ladder.users

    def stages(self, state: Sequence[int], highest: Level = HIGHEST) -> Iterator[Stage]:
        """Yield stage after stage."""
        masks: Sequence[int] = tuple(state)
        while all(masks) and (stage := self.stage(masks, highest)) is not None:
            yield stage
            masks = stage.after

    def stage(self, masks: Sequence[int], highest: Level = HIGHEST) -> Stage | None:
        """Return the cheapest stage."""
        found = self.single(masks)
        if found is not None:
            return found if found.level <= highest else None
        for kind in range(2, highest[0] + 1) if is_open(masks) else ():
            found = self.trials(masks, kind, highest)
            if found is not None:
                return found
        return None

    def single(self, masks: Sequence[int]) -> Stage | None:
        """Return the steps of single atoms with the fewest cells read."""
        for k in NUMBERS:
            by = {a: facts for a in range(len(self.atoms)) if (facts := self.reading(a, masks, k))}
            if by:
                return Stage.of((1, k), masks, frozenset().union(*by.values()), by)
        return None

    def reading(self, number: int, masks: Sequence[int], k: int) -> frozenset[Fact]:
        """Return what an atom removes when k of its cells are read (ALL: all), over all choices of these."""
        atom = self.atoms[number]
        mine, full = ([some[cell] for cell in atom.cells] for some in (masks, self.full))
        if k == ALL:
            return self._gone(number, mine, revise(atom.how, mine))
        if atom.house is not None:
            return self._gone(number, mine, subsets(atom.house, mine, k)) if k else frozenset()
        narrowed = [i for i, mask in enumerate(mine) if mask != full[i]]
        kept = list(mine)
        for chosen in combinations(narrowed, k) if comb(len(mine), k) <= MOST_CHOICES else ():
            found = revise(atom.how, [mine[i] if i in chosen else full[i] for i in range(len(mine))])
            kept = [a & b for a, b in zip(kept, found or [0] * len(mine), strict=True)]
        return self._gone(number, mine, kept)

    def _gone(self, number: int, masks: Masks, found: Narrowed) -> frozenset[Fact]:
        cells = self.atoms[number].cells
        left = zip(cells, masks, found or [0] * len(cells), strict=True)
        return frozenset((c, b) for c, old, new in left for b in bits(old & ~new))

    def trials(self, masks: Sequence[int], kind: int, highest: Level = HIGHEST) -> Stage | None:
        """Suppose each candidate in turn; return those that fail within the fewest rounds."""
        depths: Mapping[Fact, int | None] = {
            (cell, bit): self.depth(masks, cell, bit, kind)
            for cell, mask in enumerate(masks)
            for bit in (bits(mask) if mask & (mask - 1) else ())
        }
        for band in (band for band in BANDS[kind] if (kind, band) <= highest):
            if facts := {fact for fact, depth in depths.items() if depth is not None and depth <= band}:
                return Stage.of((kind, band), masks, facts)
        return None

    def depth(self, masks: Sequence[int], cell: int, bit: int, kind: int) -> int | None:
        """Return the round in which a supposed candidate fails (of a nested trial: the inner rounds)."""
        state = list(masks)
        state[cell] = 1 << bit
        failed = self.follow(state, set(self.users[cell]), LONG, kind == 3)
        if kind < 4 or failed is not None:
            return failed if kind < 4 else INNER_ROUNDS[0]
        return next((j for j in INNER_ROUNDS if self._nested(list(state), j)), None)

    def _nested(self, state: list[int], inner: int) -> bool:
        """Return whether a state fails when trials of at most ``inner`` rounds also remove candidates."""
        while True:
            open_cells = [(c, b) for c, mask in enumerate(state) if mask & (mask - 1) for b in bits(mask)]
            removed = [(c, b) for c, b in open_cells if (self.depth(state, c, b, 2) or LONG + 1) <= inner]
            if not removed:
                return False
            for cell, bit in removed:
                state[cell] &= ~(1 << bit)
            touched = {a for cell, _ in removed for a in self.users[cell]}
            if not all(state) or self.follow(state, touched, LONG, False) is not None:
                return True

    def follow(self, state: list[int], dirty: Iterable[int], limit: int, strong: bool) -> int | None:
        """Make atoms consistent in rounds, each from one snapshot, in place; return the round in which they fail."""
        for number in range(1, limit + 1):
            new: dict[int, int] = {}
            for a in dirty:
                atom = self.atoms[a]
                mine = [state[cell] for cell in atom.cells]
                weak = atom.house is not None and not strong
                found = singles(atom.house, mine) if weak and atom.house else revise(atom.how, mine)
                if found is None:
                    return number
                for cell, mask in zip(atom.cells, found, strict=True):
                    if mask != state[cell]:
                        new[cell] = new.get(cell, state[cell]) & mask
            if not all(new.values()):
                return number
            for cell, mask in new.items():
                state[cell] = mask
            dirty = {a for cell in new for a in self.users[cell]}
        return None
