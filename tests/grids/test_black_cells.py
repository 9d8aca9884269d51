"""Black cells are shown as such: a # without a value, a # before one that has a value."""

from __future__ import annotations

from sudoku_models import Grid, Puzzle, Shape, solutions, solve
from sudoku_models.display import picture
from sudoku_models.explain import explain
from sudoku_models.explain.explanation import OneSolution
from sudoku_models.formats import parse, write
from sudoku_models.puzzle.rules import AllOf, Black, ExtraCells, Unused

KAKURO = Puzzle.parse("kakuro:\n# 11\\ 5\\\n\\4 . .\n\\12 . .")
STR8TS = Puzzle.parse("str8ts:\n#1 4 . .\n. . # .\n. . . .\n. . . #4")


def test_the_answer_of_a_kakuro_has_no_values_in_black_cells() -> None:
    result = solve(KAKURO)
    assert result.grid is not None
    assert result.grid.to_line() == "####31#84"
    assert "| # 3 1 |" in str(result)
    assert result.grid["R1C1"] == 1, "the value is there for those who ask for it"
    with solutions(KAKURO) as found:
        assert [grid.to_line() for grid in found] == ["####31#84"]
    assert str(KAKURO).splitlines()[1:3] == ["| # # # |", "| # . . |"]


def test_black_cells_with_a_value_show_both() -> None:
    result = solve(STR8TS)
    assert result.grid is not None and result.grid.to_line() == "143232#141232314"
    assert str(result.grid).splitlines()[1:3] == ["| #1  4  3  2 |", "|  3  2  #  1 |"]
    assert str(STR8TS).splitlines()[1] == "| #1  4  .  . |"
    assert result.grid._repr_html_().count("background:#333") == 3
    assert parse("".join(write([STR8TS], "json"))) == STR8TS


def test_pictures_show_dark_cells_and_light_digits() -> None:
    svg = picture(STR8TS, solve(STR8TS), legend=False).svg
    assert svg.count('fill="#555"') == 3
    assert svg.count('fill="#fff"') == 2
    assert svg.count("<text") == 15


def test_looks_do_not_count_when_grids_are_compared() -> None:
    grid = solve(KAKURO).grid
    assert grid is not None and grid == Grid(grid.shape, grid.values) and grid.unused
    assert hash(grid) == hash(Grid(grid.shape, grid.values))


def test_black_cells_inside_groups_and_numbers_of_two_digits() -> None:
    shape = Shape(1, 3, range(1, 31), lines=False)
    puzzle = Puzzle(shape, (12, None, 30)).with_rules(AllOf((Unused("R1C2"),)), Black("R1C3 V"), ExtraCells("V"))
    grid = solve(puzzle).grid
    assert grid is not None and (grid.unused, grid.black, grid.to_line()) == ({1}, {2}, "12 # 30")


def test_an_explanation_shows_them_too() -> None:
    found = explain(KAKURO)
    assert isinstance(found, OneSolution) and str(found.solution).splitlines()[2] == "| # 3 1 |"
