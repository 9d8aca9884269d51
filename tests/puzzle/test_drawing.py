import re

from sudoku_models.puzzle import Grid, Puzzle, Shape


def test_boxes_are_drawn_with_borders() -> None:
    assert str(Puzzle.parse("12..34......4321")).splitlines() == [
        "+-----+-----+",
        "| 1 2 | . . |",
        "| 3 4 | . . |",
        "+-----+-----+",
        "| . . | . . |",
        "| 4 3 | 2 1 |",
        "+-----+-----+",
    ]


def test_numbers_stand_in_columns() -> None:
    lines = str(Grid(Shape.square(10), (10, *[None] * 98, 1))).splitlines()
    assert lines[1] == "| 10  .  .  .  . |  .  .  .  .  . |"
    assert len({len(line) for line in lines}) == 1


def test_borders_are_exactly_between_regions() -> None:
    shape = Shape.irregular("1112 1322 3324 3444")
    rows = [line for line in str(Puzzle.empty(shape)).splitlines() if "." in line]
    for r, line in enumerate(rows):
        for c in range(3):
            between = line[2 + 4 * c + 1 : 2 + 4 * c + 4]
            differ = shape.region_of[4 * r + c] != shape.region_of[4 * r + c + 1]
            assert ("|" in between) == differ, (r, c, line)


def test_the_notebook_shows_a_table() -> None:
    html = Puzzle.parse("12..34......4321")._repr_html_()
    assert (html.count("<tr"), html.count("<td"), html.count("<script")) == (4, 16, 0)
    assert "".join(re.findall(r">([^<]*)<", html)) == "12344321"
