"""Packed files and tables that unpack to far more than they hold, and damaged ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture
def table(tmp_path: Path) -> Any:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    def write(*rows: object) -> Path:
        parquet.write_table(pyarrow.table({"puzzle": list(rows)}), tmp_path / "t.parquet")
        return tmp_path / "t.parquet"

    return write


@pytest.mark.parametrize(("small", "large"), [([0] * 81, [0] * 1_000_000), (LINE, "1" * 9_000_000)])
def test_a_cell_larger_than_any_puzzle_is_refused_among_small_ones(table: Any, small: object, large: object) -> None:
    with pytest.raises(FormatError, match=r"the column .puzzle. has a cell of [19],000,000 (values|bytes)"):
        list(read(table(*[small] * 9, large)))


@pytest.mark.parametrize("kept", [20, 200, -10])
def test_a_damaged_table_is_one_clear_error(table: Any, kept: int) -> None:
    path = table(*[LINE] * 100)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(FormatError, match=r"damaged|cannot be read"):
        list(read(path))


@pytest.mark.parametrize("open_cell", ["-1", ".", "0"])
def test_minus_one_is_an_open_cell_in_rows_of_numbers(open_cell: str) -> None:
    rows = [[c if c != "." else open_cell for c in LINE[i : i + 9]] for i in range(0, 81, 9)]
    assert parse("\n".join(" ".join(row) for row in rows)) == parse(LINE)


def test_another_number_below_0_is_refused() -> None:
    with pytest.raises(FormatError, match="-2 is not a value"):
        parse("1 -1 3 -1\n3 4 -2 2\n2 1 4 3\n4 3 2 1")


def test_points_and_zeros_are_both_open_where_no_value_is_0() -> None:
    rows = [["."] * 12 for _ in range(12)]
    rows[0][:3], rows[5][5:8] = ["0", "00", "12"], ["0", "7", "."]
    found = parse("\n".join(" ".join(row) for row in rows))
    assert (found.clues, found.givens[2], found.givens[66]) == (2, 12, 7)


@pytest.mark.parametrize(
    ("dimensions", "part"), [({"width": -9, "height": 4}, "width -9"), ({"height": 5}, "height 5"), ("4x4", "object")]
)
def test_dimensions_of_ipuz_are_those_of_its_rows(dimensions: object, part: str) -> None:
    import json

    data = {"kind": ["http://ipuz.org/sudoku#1"], "puzzle": [[0] * 4] * 4, "dimensions": dimensions}
    with pytest.raises(FormatError, match=part):
        parse(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    ["\n".join(["0 " * 8 + ". " * 8] * 16), "\n".join(["0" * 8 + "." * 8] * 16), "0" * 100 + "." * 156],
    ids=["numbers", "rows", "a line"],
)
def test_a_board_of_zeros_and_points_alone_is_an_empty_one(text: str) -> None:
    puzzle = Puzzle.parse(text)
    assert (puzzle.shape, puzzle.clues) == (Shape.square(16), 0)
