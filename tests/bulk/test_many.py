"""Many items by an executor: results in order, each as soon as it is ready, and never many items at a time."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import solve_many


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_returned_error_about_a_value_has_its_row_too(jobs: int) -> None:
    rows: list[Any] = [[[0]], [[10]], 7]
    found = list(solve_many(rows, "backtracking", jobs=jobs, on_error="return"))
    assert [getattr(error, "__notes__", None) for error in found[1:]] == [["row 2"], ["row 3"]]
