"""Lists become the arrays that Arrow makes of them, and pandas is not loaded for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.bulk.arrow_arrays import listed
from sudoku_models.bulk.kinds import INTEGER, NUMBER, TEXT, TRUTH

pyarrow = pytest.importorskip("pyarrow")


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (TEXT, ["a", None, "ü", ""]),
        (TEXT, []),
        (TRUTH, [True, None, False] * 5),
        (NUMBER, [1, None, 2.5]),
        (INTEGER, [1, None, -(2**63)]),
        (INTEGER, [None]),
    ],
)
def test_a_list_is_the_array_that_arrow_makes_of_it(
    kind: str, values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = listed(values, kind, pyarrow)
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    ours = listed(values, kind, pyarrow)
    ours.validate(full=True)
    assert "pandas" not in sys.modules
    assert ours.equals(theirs) and ours.to_pylist() == values


@pytest.mark.parametrize(("kind", "value"), [(INTEGER, 2**63), (NUMBER, "x"), (TRUTH, 2), (TEXT, 7)])
def test_a_value_of_another_type_is_an_error_of_arrow(kind: str, value: object) -> None:
    with pytest.raises((pyarrow.ArrowException, OverflowError)):
        listed([value], kind, pyarrow)


def test_the_numbers_of_rows_and_lines_are_numbers_in_a_table(tmp_path: Path) -> None:
    from sudoku_models.bulk import solve_into

    (tmp_path / "in.txt").write_text("1...2...3...4...\nshort\n" * 3)
    solve_into(tmp_path / "in.txt", tmp_path / "out.arrow")
    table = pyarrow.ipc.open_file(tmp_path / "out.arrow").read_all()
    assert table["line"].to_pylist() == [1, 2, 3, 4, 5, 6] == table["number"].to_pylist()
