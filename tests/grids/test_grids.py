"""Twelve kinds of grids, each against every filling of a small board, judged by its own sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product

import pytest

from sudoku_models import Puzzle, grids, solutions
from sudoku_models.formats import parse, write

from ..puzzle.rules.boards import latin_squares

Grid = tuple[int, ...]
N = None


def rows(grid: Grid, width: int) -> list[Grid]:
    return [grid[i : i + width] for i in range(0, len(grid), width)]


def lines(grid: Grid, width: int) -> list[Grid]:
    found = rows(grid, width)
    return found + list(zip(*found, strict=True))


def latin(side: int) -> Iterable[Grid]:
    for chosen in product(permutations(range(1, side + 1)), repeat=side):
        grid = tuple(value for row in chosen for value in row)
        if all(len(set(line)) == side for line in lines(grid, side)):
            yield grid


def seen(line: Sequence[int]) -> int:
    return sum(value > max(line[:i], default=0) for i, value in enumerate(line))


def touching(width: int, cells: Iterable[int]) -> bool:
    places = [divmod(cell, width) for cell in cells]
    near = [(a, b) for a in places for b in places if a != b]
    return any(abs(a[0] - b[0]) <= 1 and abs(a[1] - b[1]) <= 1 for a, b in near)


def whole(width: int, cells: set[int]) -> bool:
    left, waiting = set(cells), list(cells)[:1]
    while waiting:
        cell = waiting.pop()
        if cell in left:
            left.remove(cell)
            waiting += [o for o in left if abs(o // width - cell // width) + abs(o % width - cell % width) == 1]
    return not left


def is_path(grid: Grid, width: int, king: bool) -> bool:
    at = {value: divmod(cell, width) for cell, value in enumerate(grid)}
    steps = [(abs(at[v][0] - at[v + 1][0]), abs(at[v][1] - at[v + 1][1])) for v in range(1, len(grid))]
    return all(max(step) == 1 and (king or sum(step) == 1) for step in steps)


def is_even(grid: Grid) -> bool:
    found = lines(grid, 4)
    threes = any(len(set(line[i : i + 3])) == 1 for line in found for i in (0, 1))
    return not threes and all(sum(x) == 2 for x in found)


def is_balanced(grid: Grid) -> bool:
    found = lines(grid, 4)
    return is_even(grid) and len({*found[:4]}) == 4 == len({*found[4:]})


def is_hitori(numbers: Grid, grid: Grid) -> bool:
    shaded = {cell for cell, value in enumerate(grid) if value}
    kept = lines(tuple(0 if value else numbers[cell] for cell, value in enumerate(grid)), 3)
    twice = any(line.count(v) > 1 for line in kept for v in line if v)
    beside = any(abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1 for a in shaded for b in shaded)
    return not twice and not beside and whole(3, set(range(9)) - shaded)


def is_starry(labels: str, grid: Grid) -> bool:
    stars = [cell for cell, value in enumerate(grid) if value]
    spread = sorted(labels[star] for star in stars) == sorted(set(labels))
    return spread and all(sum(line) == 1 for line in lines(grid, 4)) and not touching(4, stars)


def is_kakuro(grid: Grid) -> bool:
    a, b, c, d = (grid[i] for i in (4, 5, 7, 8))
    return (a + b, c + d, a + c, b + d) == (4, 12, 11, 5) and a != b and c != d and a != c and b != d


def is_straight(grid: Grid) -> bool:
    (a, b, _), (c, d, e), (_, f, g) = rows(grid, 3)
    runs = ((a, b), (c, d, e), (f, g), (a, c), (b, d, f), (e, g))
    return all(len(set(run)) == len(run) == max(run) - min(run) + 1 for run in runs) and d == 2


def board(values: Sequence[int], cells: int, fixed: dict[int, int] | None = None) -> Iterable[Grid]:
    return product(*([fixed[i]] if fixed and i in fixed else values for i in range(cells)))


MARKED = [
    (1, 2, 1, 3),
    (1, 2, 2, 2),
    (1, 3, 2, 3),
    (2, 1, 2, 2),
    (2, 1, 3, 1),
    (2, 2, 2, 3),
    (2, 2, 3, 2),
    (3, 1, 3, 2),
]
MARKS = sorted((3 * a + b - 4, 3 * c + d - 4) for a, b, c, d in MARKED)
NEAR = [(c, c + 1) for c in range(9) if c % 3 < 2] + [(c, c + 3) for c in range(6)]
LABELS = "aabbaabbccddccdd"
HITORI = (1, 1, 2, 2, 1, 3, 3, 3, 1)
CASES: dict[str, tuple[Puzzle, Callable[[], Iterable[Grid]], Callable[[Grid], bool]]] = {
    "futoshiki": (
        grids.futoshiki([[N] * 3, [N, N, 1], [N] * 3], [("R1C1", "R1C2"), ("R2C1", "R3C1")]),
        lambda: latin(3),
        lambda g: g[5] == 1 and g[0] > g[1] and g[3] > g[6],
    ),
    "kenken": (
        grids.kenken(
            3, [("R1C1 R1C2", "-", 1), ("R1C3 R2C3", "/", 3), ("R2C1 R2C2 R3C1", "*", 18), ("R3C2 R3C3", "+", 3)]
        ),
        lambda: latin(3),
        lambda g: abs(g[0] - g[1]) == 1 and {g[2], g[5]} == {1, 3} and g[3] * g[4] * g[6] == 18 and g[7] + g[8] == 3,
    ),
    "towers": (
        grids.towers([[N] * 3] * 3, {"left": [3, N, N], "top": [N, 2, N], "right": [N, 2, N], "bottom": [N, N, 2]}),
        lambda: latin(3),
        lambda g: seen(g[:3]) == 3 and seen(g[1::3]) == 2 and seen(g[5:2:-1]) == 2 and seen(g[8::-3]) == 2,
    ),
    "quasigroup": (grids.quasigroup([[1, N, N], [N, N, N], [N, N, 2]]), lambda: latin(3), lambda g: g[0] < 2 == g[8]),
    "kakuro": (
        grids.kakuro([[(N, N), (11, N), (5, N)], [(N, 4), N, N], [(N, 12), N, N]]),
        lambda: board(range(1, 10), 9, dict.fromkeys((0, 1, 2, 3, 6), 1)),
        is_kakuro,
    ),
    "killer": (
        grids.killer(["a..b", ".a..", "..a.", "b..."]),
        lambda: latin_squares(False),
        lambda g: (
            len({g[0], g[5], g[10]}) == 3
            and g[3] != g[12]
            and all(len({g[i], g[i + 1], g[i + 4], g[i + 5]}) == 4 for i in (0, 2, 8, 10))
        ),
    ),
    "magic square": (
        grids.magic_square([[2, N, N], [N, N, N], [N, N, N]]),
        lambda: ((2, *rest) for rest in permutations((1, 3, 4, 5, 6, 7, 8, 9))),
        lambda g: {sum(line) for line in [*lines(g, 3), g[::4], g[2:7:2]]} == {15},
    ),
    "str8ts": (
        grids.str8ts([[N] * 3, [N, 2, N], [N] * 3], [[False, False, True], [False] * 3, [True, False, False]]),
        lambda: board((1, 2, 3), 9, {2: 1, 6: 1}),
        is_straight,
    ),
    "binairo": (
        grids.binairo([[N] * 4, [N, 1, N, N], [N] * 4, [N] * 4]),
        lambda: board((0, 1), 16, {5: 1}),
        is_balanced,
    ),
    "unruly": (
        grids.binairo([[N] * 4, [N, 1, N, N], [N] * 4, [N] * 4], distinct=False),
        lambda: board((0, 1), 16, {5: 1}),
        is_even,
    ),
    "consecutive": (
        grids.consecutive([[N] * 3, [N, N, 1], [N] * 3], [(f"R{a}C{b}", f"R{c}C{d}") for a, b, c, d in MARKED]),
        lambda: latin(3),
        lambda g: g[5] == 1 and sorted(p for p in NEAR if abs(g[p[0]] - g[p[1]]) == 1) == MARKS,
    ),
    "hitori": (grids.hitori(rows(HITORI, 3)), lambda: board((0, 1), 9), lambda g: is_hitori(HITORI, g)),
    "star battle": (
        grids.star_battle(["aabb", "aabb", "ccdd", "ccdd"]),
        lambda: board((0, 1), 16),
        lambda g: is_starry(LABELS, g),
    ),
    "numbrix": (
        grids.numbrix([[1, N, N], [N, N, N]]),
        lambda: permutations(range(1, 7)),
        lambda g: g[0] == 1 and is_path(g, 3, False),
    ),
    "hidato": (
        grids.hidato([[N, N, 6], [N, N, N]]),
        lambda: permutations(range(1, 7)),
        lambda g: g[2] == 6 and is_path(g, 3, True),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_grid_has_the_solutions_that_its_sentence_admits(name: str) -> None:
    puzzle, fillings, judge = CASES[name]
    expected = {grid for grid in fillings() if judge(grid)}
    with solutions(puzzle, "cp-sat") as found:
        assert {grid.values for grid in found} == expected
    assert expected


@pytest.mark.parametrize("name", CASES)
def test_a_grid_is_written_as_players_write_it(name: str) -> None:
    puzzle = CASES[name][0]
    text = "".join(write([puzzle], "grids"))
    again = parse(text)
    assert set(again.rules) == set(puzzle.rules)
    assert (again.shape, again.givens) == (puzzle.shape, puzzle.givens)
    assert "".join(write([again], "grids")) == text
