import io

import numpy as np
import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import Entry, read
from sudoku_models.formats.reading import problems_of
from sudoku_models.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def entries(text: str) -> list[Entry]:
    return list(read(io.BytesIO(text.encode())))


def test_bad_rows_are_errors_and_reading_goes_on() -> None:
    found = entries(
        f"puzzle,solution\n{LINE},{SOLVED}\n\n{LINE}\n{LINE[1:]},{SOLVED}\n{LINE},{SOLVED[:-1]}x\n{LINE},{SOLVED[:-1]}a\n{LINE},\n"
    )
    assert [entry.line for entry in found] == [2, 4, 5, 6, 7, 8]
    said = ["", "line 4: 1 field", "line 5: 80 characters", "line 6: R9C9: the solution", "line 7: R9C9", ""]
    assert all(part in str(entry.error) for entry, part in zip(found, said, strict=True))
    assert [entry.error is None for entry in found] == [True, *[False] * 4, True]


@pytest.mark.parametrize("rows", [f"1,{LINE},2\n", "1,5,2\n"])
def test_a_table_whose_puzzles_have_an_unknown_column_is_one_error_that_names_the_columns(rows: str) -> None:
    for chosen, wanted in ((None, r"puzzle \(or .*; commands with --column accept any name\)"), ("bord", "'bord'")):
        expected = f"the columns are id, text, level: a column named {wanted} is expected"
        with pytest.raises(FormatError, match=expected):
            list(read(io.BytesIO(f"id,text,level\n{rows * 3}".encode()), column=chosen))


FOUR = "1..............."


def test_an_array_of_texts_may_hold_bytes_as_numpy_keeps_them_in_files() -> None:
    good, bad = problems_of(np.array([FOUR.encode(), b"12345"]))
    assert good == Puzzle.parse(FOUR)
    assert isinstance(bad, FormatError)
    assert bad.row == 2


@pytest.mark.parametrize("kind", ["uint8", "int64", "float64", "bool"])
def test_one_board_as_an_array_is_refused_where_many_are_expected(kind: str) -> None:
    with pytest.raises(TypeError, match=r"an array of shape \(81,\) where many puzzles are expected"):
        problems_of(np.zeros(81, kind))
