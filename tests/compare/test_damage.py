"""A damaged journal: what is whole is salvaged, nothing is made up, the rest runs again."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sudoku_models.compare import Journal, JournalError, Row, compare, resume
from sudoku_models.compare.journal import NAME
from sudoku_models.compare.report import Report

PUZZLES = ["1.....2....3....", "1.3...2....3.4..", "11.............."]
SPECS = ["backtracking", "pycosat"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sudoku_models.compare.pool.GENERATIONS", 1)
        compare(PUZZLES, SPECS, directory=folder, repeats=10)
    with closing(sqlite3.connect(folder / NAME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


class TestDamaged:
    """Bytes of the file are changed: what is whole is salvaged, nothing is made up, the rest runs again."""

    @pytest.mark.parametrize("kind", ["bytes", "block", "head", "shift", "end"])
    def test_every_whole_row_is_salvaged(self, whole: Path, tmp_path: Path, kind: str) -> None:
        data = (whole / NAME).read_bytes()
        stated = {row.key: row for row in Journal.open(whole).rows()}
        with closing(sqlite3.connect(whole / NAME)) as connection:
            texts = [said.encode() for (said,) in connection.execute("SELECT told FROM runs")]
        for seed in range(4):
            damaged = changed(data, kind, random.Random(seed))
            rows = salvaged_rows(tmp_path / str(seed), damaged)
            assert len({row.key for row in rows}) == len(rows) >= sum(text in damaged for text in texts)
            assert all(stated[row.key].wall == row.wall for row in rows)

    def test_the_damage_is_named_the_old_file_kept_and_the_rest_run_again(
        self, whole: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        data = bytearray((whole / NAME).read_bytes())
        at = data.index(b'"schema": "sudoku-models/compare/1"')
        data[at + 200] ^= 1
        (tmp_path / NAME).write_bytes(data)
        journal = Journal.open(tmp_path)
        assert (
            "damaged (a run differs from what was written): rebuilt from 59 whole runs and 3 instances"
            in journal.damage
        )
        assert journal.damage in caplog.text
        assert (tmp_path / f"{NAME}.damaged").read_bytes() == data
        assert journal.provenance()["damage"] == journal.damage
        second: list[Row] = []
        assert len(resume(tmp_path, on_row=second.append).rows) == 60
        assert len(second) == 1
        assert not Journal.open(tmp_path).damage

    def test_without_a_plan_the_runs_are_kept_as_lines(self, whole: Path, tmp_path: Path) -> None:
        data = (whole / NAME).read_bytes().replace(b"sudoku-models/journal/2", b"sudoku-models/journal/?")
        (tmp_path / NAME).write_bytes(data)
        with pytest.raises(JournalError, match=r"the plan is lost; its 60 whole runs are in .*rows\.jsonl"):
            Journal.open(tmp_path)
        assert len(Report.read(tmp_path / "rows.jsonl").rows) == 60


def changed(data: bytes, kind: str, chance: random.Random) -> bytes:
    """Damage some bytes: single ones, a block of zeros, the beginning, some put in between, the end cut off."""
    found, at = bytearray(data), chance.randrange(len(data))
    if kind == "bytes":
        for _ in range(20):
            found[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == "block":
        found[at : at + 5000] = bytes(len(found[at : at + 5000]))
    elif kind == "head":
        found[:100] = chance.randbytes(100)
    elif kind == "shift":
        found[at:at] = b"shifted"
    else:
        del found[at:]
    return bytes(found)


def salvaged_rows(folder: Path, data: bytes) -> list[Row]:
    """Open a damaged journal; return its rows, those that lie beside it where the plan is lost."""
    folder.mkdir()
    (folder / NAME).write_bytes(data)
    try:
        return list(Journal.open(folder).rows())
    except JournalError as error:
        beside = folder / "rows.jsonl"
        assert beside.exists() or "this is not a journal" in str(error)
        return [*Report.read(beside).rows] if beside.exists() else []
