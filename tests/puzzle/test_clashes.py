from sudoku_models.puzzle import Puzzle, Shape, clashes


def texts(line: str, shape: Shape) -> list[str]:
    return [str(clash) for clash in clashes(shape, Puzzle.parse(line, shape=shape).givens)]


def test_a_legal_board_has_no_clash() -> None:
    assert texts("12.." + "." * 12, Shape.square(4)) == []
    assert clashes(Shape.square(4), (None,) * 16) == ()


def test_every_house_is_looked_at_rows_first() -> None:
    assert texts("1..1............", Shape.square(4)) == ["row 1 holds 1 in R1C1 and R1C4"]
    assert texts("1...........1...", Shape.square(4)) == ["column 1 holds 1 in R1C1 and R4C1"]
    assert texts("1....1..........", Shape.square(4)) == ["box 1 holds 1 in R1C1 and R2C2"]
    assert texts("1....1..........", Shape.latin(4)) == []


def test_all_cells_of_a_clash_are_named() -> None:
    found = texts("111.............", Shape.latin(4))
    assert found == ["row 1 holds 1 in R1C1 and R1C2 and R1C3"]


def test_a_clash_may_show_in_several_houses() -> None:
    assert texts("11..............", Shape.square(4)) == [
        "row 1 holds 1 in R1C1 and R1C2",
        "box 1 holds 1 in R1C1 and R1C2",
    ]
