"""The board and the candidates as the families of patterns see them: literals, nodes, and what they exclude.

A *literal* is "this cell has this value": number ``bit * cells + cell``. Sets of cells and sets of literals are single
integers, one bit for each member. A *node* is a set of literals, read "one of them is true". Nearly all families use
two facts about nodes:

- strong link a = b: a or b is true (a cell with two values, a value with two places in a house, ...);
- weak link b - c: not both are true, because every literal of b excludes every literal of c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from itertools import product
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from ..atoms import Listed, bits, union
from ..explanation import listed
from ..ladder import Ladder

T = TypeVar("T")
P = ParamSpec("P")

Node = int
Place = tuple[int, int]
"""A value (its bit) in a house (the number of its atom): one of its places there is true."""

LINES, BOXES = ("row", "column"), ("box", "region")
MOST_WEIGHED = 3_000_000
"""A list of solutions with more entries (its rows times the square of its literals) is not searched for links."""


@dataclass(frozen=True)
class House:
    """Cells that contain each value once. ``atom`` is its number in the ladder, ``kind`` is row, column, box, ..."""

    atom: int
    title: str
    cells: int

    @cached_property
    def kind(self) -> str:
        """The kind of the house: row, column, box or region; of one by a rule its title."""
        kind, _, number = self.title.rpartition(" ")
        return kind if number.isdigit() else self.title


@dataclass(frozen=True)
class Pattern:
    """A pattern: what it removes and why.

    ``out`` are the literals that fall, ``sets`` those that become true. ``why`` is a part of a sentence. ``parts`` are
    literals with their role in the picture, ``links`` its lines (from, to, "strong" or "weak"). The premises are
    ``cells`` whose candidates are all read, ``places`` of values in houses, and further ``atoms``. ``also`` are other
    names of the same thing, ``then`` is a single that the pattern leaves, and ``assumes`` says whether it needs that
    there is one solution.
    """

    name: str
    cost: float
    out: int
    why: str
    parts: tuple[tuple[str, int], ...] = ()
    links: tuple[tuple[Node, Node, str], ...] = ()
    cells: int = 0
    places: tuple[Place, ...] = ()
    atoms: tuple[int, ...] = ()
    also: tuple[str, ...] = ()
    sets: int = 0
    then: str = ""
    assumes: bool = False

    @property
    def order(self) -> tuple[float, int, str, int]:
        """The key of the order in which patterns are shown: the cost, then the number of candidates removed."""
        return self.cost, -self.out.bit_count(), self.name, self.out


Found = Iterator[Pattern]


class Board:
    """The houses of a ladder, and what a true literal excludes by houses, differing cells and rules on two cells.

    ``within`` are the cells of each house and of each rule by which two cells differ; ``peers`` are the cells that a
    cell sees by these. ``kept`` has what depends on a few candidates alone: a step leaves most of it as it was.
    """

    def __init__(self, ladder: Ladder) -> None:
        self.ladder, self.cells = ladder, len(ladder.names)
        self.values = max((mask.bit_length() for mask in ladder.full), default=0)
        self.column = ((1 << self.cells * self.values) - 1) // max(1, (1 << self.cells) - 1)  # a bit for each value
        every = list(enumerate(ladder.atoms))
        exact = [(a, atom) for a, atom in every if atom.house is not None and atom.house.exact]
        self.rules = [(a, atom) for a, atom in every if atom.house is None and not atom.is_assumed]
        self.listed = [(a, atom.cells, atom.how) for a, atom in self.rules if isinstance(atom.how, Listed)]
        self.pairs = {a: how for a, cells, how in self.listed if len(cells) == 2}
        alike = [(a, atom) for a, atom in every if atom.house is not None or self._only_differ(a)]
        self.within = {a: sum(1 << c for c in atom.cells) for a, atom in alike}
        self.houses = tuple(House(a, atom.label, self.within[a]) for a, atom in exact)
        self.at: list[list[int]] = [[] for _ in range(self.cells)]
        for i, (_, atom) in enumerate(exact):
            for c in atom.cells:
                self.at[c].append(i)
        self.in_order = sorted(self.houses, key=lambda house: house.kind != "box")
        self.peers = [0] * self.cells
        for a, cells in self.within.items():
            for c in ladder.atoms[a].cells:
                self.peers[c] |= cells & ~(1 << c)
        self._apart: dict[int, int] = {}
        for a, how in ((a, how) for a, how in self.pairs.items() if a not in self.within):
            self._excluded(ladder.atoms[a].cells, how.rows.tolist())
        self._seen: dict[int, int] = {}
        self.kept: dict[object, tuple[Any, ...]] = {}

    def _only_differ(self, number: int) -> bool:
        """Return whether a rule says of two cells that they differ, and nothing else."""
        if number not in self.pairs:
            return False
        rows, full = self.pairs[number].rows, [self.ladder.full[c] for c in self.ladder.atoms[number].cells]
        able = full[0].bit_count() * full[1].bit_count() - (full[0] & full[1]).bit_count()
        return len(rows) == able and bool((rows[:, 0] != rows[:, 1]).all())

    def _excluded(self, cells: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
        """Note which literals of two cells exclude each other, because a rule has no solution with both."""
        (c, d), pairs = cells, {(v, w) for v, w in rows}
        for v, w in product({v for v, _ in pairs}, {w for _, w in pairs}):
            if (v, w) not in pairs:
                x, y = self.literal(c, v), self.literal(d, w)
                self._apart[x] = self._apart.get(x, 0) | 1 << y
                self._apart[y] = self._apart.get(y, 0) | 1 << x

    def literal(self, cell: int, bit: int) -> int:
        return bit * self.cells + cell

    def node(self, cell: int, mask: int) -> Node:
        """Return some literals of a cell."""
        return sum(1 << b * self.cells + cell for b in bits(mask))

    def seen(self, literal: int) -> int:
        """Return the literals that a true one excludes."""
        if literal not in self._seen:
            bit, cell = divmod(literal, self.cells)
            alike = self.peers[cell] << bit * self.cells | (self.column << cell) ^ (1 << literal)
            self._seen[literal] = alike | self._apart.get(literal, 0)
        return self._seen[literal]

    def facts(self, node: Node) -> list[tuple[int, int]]:
        """Return literals as pairs (cell, bit)."""
        return [(x % self.cells, x // self.cells) for x in bits(node)]

    def where(self, node: Node) -> int:
        """Return the cells of literals."""
        return sum(1 << c for c in {x % self.cells for x in bits(node)})

    def houses_of(self, cells: int) -> list[House]:
        """Return the houses that contain all of some cells."""
        first = (cells & -cells).bit_length() - 1
        return [self.houses[i] for i in self.at[first] if not cells & ~self.houses[i].cells]


def once(make: Callable[Concatenate[State, P], T]) -> Callable[Concatenate[State, P], T]:
    """Keep what a function makes of a state, which others ask for, too."""

    @wraps(make)
    def kept(state: State, /, *args: P.args, **options: P.kwargs) -> T:
        if (key := (make, *args)) not in state.kept:
            state.kept[key] = make(state, *args, **options)
        return state.kept[key]  # type: ignore[return-value]

    return kept


@dataclass
class State:
    """Candidates, a mask for each cell. Cells in ``placed`` are filled in: their values are taken from their peers.

    ``check`` is called during long searches; it may raise LimitReached. Patterns that remove nothing of ``wanted`` (0:
    all candidates) are left out. ``with_loops``: unique loops are searched for, too.
    """

    board: Board
    masks: list[int]
    placed: frozenset[int]
    check: Callable[[], object] = lambda: None
    by_rules: Mapping[int, int] = field(default_factory=dict)
    rule_links: Sequence[tuple[int, int, int]] = ()
    wanted: Node = 0
    with_loops: bool = False
    _common: dict[Node, int] = field(default_factory=dict)
    kept: dict[object, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        board, self.masks = self.board, list(self.masks)
        self.open = [c for c in range(board.cells) if c not in self.placed]
        self.places, seen = [0] * board.values, [0] * board.values
        for c, mask in enumerate(self.masks):
            table, reached = (seen, board.peers[c]) if c in self.placed else (self.places, 1 << c)
            while mask:  # as ``bits`` has them, without the time of a generator
                table[(mask & -mask).bit_length() - 1] |= reached
                mask &= mask - 1
        for b, where in enumerate(self.places):
            self.places[b] &= ~seen[b]
            for c in bits(where & seen[b]):
                self.masks[c] &= ~(1 << b)
        self.all = sum(where << b * board.cells for b, where in enumerate(self.places))
        self.wanted = self.wanted or self.all

    def at(self, bit: int, cells: int) -> Node:
        """Return the literals of a value in some cells."""
        return (self.places[bit] & cells) << bit * self.board.cells

    def cell(self, cell: int) -> Node:
        return self.board.node(cell, self.masks[cell])

    def all_of(self, cells: int) -> Node:
        return sum(self.cell(c) for c in bits(cells))

    def union(self, cells: Iterable[int]) -> int:
        """Return the candidates of some cells together."""
        return union(self.masks[c] for c in cells)

    def seen(self, literal: int) -> int:
        """Return the literals that a true one excludes, by houses and by rules."""
        return self.board.seen(literal) | self.by_rules.get(literal, 0)

    def common(self, node: Node) -> int:
        """Return the literals that every literal of a node excludes: they fall if one of the node's is true."""
        found = self._common.get(node)
        if found is None:
            found = self.all
            for x in bits(node):
                found &= self.seen(x)
            self._common[node] = found
        return found

    def alike(self, bit: int, cells: int) -> int:
        """Return the other literals of a value in the cells that see all its places in some cells."""
        seen = -1
        for c in bits(self.places[bit] & cells):
            seen &= self.board.peers[c]
        return self.at(bit, seen)

    def by_value(self, node: Node) -> list[int]:
        """Return the cells of literals for each value."""
        cells, n = (1 << self.board.cells) - 1, self.board.cells
        return [node >> b * n & cells for b in range(self.board.values)]

    def bit_of(self, node: Node) -> int:
        """Return the value of a node, all of whose literals have the same."""
        return ((node & -node).bit_length() - 1) // self.board.cells

    def of_values(self, find: Callable[..., Found], *given: object) -> Found:
        """Yield the patterns of each value that depend on its places alone, and on what of it is wanted."""
        for bit in range(self.board.values):
            able, kept = -1 if self.board.pairs else self.at(bit, -1), self.board.kept
            key = find, bit, given, self.all & able, self.wanted & able
            if key not in kept:
                self.check()
                kept[key] = tuple(find(self, bit, *given))
            yield from kept[key]

    def solutions(self, cells: Sequence[int], how: Listed) -> np.ndarray:
        """Return the solutions of a rule that the candidates leave, as bits for each of its cells."""
        masks = np.array([self.masks[c] for c in cells])
        found: np.ndarray = how.rows[(masks >> how.rows & 1).all(axis=1)]
        return found

    @once
    def with_rules(self) -> State:
        """Return the same candidates with the weak and strong links that the solutions of each rule show.

        Two literals that share no solution exclude each other; if no solution is without both, one of them is true.
        """
        if not self.board.listed:
            return self
        seen, links = dict[int, int](), list[tuple[int, int, int]]()
        for atom, cells, how in self.board.listed:
            literals = [(c, b) for c in cells for b in bits(self.masks[c])]
            if len(literals) ** 2 * len(how.rows) > MOST_WEIGHED:
                continue
            self.check()
            rows = self.solutions(cells, how)
            column = {c: i for i, c in enumerate(cells)}
            has = np.array([rows[:, column[c]] == b for c, b in literals], np.float32)
            apart, either = has @ has.T == 0, (1 - has) @ (1 - has).T == 0
            names = [self.board.literal(c, b) for c, b in literals]
            for i, j in np.argwhere(np.triu(apart | either, 1)).tolist():
                if apart[i, j]:
                    seen[names[i]] = seen.get(names[i], 0) | 1 << names[j]
                    seen[names[j]] = seen.get(names[j], 0) | 1 << names[i]
                if either[i, j] and cells and literals[i][0] != literals[j][0]:
                    links.append((1 << names[i], 1 << names[j], atom))
        return State(self.board, self.masks, self.placed, self.check, seen, links, self.wanted)

    # words

    def names(self, cells: int) -> str:
        """Name cells: R1C1 R2C3."""
        return " ".join(self.board.ladder.names[c] for c in bits(cells))

    def either(self, cells: int) -> str:
        """Name cells of which one is meant: R1C1 or R2C3."""
        return listed([self.board.ladder.names[c] for c in bits(cells)], "or")

    def both(self, cells: int, mask: int) -> tuple[str, str]:
        """Name cells and values that belong together: R1C1 and R2C3, 1 and 2."""
        names = listed(self.board.ladder.names[c] for c in bits(cells))
        return names, listed(self.value(b) for b in bits(mask))

    def values(self, mask: int) -> str:
        """Name values: 1/2."""
        return "/".join(str(b + self.board.ladder.low) for b in bits(mask))

    def value(self, bit: int) -> int:
        return bit + self.board.ladder.low

    def say(self, node: Node) -> str:
        """Name a node: 1 in R1C1 R1C2; values with the same cells together: 2 and 5 in R5C5."""
        alike: dict[int, list[int]] = {}
        for b, where in enumerate(self.by_value(node)):
            alike.setdefault(where, []).append(self.value(b))
        return ", ".join(f"{listed(values)} in {self.names(where)}" for where, values in alike.items() if where)
