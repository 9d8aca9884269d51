from __future__ import annotations

import copy

import pytest

from sudoku_models.verbs.classic import Solution

PUZZLE = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""
SOLVED = """
534678912
672195348
198342567
859761423
426853791
713924856
961537284
287419635
345286179
"""


def board(text: str) -> list[list[str]]:
    return [list(line) for line in text.split()]


@pytest.mark.parametrize("backend", ["backtracking:strategy=rows", "backtracking", "python-constraint"])
def test_a_board_is_solved_in_place(backend: str) -> None:
    given = board(PUZZLE)
    rows = list(given)
    assert Solution(backend).solveSudoku(given) is None
    assert given == board(SOLVED)
    assert all(row is before for row, before in zip(given, rows, strict=True))


def test_an_unsolvable_board_is_left_untouched() -> None:
    given = [["."] * 9 for _ in range(9)]
    given[0] = list("12345678.")
    given[1][8] = "9"
    before = copy.deepcopy(given)
    assert Solution().isValidSudoku(given)
    with pytest.raises(ValueError, match="no solution"):
        Solution("backtracking").solveSudoku(given)
    assert given == before


def test_an_illegal_board_is_left_untouched_and_the_clash_is_named() -> None:
    given = board(PUZZLE)
    given[0][2] = "5"
    before = copy.deepcopy(given)
    with pytest.raises(ValueError, match="row 1 holds 5 in R1C1 and R1C3"):
        Solution().solveSudoku(given)
    assert given == before


def test_a_partly_filled_board_is_valid_until_a_house_holds_a_digit_twice() -> None:
    assert Solution().isValidSudoku(board(PUZZLE))
    assert Solution().isValidSudoku(board(SOLVED))
    for r, c, digit in [(0, 8, "3"), (8, 0, "6"), (2, 0, "3")]:  # row, column, box
        given = board(PUZZLE)
        given[r][c] = digit
        assert not Solution().isValidSudoku(given)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda b: b.pop(), ValueError, "row 1 has 9 cells: 8 are expected"),
        (lambda b: b[3].append("."), ValueError, "row 4 has 10 cells: 9 are expected"),
        (lambda b: b[0].__setitem__(2, "0"), ValueError, "R1C3: '0' is not a cell"),
        (lambda b: b[0].__setitem__(2, "12"), ValueError, "R1C3: '12' is not a cell"),
        (lambda b: b[0].__setitem__(2, ""), ValueError, "R1C3: '' is not a cell"),
        (lambda b: b[4].__setitem__(4, 5), TypeError, "R5C5: 5 is not a character"),
        (lambda b: b.__setitem__(1, "6..195..."), TypeError, "list of rows"),
        (lambda b: b.clear(), ValueError, "a board of 0 rows"),
    ],
)
def test_a_malformed_board_is_refused_with_its_place(change, error, message) -> None:
    for method in (Solution().solveSudoku, Solution().isValidSudoku):
        given = board(PUZZLE)
        change(given)
        with pytest.raises(error, match=message):
            method(given)


def test_rows_that_are_one_list_are_refused() -> None:
    board = [["."] * 9] * 9
    with pytest.raises(ValueError, match="the same list"):
        Solution().solveSudoku(board)
    assert board == [["."] * 9] * 9
