"""A damaged journal: each damaged line is named, nothing is deleted or made up, and lost runs run again."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models.compare import Journal, JournalError, Plan, Row, compare, distinct, instances, resume
from sudoku_models.compare.journal import NAME
from sudoku_models.compare.report import read_run
from sudoku_models.journal import lines_of

PUZZLES = ["1.....2....3....", "1.3...2....3.4..", "11.............."]
SPECS = ["backtracking", "pycosat"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of 60 rows; lines 1 to 4 are the plan and the puzzles, 5 and 6 the session and the machine."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sudoku_models.compare.pool.GENERATIONS", 1)
        compare(PUZZLES, SPECS, directory=folder, repeats=10)
    assert len((folder / NAME).read_text().splitlines()) == 66
    return folder / NAME


@pytest.mark.parametrize("size", [1, 100, 5000])
def test_whatever_is_damaged_is_named_and_every_whole_row_is_read(whole: Path, tmp_path: Path, size: int) -> None:
    """Some bytes before the end become zeros, others, fewer or more: a line that is cut off there is no damage."""
    data, chance, file = whole.read_bytes(), random.Random(size), tmp_path / NAME
    stated = {row.key: row for row in Journal.open(whole).rows()}
    texts = [line for line in data.splitlines(keepends=True) if b'"sudoku-models/compare/1"' in line]
    assert len(texts) == 60
    for at in (0, *(chance.randrange(len(data) - size - 100) for _ in range(4))):
        new = chance.choice((bytes(size), chance.randbytes(size), b"", b"shifted"))
        damaged = data[:at] + new + data[at + size * (new != b"shifted") :]
        file.write_bytes(damaged)
        lost = [number for number, fields in lines_of(file) if fields is None]
        kept = sum(text in damaged.splitlines(keepends=True) for text in texts)
        journal = Journal.open(tmp_path)
        rows = list(journal.rows())
        assert lost and f"{lost[0]}" in journal.damage and "damaged and left out" in journal.damage
        assert len({row.key for row in rows}) == len(rows) == kept
        assert all(stated[row.key].wall == row.wall for row in rows)
        assert file.read_bytes() == damaged


def test_without_its_plan_a_comparison_cannot_be_continued_but_be_read(whole: Path, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(whole.read_bytes().replace(b"sudoku-models/journal/", b"sudoku-models/journals", 1))
    with pytest.raises(JournalError, match="the line of the plan is damaged: this comparison cannot be continued"):
        resume(tmp_path)
    report = read_run(tmp_path)
    assert len(report.rows) == 60
    assert "line 1 is damaged" in report.provenance["damage"]
    assert "60" in report.html()


def test_a_lost_row_runs_again_and_the_damage_stays_named(
    whole: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = bytearray(whole.read_bytes())
    at = data.index(b'"schema": "sudoku-models/compare/1"')
    data[at + 200] ^= 1
    (tmp_path / NAME).write_bytes(data)
    journal = Journal.open(tmp_path)
    assert journal.damage == (
        f"{tmp_path / NAME}: line 7 is damaged and left out: --resume makes the runs that are missing again"
    )
    assert journal.damage in caplog.text
    assert journal.provenance()["damage"] == journal.damage
    second: list[Row] = []
    assert len(resume(tmp_path, on_row=second.append).rows) == 60
    assert len(second) == 1
    assert (tmp_path / NAME).read_bytes().startswith(data)
    assert "line 7 is damaged" in Journal.open(tmp_path).damage


def test_a_journal_that_was_killed_while_it_was_made_is_named(whole: Path, tmp_path: Path) -> None:
    first = whole.read_bytes().splitlines(keepends=True)
    (tmp_path / NAME).write_bytes(first[0] + first[1] + first[2][:50])
    with pytest.raises(JournalError, match="making this journal was interrupted"):
        Journal.open(tmp_path)
    (tmp_path / NAME).write_bytes(first[0][:50])
    assert len(Journal.create(tmp_path, Plan.of(SPECS), distinct(instances(PUZZLES))).instances()) == 3


def test_rows_of_a_file_are_judged_as_in_a_journal(tmp_path: Path) -> None:
    whole = compare(PUZZLES[:1], SPECS).rows
    lie = json.loads(whole[0].json()) | {"status": "unsatisfiable", "solution": None, "unique": None, "backend": "liar"}
    (tmp_path / "rows.jsonl").write_text("\n".join([json.dumps(lie), *(row.json() for row in whole)]))
    found = read_run(tmp_path / "rows.jsonl").rows
    assert [row.status for row in found] == ["WRONG", "solved", "solved"]


def test_a_full_disk_is_an_error_with_its_file_and_the_rest_is_run_later(tmp_path: Path) -> None:
    """The limit for the size of a file stands for the size of a disk."""
    folder, puzzles = tmp_path / "run", tmp_path / "puzzles.txt"
    puzzles.write_text("".join(f"{'1':.>{place}}{'':.<{16 - place}}\n" for place in range(1, 13)))
    size = 12_000  # room for the plan and some rows
    backends = [f"--backend={spec}" for spec in SPECS]
    full = subprocess.run(
        [sys.executable, "-m", "sudoku_models", "compare", *backends, "--dir", folder, puzzles],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert full.returncode == 5
    assert f"error: {folder / NAME}: File too large" in full.stderr
    assert "internal error" not in full.stderr and "--verbose" not in full.stderr
    assert f"sudoku-models compare --resume {folder} goes on" in full.stderr
    before = Journal.open(folder).done()
    assert 0 < len(before) < 24
    second: list[Row] = []
    assert len(resume(folder, on_row=second.append).rows) == 24
    assert before.isdisjoint(row.key for row in second)
