"""Candidates of many boards: natively in batches, else board by board, and checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_models import FormatError, LimitReached, Puzzle, Shape, Unsupported, WrongAnswer, candidates, solve
from sudoku_models.bulk import candidates_arrays, candidates_frame, candidates_into
from sudoku_models.bulk.solving_arrays import solve_arrays
from sudoku_models.engine import batch as batch_module

from .made import BAD, CLASH, LINES, SMALL, read, table, write

OPEN = LINES[0].replace(next(c for c in LINES[0] if c != "."), ".")
BOARDS = [*LINES[:4], CLASH, OPEN, "".join("." if i > 50 else c for i, c in enumerate(LINES[1]))]


@pytest.mark.parametrize("backend", ["bitset", "auto", "pycosat", "backtracking"])
def test_a_mask_has_the_values_of_some_solution(backend: str) -> None:
    boards = BOARDS[:5] if backend == "backtracking" else BOARDS
    found = candidates_arrays(boards, backend)
    assert found.dtype == np.uint16
    for board, masks in zip(boards, found.tolist(), strict=True):
        wanted = candidates(board, "pycosat").values()
        assert [tuple(v for v in range(1, 10) if mask >> v - 1 & 1) for mask in masks] == list(wanted)


def test_masks_narrow_the_boards() -> None:
    masks = np.full((1, 81), 0x1FF, np.uint16)
    masks[0, :3] = 0b11, 0b11, 0b111
    for backend in ("bitset", "pycosat"):
        found = candidates_arrays(masks, backend)
        assert found[0, :3].tolist() == [0b11, 0b11, 0b100]
        assert not (found[0, 3:9] & 0b111).any()


def test_boards_of_other_shapes_are_answered_board_by_board() -> None:
    shape = Shape.square(4)
    found = candidates_arrays(np.array([[1] + [0] * 15], np.uint8), shape=shape)
    wanted = candidates(Puzzle.parse("1" + "." * 15), "backtracking")
    assert found[0].tolist() == [sum(1 << v - 1 for v in values) for values in wanted.values()]


def test_what_cannot_be_answered_is_reported() -> None:
    with pytest.raises(FormatError, match="line 2"):
        candidates_arrays([LINES[0], "nonsense"])
    with pytest.raises(LimitReached, match="time limit"):
        candidates_arrays(["." * 81] * 50, "bitset", time_limit=0)
    with pytest.raises(LimitReached, match="row 0") as caught:
        candidates_arrays(["." * 81], "backtracking", time_limit=0)
    assert len(caught.value.known) == 0  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="16 bits"):
        candidates_arrays(np.zeros((1, 625), np.uint8), shape=Shape.square(25))
    with pytest.raises(Unsupported, match="workers is 2"):
        candidates_arrays(LINES[:1], "backtracking", workers=2)


NO_BOARDS = [
    (np.full((1, 81), 0x200, np.uint16), ValueError, "row 0, R1C1: the mask 0x200 has bits beyond the 9 values"),
    (np.full((1, 81), 10, np.uint8), ValueError, "row 0, R1C1: 10 is not a value"),
    (np.zeros((1, 81), np.int64), ValueError, "int64 and shape (1, 81): uint8"),
    (np.zeros((1, 80), np.uint8), ValueError, "shape (1, 80)"),
    (np.zeros(81, np.uint8), ValueError, "shape (81,)"),
    (np.ma.zeros((1, 81), np.uint8), TypeError, "MaskedArray is not an array"),
    ([[0] * 81], TypeError, "line 1 is list"),
    ([LINES[0], None], TypeError, "line 2 is NoneType"),
    ([LINES[0], "", LINES[1]], FormatError, "line 2: one board"),
    (LINES[0], TypeError, "a text is not an array"),
]


@pytest.mark.parametrize("backend", ["bitset", "auto", "backtracking"])
@pytest.mark.parametrize(("grids", "kind", "words"), NO_BOARDS)
def test_what_are_no_boards_is_the_same_error_on_every_backend(
    grids: Any, kind: type[Exception], words: str, backend: str
) -> None:
    for verb in (candidates_arrays, solve_arrays) if backend != "backtracking" else (candidates_arrays,):
        with pytest.raises(kind, match=re.escape(words)):
            verb(grids, backend)


@pytest.mark.parametrize("fault", ["outside", "nowhere", "no solution"])
def test_wrong_candidates_are_caught_with_their_row(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    prepare = batch_module.prepare

    class Liar:
        witnesses = False

        def __init__(self, model: Any, spec: Any, *_: Any) -> None:
            self.compiled, self.inner = self, prepare(model, spec).compiled

        def candidates(self, grids: Any, request: Any) -> Any:
            found = self.inner.candidates(grids, request)  # type: ignore[attr-defined]
            masks = found.masks
            if fault == "outside":
                masks[1, grids[1].nonzero()[0][0]] = 0x1FF
            elif fault == "nowhere":
                masks[1] &= 0x1FE
            else:
                masks[1, :9] = masks[1, 8::-1]
            return found

    monkeypatch.setattr(batch_module, "prepare", Liar)
    with pytest.raises(WrongAnswer, match="row 1"):
        candidates_arrays([*LINES[:2], CLASH], "bitset")


@pytest.mark.parametrize("backend", ["bitset", "pycosat"])
def test_every_row_has_its_candidates_or_its_error(tmp_path: Path, backend: str) -> None:
    source = write(table([LINES[0], BAD, CLASH, None]), tmp_path / "in.arrow")
    summary = candidates_into(source, tmp_path / "out.parquet", backend)
    rows = read(tmp_path / "out.parquet")
    assert dict(summary.counts) == {"settled": 1, "bad input": 2, "unsatisfiable": 1}
    assert list(rows[0]) == ["id", "puzzle", "note", "candidates", "status", "reason", "backend", "seconds"]
    solved = Puzzle.parse(rows[0]["candidates"], input_format="pencilmarks")
    assert solved.grid == solve(LINES[0], "pycosat").grid
    assert [row["candidates"] is None for row in rows] == [False, True, True, True]


def test_a_table_gets_candidates_and_a_limit_leaves_them_unknown() -> None:
    frame = candidates_frame(table([SMALL]), "backtracking")
    assert frame["candidates"].to_pylist()[0].startswith("1....234")
    late = candidates_frame(table(["." * 81]), "backtracking", time_limit=1e-6)
    assert (late["status"].to_pylist(), late["reason"].to_pylist()) == (["unknown"], ["time limit"])
