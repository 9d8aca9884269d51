import pickle

import pytest

from sudoku_models.puzzle import Shape, default_box

PARTED = "1122 1122 3344 3344"


@pytest.mark.parametrize(
    ("side", "box"),
    [(4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5)), (12, (3, 4)), (16, (4, 4)), (36, (6, 6))],
)
def test_boxes_are_those_nearest_to_squares_and_wide(side: int, box: tuple[int, int]) -> None:
    assert default_box(side) == box
    assert Shape.square(side).box == box


def test_irregular_regions_come_from_labels() -> None:
    shape = Shape.irregular("AAAB ACBB CCBD CDDD")
    assert (shape.height, shape.box) == (4, None)
    assert shape.regions == ((0, 1, 2, 4), (3, 6, 7, 10), (5, 8, 9, 12), (11, 13, 14, 15))
    assert Shape.irregular([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]) == Shape.irregular(PARTED)


def test_cells_have_names() -> None:
    shape = Shape.square(12)
    assert shape.names[:2] == ("R1C1", "R1C2")
    assert shape.names[-1] == "R12C12"
    assert [shape.cell(name) for name in shape.names] == list(range(144))
    assert shape.cell("r2c1") == 12


def test_houses_are_rows_columns_and_regions() -> None:
    names = [house.name for house in Shape.square(4).houses]
    assert names == [f"{kind} {i}" for kind in ("row", "column", "box") for i in (1, 2, 3, 4)]
    assert [house.name for house in Shape.irregular(PARTED).houses][-1] == "region 4"
    assert len(Shape.latin(4).houses) == 8
    wide = Shape(2, 3, (1, 2, 3))
    assert [house.cells for house in wide.houses] == [(0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5)]


@pytest.mark.parametrize("shape", [Shape.square(9), Shape.square(6, (3, 2)), Shape.latin(5)], ids=str)
def test_a_usual_board_that_was_pickled_is_the_shared_object_again(shape: Shape) -> None:
    assert pickle.loads(pickle.dumps(shape)) is shape


def test_a_shape_says_what_it_is() -> None:
    assert str(Shape.square(6)) == "6 x 6, boxes 2 x 3"
    assert str(Shape.latin(5)) == "5 x 5, no boxes"
    assert str(Shape.irregular(PARTED)) == "4 x 4, irregular regions"
