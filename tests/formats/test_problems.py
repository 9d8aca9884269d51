"""What there is to solve in a container."""

from __future__ import annotations

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats.reading import problems_of
from sudoku_models.puzzle import Puzzle

np = pytest.importorskip("numpy", reason="numpy is not installed")

TEXT = "1..............."


def test_an_array_of_texts_may_hold_bytes_as_numpy_keeps_them_in_files() -> None:
    good, bad = problems_of(np.array([TEXT.encode(), b"12345"]))
    assert good == Puzzle.parse(TEXT)
    assert isinstance(bad, FormatError)
    assert bad.row == 2


@pytest.mark.parametrize("kind", ["uint8", "int64", "float64", "bool"])
def test_one_board_as_an_array_is_refused_where_many_are_expected(kind: str) -> None:
    with pytest.raises(TypeError, match=r"an array of shape \(81,\) where many puzzles are expected"):
        problems_of(np.zeros(81, kind))
