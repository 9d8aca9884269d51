"""The commands that make puzzles, and those about what is needed of them and what is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_models.cli.codes import Code

Program = Callable[..., Any]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"puzzle": np.zeros((2, 25), np.uint8)}, "side 5 has no boxes"),
        ({"puzzle": np.zeros((2, 7), np.uint8)}, "boards of 7 cells: a square board is expected"),
        ({"puzzle": np.zeros((0, 81), np.uint8)}, "0 x 81, uint8): at least one board"),
        ({"puzzle": np.uint8(3)}, "a single value, uint8): at least one board"),
        ({"puzzle": np.full((1, 81), "x")}, "at least one board of whole numbers is expected"),
        ({"puzzle": np.full((1, 81), 0.5)}, "at least one board of whole numbers is expected"),
        ({"puzzle": np.full((1, 81), 300)}, "holds values outside 0 to 255"),
        ({"puzzle": np.zeros((1, 81)), "solution": np.zeros((2, 81))}, "equally many boards are expected"),
    ],
)
def test_arrays_that_are_no_boards_are_refused(
    program: Program, tmp_path: Path, arrays: dict[str, Any], message: str
) -> None:
    np.savez(tmp_path / "a.npz", **arrays)
    result = program("augment", str(tmp_path / "a.npz"))
    assert result.exit_code == Code.USAGE and message in result.stderr
