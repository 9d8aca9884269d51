import pickle
from typing import Any

import pytest

from sudoku_models.puzzle import LARGEST_SIDE, Shape, default_box

PARTED = "1122 1122 3344 3344"


@pytest.mark.parametrize(
    ("side", "box"),
    [(4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5)), (12, (3, 4)), (16, (4, 4)), (36, (6, 6))],
)
def test_boxes_are_those_nearest_to_squares_and_wide(side: int, box: tuple[int, int]) -> None:
    assert default_box(side) == box
    assert Shape.square(side).box == box


@pytest.mark.parametrize("side", [2, 3, 5, 7, 11, 397])
def test_a_prime_side_has_no_boxes(side: int) -> None:
    with pytest.raises(ValueError, match=f"side {side} has no boxes"):
        Shape.square(side)
    assert Shape.latin(side).regions == ()


@pytest.mark.parametrize("box", [(2, 2), (9, 9), (1, 6), (0, 6)])
def test_boxes_that_do_not_part_the_board_are_refused(box: tuple[int, int]) -> None:
    if box == (1, 6):
        assert Shape.square(6, box).regions[0] == tuple(range(6))
    else:
        with pytest.raises(ValueError, match="do not divide a board of side 6"):
            Shape.square(6, box)


@pytest.mark.parametrize("side", [0, -1, LARGEST_SIDE + 1])
def test_sides_are_bounded(side: int) -> None:
    with pytest.raises(ValueError, match=r"side|cells"):
        Shape.latin(side)
    with pytest.raises(ValueError, match=r"side|cells"):
        Shape.square(side)


def test_irregular_regions_come_from_labels() -> None:
    shape = Shape.irregular("AAAB ACBB CCBD CDDD")
    assert (shape.height, shape.box) == (4, None)
    assert shape.regions == ((0, 1, 2, 4), (3, 6, 7, 10), (5, 8, 9, 12), (11, 13, 14, 15))
    assert Shape.irregular([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]) == Shape.irregular(PARTED)


@pytest.mark.parametrize(
    ("labels", "part"),
    [("112", "3 region labels"), ("", "0 region labels"), ("1112 1122 3344 3344", "region '1' has 5 cells: 4")],
)
def test_regions_of_other_sizes_are_refused(labels: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Shape.irregular(labels)


@pytest.mark.parametrize("region", [(0, 0), (0, 16), (-1, 2)])
def test_a_region_names_cells_of_the_board_once(region: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="repeats a cell or names"):
        Shape(4, 4, (1, 2, 3, 4), (region,))


def test_cells_have_names() -> None:
    shape = Shape.square(12)
    assert shape.names[:2] == ("R1C1", "R1C2")
    assert shape.names[-1] == "R12C12"
    assert [shape.cell(name) for name in shape.names] == list(range(144))
    assert shape.cell("r2c1") == 12


@pytest.mark.parametrize("name", ["R0C1", "R1C0", "R5C1", "R1C5", "A1", "", "R1C1 ", "R-1C1", "R1C1R1C1"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="R1C1 to R4C4 are expected"):
        Shape.square(4).cell(name)


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


@pytest.mark.parametrize("box", [3, (3, 3, 1), ("3", "3"), (3.0, 3.0)])
def test_a_box_is_a_height_and_a_width(box: Any) -> None:
    with pytest.raises(TypeError, match=r"\(height, width\) is expected|is not an integer"):
        Shape.square(9, box)


@pytest.mark.parametrize("side", [9.0, "9", None])
def test_a_side_is_an_integer(side: Any) -> None:
    for shape in (Shape.square, Shape.latin):
        with pytest.raises(TypeError, match="is not an integer"):
            shape(side)
