"""Techniques by their usual definitions, in plain Python: what each of them removes from a 9x9 board of candidates.

Written from what players' guides say a technique is, apart from any code of the package. A board is 81 sets of values;
what is removed are pairs (cell, value), those of one position at a time. Where there are very many positions, some are
drawn by chance.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, permutations, product

Board = Sequence[frozenset[int]]
Removed = frozenset[tuple[int, int]]

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for b in range(9)]
HOUSES = ROWS + COLUMNS + BOXES
SEEN = [frozenset(d for house in HOUSES if c in house for d in house) - {c} for c in range(81)]


def places(board: Board, house: Iterable[int], value: int) -> list[int]:
    """Return the cells of a house that may hold a value."""
    return [c for c in house if value in board[c]]


def gone(board: Board, cells: Iterable[int], values: Iterable[int]) -> Removed:
    """Return the candidates that there are of these."""
    return frozenset((c, v) for c, v in product(cells, values) if v in board[c])


def seeing(*cells: int) -> frozenset[int]:
    """Return the cells that see all of some."""
    return frozenset.intersection(*(SEEN[c] for c in cells))


def locked(board: Board, inside: Sequence[Sequence[int]], along: Sequence[Sequence[int]]) -> Iterator[Removed]:
    """All places of a value in one house lie in another one: it goes from the rest of that."""
    for house, other, value in product(inside, along, range(1, 10)):
        where = places(board, house, value)
        if len(where) > 1 and set(where) <= set(other):
            yield gone(board, set(other) - set(house), [value])


def naked(board: Board, size: int) -> Iterator[Removed]:
    """Some cells of a house have as many candidates together: these go from its other cells."""
    for house in HOUSES:
        for chosen in combinations([c for c in house if 1 < len(board[c]) <= size], size):
            values = frozenset[int]().union(*(board[c] for c in chosen))
            if len(values) == size:
                yield gone(board, set(house) - set(chosen), values)


def hidden(board: Board, size: int) -> Iterator[Removed]:
    """Some values have as many places together in a house: the other candidates go from these."""
    for house in HOUSES:
        where = {v: places(board, house, v) for v in range(1, 10)}
        few = [v for v, cells in where.items() if 1 < len(cells) <= size]
        for chosen in combinations(few, size):
            cells = set().union(*(where[v] for v in chosen))
            if len(cells) == size:
                yield gone(board, cells, set(range(1, 10)) - set(chosen))


def crossed(base: Sequence[Sequence[int]]) -> Sequence[Sequence[int]]:
    """Return the lines that cross rows or columns."""
    return COLUMNS if base is ROWS else ROWS


def fish(board: Board, size: int) -> Iterator[Removed]:
    """All places of a value in some lines lie in as many crossing lines: it goes from the rest of those."""
    for base, value in product((ROWS, COLUMNS), range(1, 10)):
        where = [places(board, line, value) for line in base]
        few = [i for i, cells in enumerate(where) if 1 < len(cells) <= size]
        for chosen in combinations(few, size):
            cells = {c for i in chosen for c in where[i]}
            covers = [line for line in crossed(base) if cells & set(line)]
            if len(covers) == size:
                yield gone(board, {c for line in covers for c in line} - cells, [value])


def finned(board: Board, size: int, sashimi: bool) -> Iterator[Removed]:
    """A fish but for some places, the fins: what all fins see goes. Sashimi: without fins a line has one place at most.

    A line may have two fins.
    """
    for base, value in product((ROWS, COLUMNS), range(1, 10)):
        where = [places(board, line, value) for line in base]
        few = [i for i, cells in enumerate(where) if 1 < len(cells) <= size + 2]
        for chosen, covers in product(combinations(few, size), combinations(crossed(base), size)):
            covered, cells = {c for line in covers for c in line}, {c for i in chosen for c in where[i]}
            fins = cells - covered
            if fins and any(len(covered & set(where[i])) < 2 for i in chosen) == sashimi:
                yield gone(board, (covered - cells) & seeing(*fins), [value])


def pairs_of(board: Board, houses: Iterable[Iterable[int]], value: int) -> list[tuple[int, int]]:
    """Return the two places of a value, in each house that has two; in both orders."""
    found = [where for house in houses if len(where := places(board, house, value)) == 2]
    return [pair for a, b in found for pair in ((a, b), (b, a))]


def two_links(
    board: Board, first: Sequence[Sequence[int]], second: Sequence[Sequence[int]], joints: Sequence[Sequence[int]]
) -> Iterator[Removed]:
    """Two houses have two places each of a value, one of each in a third house: what sees the two other ones goes."""
    for value in range(1, 10):
        for (a, b), (c, d) in product(pairs_of(board, first, value), pairs_of(board, second, value)):
            if len({a, b, c, d}) == 4 and any(b in house and c in house for house in joints):
                yield gone(board, seeing(a, d) - {b, c}, [value])


def skyscrapers(board: Board) -> Iterator[Removed]:
    """Two rows with a column in common, or two columns with a row in common."""
    yield from two_links(board, ROWS, ROWS, COLUMNS)
    yield from two_links(board, COLUMNS, COLUMNS, ROWS)


def empty_rectangles(board: Board) -> Iterator[Removed]:
    """A value in a box lies in a row and a column; a pair elsewhere joins the end of one with a cell of the other."""
    for _, _, removed in in_rectangles(board):
        yield removed


def in_rectangles(board: Board) -> Iterator[tuple[frozenset[int], int, Removed]]:
    """Yield the box of an empty rectangle, its value, and what it removes."""
    for box, row, column, value in product(BOXES, ROWS, COLUMNS, range(1, 10)):
        where, crossing = set(places(board, box, value)), set(box) & set(row) & set(column)
        if not crossing or not where <= set(row) | set(column) or where <= set(row) or where <= set(column):
            continue
        for one, other, houses in ((row, column, COLUMNS), (column, row, ROWS)):
            for a, b in pairs_of(board, houses, value):
                if a in one and not {a, b} & set(box):
                    yield frozenset(box), value, gone(board, (SEEN[b] & set(other)) - set(box) - {a}, [value])


def bivalue(board: Board) -> list[int]:
    """Return the cells with two candidates."""
    return [c for c in range(81) if len(board[c]) == 2]


def xy_wings(board: Board) -> Iterator[Removed]:
    """A pivot xy sees pincers xz and yz: z goes where both pincers are seen."""
    for pivot in bivalue(board):
        for a, b in combinations([c for c in bivalue(board) if c in SEEN[pivot]], 2):
            common = board[a] & board[b]
            if len(common) == 1 and not common & board[pivot] and (board[a] | board[b]) - common == board[pivot]:
                yield gone(board, seeing(a, b) - {pivot}, common)


def xyz_wings(board: Board) -> Iterator[Removed]:
    """A pivot xyz sees pincers xz and yz: z goes where all three are seen."""
    for pivot in (c for c in range(81) if len(board[c]) == 3):
        for a, b in combinations([c for c in bivalue(board) if c in SEEN[pivot] and board[c] < board[pivot]], 2):
            if board[a] != board[b]:
                yield gone(board, seeing(pivot, a, b), board[a] & board[b])


def w_wings(board: Board) -> Iterator[Removed]:
    """Two cells xy, and x has two places in a house, one seen from each: y goes where both cells are seen."""
    for a, b in combinations(bivalue(board), 2):
        if board[a] == board[b]:
            for x in board[a]:
                for p, q in pairs_of(board, HOUSES, x):
                    if p in SEEN[a] and q in SEEN[b] and not {p, q} & {a, b}:
                        yield gone(board, seeing(a, b), board[a] - {x})


# ----------------------------------------------------------------------------
# Fish with boxes, colours, and rectangles.


def mixed_fish(board: Board, size: int, shape: str, tries: int = 3000) -> Iterator[Removed]:
    """Some houses without a common place, the bases, whose places but for at most two fins lie in as many covers.

    "Franken": rows and boxes against columns and boxes, or the reverse; "mutant": rows and columns on one side.
    """
    rng = random.Random(size)
    for _ in range(tries):
        value = rng.randint(1, 9)
        if shape == "mutant":
            sides = [rng.sample(HOUSES, size), HOUSES]
        else:
            lines = rng.sample([ROWS, COLUMNS], 2)
            sides = [rng.sample(lines[0] + BOXES, size), lines[1] + BOXES]
        where = [places(board, house, value) for house in sides[0]]
        cells = {c for some in where for c in some}
        if min(map(len, where)) < 2 or len(cells) != sum(map(len, where)):
            continue
        able = [house for house in sides[1] if house not in sides[0] and cells & set(house)]
        for covers in combinations(able, size):
            covered = {c for house in covers for c in house}
            fins = cells - covered
            if len(fins) < 3 and shape in _shapes(sides[0], covers):
                yield gone(board, (covered - cells) & (seeing(*fins) if fins else set(range(81))), [value])


def _shapes(*sides: Iterable[Sequence[int]]) -> str:
    kinds = [{0 if house in ROWS else 1 if house in COLUMNS else 2 for house in side} for side in sides]
    return "mutant" if any({0, 1} <= kind for kind in kinds) else "Franken" if any(2 in kind for kind in kinds) else ""


def dual(board: Board, one: Callable[[Board], Iterator[tuple[frozenset[int], int, Removed]]]) -> Iterator[Removed]:
    """Two positions of one value in the same places of a box, which remove something each."""
    found: dict[tuple[frozenset[int], int], set[Removed]] = {}
    for inside, value, removed in one(board):
        found.setdefault((inside, value), set()).add(removed)
    for some in found.values():
        yield from (a | b for a, b in combinations(some, 2) if a - b and b - a)


def kites_by_box(board: Board) -> Iterator[tuple[frozenset[int], int, Removed]]:
    """Two-string kites, with their two places in a box."""
    for value, row, column in product(range(1, 10), ROWS, COLUMNS):
        for (a, b), (c, d) in product(pairs_of(board, [row], value), pairs_of(board, [column], value)):
            if len({a, b, c, d}) == 4 and any(b in box and c in box for box in BOXES):
                yield frozenset((b, c)), value, gone(board, seeing(a, d) - {b, c}, [value])


def graph_of(board: Board, value: int) -> dict[int, set[int]]:
    """Return which cells are the only two places of a value in a house."""
    graph: dict[int, set[int]] = {}
    for a, b in pairs_of(board, HOUSES, value):
        graph.setdefault(a, set()).add(b)
    return graph


def coloured(board: Board, value: int) -> list[tuple[set[int], set[int]]]:
    """Return the connected cells of a value in two colours."""
    graph, parts, known = graph_of(board, value), [], set[int]()
    for start in graph:
        if start in known:
            continue
        colour, waiting = {start: 0}, [start]
        while waiting:
            c = waiting.pop()
            for d in graph[c] - colour.keys():
                colour[d] = 1 - colour[c]
                waiting.append(d)
        known |= colour.keys()
        if all(colour[c] != colour[d] for c in colour for d in graph[c]):
            parts.append(({c for c in colour if colour[c]}, {c for c in colour if not colour[c]}))
    return parts


def simple_colours(board: Board) -> Iterator[Removed]:
    """A colour that sees itself is false; what sees both colours goes."""
    for value in range(1, 10):
        for one, other in (part for part in coloured(board, value) if len(part[0] | part[1]) > 2):
            for false in (one, other):
                if any(SEEN[c] & false for c in false):
                    yield gone(board, false, [value])
            yield gone(board, {c for c in range(81) if SEEN[c] & one and SEEN[c] & other} - one - other, [value])


def multi_colours(board: Board) -> Iterator[Removed]:
    """A colour that sees both colours of another part is false; if two colours see each other, one of the others is
    true.
    """
    for value in range(1, 10):
        for (a, b), (c, d) in product(coloured(board, value), repeat=2):
            if a == c:
                continue
            for one, far, two, end in ((a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)):
                if any(SEEN[x] & two for x in one):
                    both = {x for x in range(81) if SEEN[x] & far and SEEN[x] & end} - a - b - c - d
                    yield gone(board, both, [value])
                    if any(SEEN[x] & end for x in one):
                        yield gone(board, one, [value])


def rectangles() -> Iterator[tuple[int, int, int, int]]:
    """Yield four cells in two rows, two columns and two boxes, in order round."""
    for r, s in combinations(range(9), 2):
        for c, d in combinations(range(9), 2):
            if (r // 3 == s // 3) != (c // 3 == d // 3):
                yield 9 * r + c, 9 * r + d, 9 * s + d, 9 * s + c


def with_pairs(board: Board) -> Iterator[tuple[tuple[int, ...], frozenset[int], list[int]]]:
    """Yield rectangles whose cells all have two values that one has alone, these, and the cells with others."""
    for cells in rectangles():
        for pair in {board[c] for c in cells if len(board[c]) == 2}:
            if all(pair <= board[c] for c in cells):
                yield cells, pair, [c for c in cells if board[c] != pair]


def unique_rectangles(board: Board, kind: int) -> Iterator[Removed]:
    """Unique rectangles of the types 1 to 6."""
    for cells, pair, roof in with_pairs(board):
        extra = frozenset[int]().union(*(board[c] for c in roof)) - pair
        diagonal = len(roof) == 2 and roof[0] // 9 != roof[1] // 9 and roof[0] % 9 != roof[1] % 9
        wide = diagonal or len(roof) == 3
        if kind == 1 and len(roof) == 1:
            yield gone(board, roof, pair)
        if kind in (2, 5) and len(roof) > 1 and len(extra) == 1 and wide == (kind == 5):
            yield gone(board, seeing(*roof), extra)
        if kind == 3 and len(roof) == 2 and not diagonal:
            for house in (house for house in HOUSES if set(roof) <= set(house)):
                others = [c for c in house if c not in roof and len(board[c]) > 1]
                for k in (1, 2, 3):
                    for some in combinations(others, k):
                        values = extra.union(*(board[c] for c in some))
                        if len(values) == k + 1:
                            yield gone(board, set(house) - set(roof) - set(some), values)
        if kind == 4 and len(roof) == 2 and not diagonal:
            for house, value in product((house for house in HOUSES if set(roof) <= set(house)), pair):
                if set(places(board, house, value)) == set(roof):
                    yield gone(board, roof, pair - {value})
        if kind == 6 and diagonal:
            for value, lines in product(pair, (ROWS, COLUMNS)):
                mine = [line for line in lines if set(line) & set(cells)]
                if all(set(places(board, line, value)) <= set(cells) for line in mine):
                    yield gone(board, roof, [value])


def hidden_rectangles(board: Board) -> Iterator[Removed]:
    """A corner has two values; one of these has in the row and column of the opposite corner no places elsewhere."""
    for cells, pair, _ in with_pairs(board):
        for i in range(4):
            if board[cells[i]] == pair:
                far = cells[(i + 2) % 4]
                for value in pair:
                    if all(set(places(board, line, value)) <= set(cells) for line in ROWS + COLUMNS if far in line):
                        yield gone(board, [far], pair - {value})


def avoidable(board: Board, given: frozenset[int]) -> Iterator[Removed]:
    """Cells that are filled in and were not given take the part of corners with two values."""
    for cells in (some for some in rectangles() if given.isdisjoint(some)):
        done = [c for c in cells if len(board[c]) == 1]
        left = [c for c in cells if len(board[c]) > 1]
        for a, b in permutations(range(1, 10), 2) if len(left) < 3 else ():
            want = dict(zip(cells, (a, b, a, b), strict=True))
            if any(board[c] != {want[c]} for c in done):
                continue
            if len(left) == 1:
                yield gone(board, left, [want[left[0]]])
            extra = frozenset[int]().union(*(board[c] - {want[c]} for c in left))
            if len(left) == 2 and len(extra) == 1 and all(want[c] in board[c] for c in left):
                yield gone(board, seeing(*left), extra)


def grave(board: Board) -> Iterator[Removed]:
    """All open cells have two candidates but one, which has three; without one of these each value has two places."""
    more = [c for c in range(81) if len(board[c]) > 2]
    if len(more) == 1 and len(board[more[0]]) == 3:
        for value in board[more[0]]:
            left = [v - {value} if c == more[0] else v for c, v in enumerate(board)]
            open_cells = [[c for c in house if len(left[c]) > 1] for house in HOUSES]
            if all(len(places(left, some, v)) in (0, 2) for some in open_cells for v in range(1, 10)):
                yield gone(board, more, board[more[0]] - {value})


# ----------------------------------------------------------------------------
# Chains. A node is a value in some cells, "in one of them"; nodes are sets of (cell, value) as bits of a number.


def literal(cell: int, value: int) -> int:
    """Return the bit of a candidate."""
    return 1 << 9 * cell + value - 1


def members(node: int) -> Iterator[tuple[int, int]]:
    """Yield the candidates of a node."""
    while node:
        low = node & -node
        yield (low.bit_length() - 1) // 9, (low.bit_length() - 1) % 9 + 1
        node ^= low


class Chains:
    """Strong links of some kinds ("cells", "houses", "groups", "sets"), and chains of them by chance."""

    def __init__(self, board: Board, kinds: Sequence[str], seed: int) -> None:
        self.board, self.rng = board, random.Random(seed)
        self.strong: dict[int, list[tuple[int, str, int]]] = {}
        self.common_of: dict[int, int] = {}
        self.near: dict[int, list[int]] = {}
        for kind in kinds:
            for a, b, where in getattr(self, f"by_{kind}")():
                self.strong.setdefault(a, []).append((b, kind, where))
                self.strong.setdefault(b, []).append((a, kind, where))

    def by_cells(self) -> Iterator[tuple[int, int, int]]:
        for c in bivalue(self.board):
            a, b = (literal(c, v) for v in self.board[c])
            yield a, b, 1 << c

    def by_houses(self) -> Iterator[tuple[int, int, int]]:
        for v in range(1, 10):
            yield from ((literal(a, v), literal(b, v), 0) for a, b in pairs_of(self.board, HOUSES, v) if a < b)

    def by_groups(self) -> Iterator[tuple[int, int, int]]:
        for v, house in product(range(1, 10), HOUSES):
            where = set(places(self.board, house, v))
            parts = {frozenset(where & set(other)) for other in HOUSES if other is not house} - {frozenset()}
            for one, two in combinations(parts, 2):
                if one | two == where and not one & two and len(where) > 2:
                    a, b = (sum(literal(c, v) for c in some) for some in (one, two))
                    yield a, b, 0

    def by_sets(self) -> Iterator[tuple[int, int, int]]:
        for cells, values in almost_locked(self.board, 3):
            if len(cells) > 1:
                nodes = [sum(literal(c, v) for c in cells if v in self.board[c]) for v in values]
                yield from ((a, b, sum(1 << c for c in cells)) for a, b in combinations(nodes, 2))

    def common(self, node: int) -> int:
        """Return the candidates that fall if one of a node is true."""
        if node not in self.common_of:
            ways = []
            for c, v in members(node):
                out = sum(literal(d, v) for d in SEEN[c] if v in self.board[d])
                ways.append(out | sum(literal(c, w) for w in self.board[c] if w != v))
            found = ways[0]
            for way in ways[1:]:
                found &= way
            self.common_of[node] = found
        return self.common_of[node]

    def weak(self, node: int) -> list[int]:
        """Return the nodes with strong links that are false if a node is true."""
        if node not in self.near:
            out = self.common(node)
            self.near[node] = [other for other in self.strong if not other & ~out]
        return self.near[node]

    def drawn(self, tries: int, longest: int) -> Iterator[tuple[list[tuple[int, int, str, int]], bool, Removed]]:
        """Yield chains, whether they are loops, and what they remove."""
        starts = list(self.strong)
        for _ in range(tries if starts else 0):
            a = self.rng.choice(starts)
            b, kind, where = self.rng.choice(self.strong[a])
            path, used = [(a, b, kind, where)], a | b
            while len(path) < longest:
                c = self.rng.choice(self.weak(path[-1][1]) or [0])
                d, kind, where = self.rng.choice(self.strong.get(c, [(0, "", 0)]))
                last = path[-1]
                if not c or c & used or (d & used and d != a) or (kind == "sets" and where & last[3]):
                    break
                path.append((c, d, kind, where))
                used |= c | d
                loop = not d & ~self.common(a)
                out = self.round(path) if loop else self.common(a) & self.common(d)
                if out:
                    yield path, loop, frozenset(members(out))
                if d & a:
                    break

    def round(self, path: list[tuple[int, int, str, int]]) -> int:
        """Return what a loop removes."""
        out = 0
        for (_, x, _, _), (c, _, _, _) in pairwise([*path, path[0]]):
            out |= self.common(x) & self.common(c)
        for x, y, kind, where in path:
            cells = [c for c in range(81) if where >> c & 1] if kind == "sets" else []
            for v in range(1, 10):
                node = sum(literal(c, v) for c in cells if v in self.board[c])
                if node and not node & (x | y):
                    out |= self.common(node)
        return out


def one_value(path: Iterable[tuple[int, int, str, int]]) -> bool:
    """Return whether a chain is one of a single value."""
    return len({v for x, y, _, _ in path for _, v in members(x | y)}) == 1


def chains(
    board: Board, kinds: Sequence[str], loop: bool = False, alike: bool = True, tries: int = 3000
) -> Iterator[Removed]:
    """Chains of links of some kinds, the last of which occurs; the shortest that was drawn for what it removes.

    Chains of one value or of cells alone are those of these kinds alone. ``alike``: both ends have the same value.
    """
    best: dict[Removed, int] = {}
    narrow = "cells" not in kinds or len(kinds) == 1
    for path, closed, removed in Chains(board, kinds, len(kinds)).drawn(tries, 5):
        met = {kind for _, _, kind, _ in path}
        alone = one_value(path)
        fits = len(path) > 2 and alone == (kinds[0] != "cells") if narrow else len(met) > 1 and not alone
        fits = fits and closed == loop and (loop or one_value([(path[0][0], path[-1][1], "", 0)]) == alike)
        if fits and kinds[-1] in met and best.get(removed, 99) > len(path):
            best[removed] = len(path)
    yield from best


def remote_pairs(board: Board) -> Iterator[Removed]:
    """Four or more cells with one pair, each seeing the next: both values go where two of other parity are seen."""
    for pair in {board[c] for c in bivalue(board)}:
        cells = [c for c in bivalue(board) if board[c] == pair]
        for path in permutations(cells, 4) if len(cells) < 9 else ():
            if all(b in SEEN[a] for a, b in pairwise(path)):
                yield gone(board, seeing(path[0], path[3]) - set(path), pair)


# ----------------------------------------------------------------------------
# Almost locked sets.

Locked = tuple[frozenset[int], frozenset[int]]


def almost_locked(board: Board, most: int) -> list[Locked]:
    """Return the cells of a house with one value more than cells, and their values."""
    found = {}
    for house in HOUSES:
        cells = [c for c in house if len(board[c]) > 1]
        for k in range(1, most + 1):
            for some in combinations([c for c in cells if len(board[c]) <= k + 1], k):
                values = frozenset[int]().union(*(board[c] for c in some))
                if len(values) == k + 1:
                    found[frozenset(some)] = values
    return list(found.items())


def having(board: Board, cells: Iterable[int], value: int) -> list[int]:
    """Return the cells that may have a value."""
    return [c for c in cells if value in board[c]]


def restricted(board: Board, one: Locked, other: Locked) -> list[int]:
    """Return the common values that two sets cannot both have."""
    found = []
    for value in one[1] & other[1]:
        a, b = having(board, one[0], value), having(board, other[0], value)
        if all(d in SEEN[c] for c in a for d in b):
            found.append(value)
    return found


def seen_by_all(board: Board, value: int, *sets: Locked) -> Removed:
    """Return where a value goes that one of some sets has."""
    cells = [c for some in sets for c in having(board, some[0], value)]
    return gone(board, seeing(*cells) - frozenset[int]().union(*(some[0] for some in sets)), [value])


def als_xz(board: Board, doubly: bool, tries: int = 40000) -> Iterator[Removed]:
    """Two sets with a restricted common value; doubly linked with two of them."""
    rng, every = random.Random(1), almost_locked(board, 5)
    for _ in range(tries if len(every) > 1 else 0):
        one, other = rng.sample(every, 2)
        if one[0] & other[0] or len(one[0] | other[0]) < 4:
            continue
        common = restricted(board, one, other)
        if len(common) == 1 and not doubly:
            for z in (one[1] & other[1]) - set(common):
                yield seen_by_all(board, z, one, other)
        if len(common) == 2 and doubly:
            out = frozenset[tuple[int, int]]().union(*(seen_by_all(board, x, one, other) for x in common))
            for some in (one, other):
                out |= frozenset[tuple[int, int]]().union(*(seen_by_all(board, v, some) for v in some[1] - set(common)))
            yield frozenset(x for x in out if x[0] not in one[0] | other[0])


def als_chains(board: Board, length: int, tries: int = 4000) -> Iterator[Removed]:
    """Sets, each joined to the next by a restricted common value other than the last one; both ends have z."""
    rng, every = random.Random(length), almost_locked(board, 4)
    near: dict[int, list[tuple[int, int]]] = {}
    for _ in range(tries if every else 0):
        path, shared = [rng.randrange(len(every))], list[int]()
        while len(path) < length:
            i = path[-1]
            if i not in near:
                pairs = ((j, restricted(board, every[i], every[j])) for j in range(len(every)) if j != i)
                near[i] = [(j, x) for j, some in pairs if not every[i][0] & every[j][0] for x in some]
            able = [(j, x) for j, x in near[i] if j not in path and x not in shared[-1:]]
            if not able:
                break
            j, x = rng.choice(able)
            path.append(j)
            shared.append(x)
        else:
            first, last = every[path[0]], every[path[-1]]
            inside = frozenset[int]().union(*(every[i][0] for i in path))
            if len(inside) < sum(len(every[i][0]) for i in path):
                continue
            for z in (first[1] & last[1]) - {shared[0], shared[-1]}:
                out = seen_by_all(board, z, first, last)
                if out:
                    yield out


def death_blossoms(board: Board, tries: int = 3000) -> Iterator[Removed]:
    """A stem cell, and for each of its values a set all of whose places of that are seen; all sets have z."""
    rng, every = random.Random(3), almost_locked(board, 4)
    stems = [c for c in range(81) if 2 < len(board[c]) < 5]
    for _ in range(tries if stems else 0):
        stem = rng.choice(stems)
        chosen: list[Locked] = []
        common = frozenset(range(1, 10)) - board[stem]
        for value in board[stem]:
            able = [
                some
                for some in every
                if value in some[1]
                and common & some[1]
                and stem not in some[0]
                and set(having(board, some[0], value)) <= SEEN[stem]
                and not any(some[0] & other[0] for other in chosen)
            ]
            if not able:
                break
            chosen.append(rng.choice(able))
            common &= chosen[-1][1]
        if len(chosen) == len(board[stem]) and any(len(some[0]) > 1 for some in chosen):
            for z in common:
                yield seen_by_all(board, z, *chosen) - {(stem, z)}


def sue_de_coq(board: Board) -> Iterator[Removed]:
    """Two or three cells where box and line cross have two or more values too many; sets of the line and of the box
    share these out.
    """
    for box, line in product(BOXES, ROWS + COLUMNS):
        crossing = [c for c in box if c in line and len(board[c]) > 1]
        ends = [[c for c in house if c not in crossing and len(board[c]) > 1] for house in (line, box)]
        ends[0], ends[1] = [c for c in ends[0] if c not in box], [c for c in ends[1] if c not in line]
        sides = [[some for k in (1, 2, 3) for some in combinations(end, k)] for end in ends]
        for middle in (some for k in (2, 3) for some in combinations(crossing, k)):
            values = frozenset[int]().union(*(board[c] for c in middle))
            if len(values) < len(middle) + 2:
                continue
            first = [(some, frozenset[int]().union(*(board[c] for c in some))) for some in sides[0]]
            second = [(some, frozenset[int]().union(*(board[c] for c in some))) for some in sides[1]]
            for (a, x), (b, y) in product(first, second):
                every = values | x | y
                if x & y or not x & values or not y & values or len(every) != len(middle) + len(a) + len(b):
                    continue
                if not all(len(some) > len(own - values) for some, own in ((a, x), (b, y))):
                    continue  # a set that takes no value from the crossing
                in_line = (values - y) | x
                in_box = (values - x) | y
                yield gone(board, set(line) - set(middle) - set(a), in_line) | gone(
                    board, set(box) - set(middle) - set(b), in_box
                )


def wxyz_wings(board: Board) -> Iterator[Removed]:
    """A pivot wxyz sees pincers wz, xz and yz: z goes where all four are seen."""
    for pivot in (c for c in range(81) if len(board[c]) == 4):
        for some in combinations([c for c in bivalue(board) if c in SEEN[pivot] and board[c] < board[pivot]], 3):
            common = frozenset.intersection(*(board[c] for c in some))
            if len(common) == 1 and len(frozenset[int]().union(*(board[c] for c in some))) == 4:
                yield gone(board, seeing(pivot, *some), common)


TECHNIQUES: dict[str, Callable[[Board], Iterator[Removed]]] = {
    "pointing": lambda board: locked(board, BOXES, ROWS + COLUMNS),
    "claiming": lambda board: locked(board, ROWS + COLUMNS, BOXES),
    "naked pair": lambda board: naked(board, 2),
    "hidden pair": lambda board: hidden(board, 2),
    "naked triple": lambda board: naked(board, 3),
    "hidden triple": lambda board: hidden(board, 3),
    "naked quad": lambda board: naked(board, 4),
    "hidden quad": lambda board: hidden(board, 4),
    "X-wing": lambda board: fish(board, 2),
    "swordfish": lambda board: fish(board, 3),
    "jellyfish": lambda board: fish(board, 4),
    "finned X-wing": lambda board: finned(board, 2, False),
    "sashimi X-wing": lambda board: finned(board, 2, True),
    "skyscraper": skyscrapers,
    "two-string kite": lambda board: two_links(board, ROWS, COLUMNS, BOXES),
    "turbot fish": lambda board: two_links(board, BOXES, ROWS + COLUMNS, ROWS + COLUMNS),
    "empty rectangle": empty_rectangles,
    "XY-wing": xy_wings,
    "XYZ-wing": xyz_wings,
    "W-wing": w_wings,
}
"""Those of which every position is found."""

LINKS = {"": ("cells", "houses"), "grouped ": ("cells", "houses", "groups"), "set ": ("cells", "houses", "sets")}
MORE: dict[str, Callable[[Board], Iterator[Removed]]] = {
    **{
        f"{kind} {name}": partial(finned, size=k, sashimi=kind == "sashimi")
        for kind in ("finned", "sashimi")
        for k, name in ((3, "swordfish"), (4, "jellyfish"))
    },
    **{
        f"{shape} {name}": partial(mixed_fish, size=k, shape=shape)
        for shape in ("Franken", "mutant")
        for k, name in ((2, "X-wing"), (3, "swordfish"))
    },
    "dual two-string kite": lambda board: dual(board, kites_by_box),
    "dual empty rectangle": lambda board: dual(board, in_rectangles),
    "simple colours": simple_colours,
    "multi-colours": multi_colours,
    **{f"unique rectangle, type {kind}": partial(unique_rectangles, kind=kind) for kind in range(1, 7)},
    "hidden rectangle": hidden_rectangles,
    "BUG+1": grave,
    "WXYZ-wing": wxyz_wings,
    "remote pair": remote_pairs,
    "X-chain": partial(chains, kinds=("houses",)),
    "grouped X-chain": partial(chains, kinds=("houses", "groups")),
    "XY-chain": partial(chains, kinds=("cells",)),
    **{f"{kind}AIC": partial(chains, kinds=links) for kind, links in LINKS.items()},
    **{f"{kind}continuous loop": partial(chains, kinds=links, loop=True) for kind, links in LINKS.items()},
    **{f"{kind}discontinuous loop": partial(chains, kinds=links, alike=False) for kind, links in LINKS.items()},
    "ALS-XZ": lambda board: als_xz(board, False),
    "ALS-XZ, doubly linked": lambda board: als_xz(board, True),
    "ALS-XY-wing": lambda board: als_chains(board, 3),
    "ALS chain": lambda board: als_chains(board, 4),
    "death blossom": death_blossoms,
    "Sue de Coq": sue_de_coq,
}
"""Those that take longer, or have so many positions that some are drawn; "set": with almost locked sets."""
