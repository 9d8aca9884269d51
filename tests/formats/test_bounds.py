"""Packed files and tables that unpack to far more than they hold, and damaged ones."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.errors import FormatError
from sudoku_models.formats import arrow, parse, read, unpacking
from sudoku_models.formats.source import Unzstd

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class Counted(io.BytesIO):
    """Counts the bytes that are asked for at once."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(size)
        self.most = max(self.most, len(found))
        return found


def test_few_packed_bytes_are_unpacked_at_once_and_what_is_left_is_not_copied() -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = Counted(zstandard.ZstdCompressor(level=19).compress(b"1" * 20_000_000))
    unpacked = Unzstd(packed)
    sizes, left = 0, 0
    while piece := unpacked.read(1 << 16):
        sizes += len(piece)
        left = max(left, unpacked._left.nbytes)
    assert sizes == 20_000_000
    assert packed.most <= 256
    assert left <= 256 // 4 * (1 << 17)
    assert isinstance(unpacked._left, memoryview)


@pytest.fixture
def table(tmp_path: Path) -> Any:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    def write(*rows: object) -> Path:
        parquet.write_table(pyarrow.table({"puzzle": list(rows)}), tmp_path / "t.parquet")
        return tmp_path / "t.parquet"

    return write


@pytest.mark.parametrize("cell", [[0] * 1_000_000, "1" * 9_000_000])
def test_a_table_that_declares_too_much_for_its_rows_is_refused_before_it_is_read(table: Any, cell: object) -> None:
    with pytest.raises(FormatError, match=r"column 'puzzle.*declares"):
        list(read(table(cell)))


def test_a_table_of_usual_rows_is_read(table: Any) -> None:
    assert [entry.puzzle for entry in read(table(LINE, LINE))] == [parse(LINE)] * 2


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


def test_minus_one_is_an_open_cell_on_large_boards_too() -> None:
    rows = [["-1"] * 16 for _ in range(16)]
    rows[2][3] = "16"
    found = parse("\n".join(" ".join(row) for row in rows))
    assert (found.clues, found.givens[35]) == (1, 16)


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


def test_a_cell_larger_than_any_puzzle_is_refused_among_small_ones() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="not applicable (platform): pyarrow is not there")
    from pyarrow import parquet

    target = io.BytesIO()
    parquet.write_table(pyarrow.table({"puzzle": ["." * 81] * 9 + ["1" * 9_000_000]}), target)
    with pytest.raises(FormatError, match="a cell of 9,000,000 bytes"):
        list(read(io.BytesIO(target.getvalue())))


@pytest.mark.parametrize("form", ["parquet", "dictionary", "arrow"])
@pytest.mark.parametrize("nested", [False, True])
def test_of_a_long_text_that_comes_again_and_again_few_rows_are_read_at_once(
    form: str, nested: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="not applicable (platform): pyarrow is not there")
    from pyarrow import parquet

    for module in (arrow, unpacking):
        monkeypatch.setattr(module, "AT_ONCE", 1_000_000)
    texts = pyarrow.array(["1" * 100_000, *["." * 81] * 9] * 200)
    texts = texts if form == "parquet" else texts.dictionary_encode()
    table = pyarrow.table({"puzzle": [LINE] * 2_000, "other": texts})
    if nested:
        table = table.set_column(1, "other", pyarrow.StructArray.from_arrays([texts], ["inner"]))
    path = tmp_path / "t"
    if form == "arrow":
        with pyarrow.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    else:
        parquet.write_table(table, path)
        assert path.stat().st_size < 100_000
    with arrow.opened_table("arrow" if form == "arrow" else "parquet", path, "t") as (_, batches):
        sizes = [batch.num_rows for batch in batches]
    assert sum(sizes) == 2_000
    assert max(sizes) == 10 or (nested and form == "arrow")
    assert sum(entry.puzzle is not None for entry in read(path)) == 2_000


def test_lists_that_may_all_be_in_one_row_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="not applicable (platform): pyarrow is not there")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"puzzle": [[0] * 100_000, *[[0] * 81] * 99]}), tmp_path / "t")
    monkeypatch.setattr(unpacking, "MOST_OF_LISTS", 500_000)
    with pytest.raises(FormatError, match=r"the lists of .* declare up to \d+,\d+ bytes in a row group of 100 rows"):
        list(read(tmp_path / "t"))
