"""``candidates``: which values each cell has in solutions, drawn, as lines, as records and as tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, candidates, formats

from ..planting import planted

__all__ = ["planted"]

Program = Callable[..., Any]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."


@pytest.mark.parametrize("form", ["line", "grid"])
def test_what_is_written_can_be_read_as_pencil_marks(program: Program, tmp_path: Path, form: str) -> None:
    path = tmp_path / "marks"
    path.write_text(program("candidates", "-f", form, input=f"{SEVERAL}\n{CLASH}\n{UNIQUE}\n").stdout)
    (several, unique) = [entry.puzzle for entry in formats.read(path, input_format="pencilmarks")]
    assert several is not None and unique is not None and unique.grid.complete
    assert {x: several.domains.get(x, (1, 2, 3, 4)) for x in several.names} == candidates(SEVERAL)


def test_records_hold_what_python_returns(program: Program) -> None:
    result = program("candidates", "-f", "jsonl", input=f"{SEVERAL}\n1234567\n{CLASH}\n")
    good, bad, clash = map(json.loads, result.stdout.splitlines())
    assert good["schema"] == "sudoku-models/candidates/1"
    assert {name: tuple(values) for name, values in good["candidates"].items()} == candidates(Puzzle.parse(SEVERAL))
    assert (good["status"], bool(good["backend"])) == ("settled", True)
    assert (bad["candidates"], bad["status"]) == (None, "bad input")
    assert set(map(tuple, clash["candidates"].values())) == {()}
    assert clash["status"] == "unsatisfiable" and clash["reason"].startswith("row 1 holds 1")
