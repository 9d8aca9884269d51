"""Techniques by their usual definitions, in plain Python: what each of them removes from a 9x9 board of candidates.

Written from what players' guides say a technique is, apart from any code of the package. A board is 81 sets of values;
what is removed are pairs (cell, value).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product

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
    for box, row, column, value in product(BOXES, ROWS, COLUMNS, range(1, 10)):
        where, crossing = set(places(board, box, value)), set(box) & set(row) & set(column)
        if not crossing or not where <= set(row) | set(column) or where <= set(row) or where <= set(column):
            continue
        for one, other, houses in ((row, column, COLUMNS), (column, row, ROWS)):
            for a, b in pairs_of(board, houses, value):
                if a in one and not {a, b} & set(box):
                    yield gone(board, (SEEN[b] & set(other)) - set(box) - {a}, [value])


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
