"""Black cells are shown as such: a # without a value, a # before one that has a value."""

from __future__ import annotations

from sudoku_models import Puzzle, solutions, solve
from sudoku_models.display import picture
from sudoku_models.formats import parse, write

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
