import numpy as np
import pytest

from sudoku_models.puzzle import Grid, Shape

ROWS = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 0]]


def test_rows_of_several_notations_make_the_same_grid() -> None:
    grid = Grid.from_rows(ROWS)
    assert grid.values[-2:] == (2, None)
    assert Grid.from_rows([["1", "2", "3", "4"], "3412", "2143", ["4", "3", "2", "."]]) == grid
    assert Grid.from_rows([*ROWS[:3], [4, 3, 2, None]]) == grid
    assert Grid.from_rows([*ROWS[:3], [4, 3, 2, ""]]) == grid


def test_cells_and_rows_are_looked_up() -> None:
    grid = Grid.from_rows(ROWS)
    assert grid["R1C2"] == grid[0, 1] == 2
    assert grid[1] == (3, 4, 1, 2)
    assert len(grid) == 4
    assert list(grid) == list(grid.rows())
    assert not grid.complete
    assert Grid.from_rows([[1, 2], [2, 1]], Shape.latin(2)).complete


def test_numpy_and_lists_go_both_ways() -> None:
    grid = Grid.from_rows(ROWS)
    array = grid.to_numpy()
    assert array.dtype == np.uint8
    assert array.tolist() == grid.to_list() == ROWS
    assert Grid.from_numpy(array) == Grid.from_numpy(array.reshape(-1)) == grid
    assert np.asarray(grid).sum() == array.sum()
    assert np.asarray(grid, dtype=np.int64).dtype == np.int64
    assert Grid.from_numpy(np.zeros((5, 5), int), Shape.latin(5)).values == (None,) * 25


def test_zero_as_a_value_is_kept_by_numpy_and_lists() -> None:
    shape = Shape(2, 2, (0, 1))
    grid = Grid.from_numpy(np.array([[0, 1], [1, 0]]), shape)
    assert grid.values == (0, 1, 1, 0)
    assert grid.to_list() == [[0, 1], [1, 0]]
    with pytest.raises(ValueError, match="0 is a value"):
        Grid(shape, (0, 1, None, 0)).to_list()


def test_a_grid_is_written_in_one_line() -> None:
    assert Grid.from_rows(ROWS).to_line() == "123434122143432."
    assert Grid.from_rows(ROWS).to_line("A-P") == "ABCDCDABBADCDCB."
    sixteen = Grid(Shape.square(16), (10, 16, *[None] * 254))
    assert sixteen.to_line()[:3] == "AG."
    assert sixteen.to_line("0-F")[:3] == "9F."
    assert Grid(Shape.square(36), (36, *[None] * 1295)).to_line()[:5] == "36 . "
    assert Grid(Shape(2, 2, (0, 1)), (0, 1, None, 0)).to_line() == "01.0"


@pytest.mark.parametrize("size", [(3, 27), (27, 3), (3, 3, 9)])
def test_an_array_of_another_form_is_refused(size: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="values for a board of 81 cells"):
        Grid.from_numpy(np.zeros(size, dtype=int), Shape.square(9))
