"""``compare --report`` and ``compare --against``."""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import ENOSPC
from os import strerror
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

PUZZLES = "1.....2....3....\n1.3...2....3.4..\n"
BACKENDS = ("-b", "backtracking", "-b", "pycosat")


def test_reports_in_every_form_are_written_beside_the_tables_and_named(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    names = ["r.html", "r.md", "r.tex", "r.csv", "r.jsonl", "r.parquet"]
    (tmp_path / "p.txt").write_text(PUZZLES)
    options = [part for name in names for part in ("--report", tmp_path / name)]
    words = ["compare", *map(str, (tmp_path / "p.txt", *BACKENDS, *options))]
    monkeypatch.setattr("sys.argv", ["sudoku-models", *words])
    result = program(*words)
    assert result.exit_code == 0, result.stderr
    assert "All answers agree." in result.stdout
    said = {line.partition(": ")[2] for line in result.stderr.splitlines() if line.startswith("report: ")}
    assert said == {str(tmp_path / name) for name in names}
    assert {path.name for path in tmp_path.iterdir()} == {"p.txt", *names}
    assert f"sudoku-models compare {tmp_path / 'p.txt'} -b backtracking" in (tmp_path / "r.html").read_text()
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 4


def test_an_earlier_run_is_compared_with_from_its_folder_or_its_rows(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The later run is the earlier one, read again: its times are the same."""
    monkeypatch.setenv("COLUMNS", "160")
    folder = tmp_path / "old"
    first = program("compare", *BACKENDS, "--dir", folder, "--out", tmp_path / "old.jsonl", input=PUZZLES)
    assert first.exit_code == 0
    page = tmp_path / "new.html"
    for old, more in ((folder, ("--report", page)), (tmp_path / "old.jsonl", ())):
        result = program("compare", "--resume", folder, "--against", old, *more)
        assert result.exit_code == 0, result.stderr
        assert "Since the earlier run" in result.stdout
        assert result.stdout.count("no clear change") == 2 and "1.00 ×" in result.stdout
    assert "Since the earlier run" in page.read_text()


def test_an_earlier_run_that_asked_something_else_is_refused(program: Program, tmp_path: Path) -> None:
    program("compare", *BACKENDS, "--no-unique", "--dir", tmp_path / "old", input=PUZZLES)
    result = program("compare", *BACKENDS, "--against", tmp_path / "old", input=PUZZLES)
    assert result.exit_code == 2
    assert "asked for first, not unique, of backtracking" in " ".join(result.stderr.split())


def test_a_full_disk_leaves_what_was_there_and_the_journal(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        if not os.path.samestat(os.fstat(number), journal().stat()):
            raise OSError(ENOSPC, strerror(ENOSPC))

    def journal() -> Path:
        return next((tmp_path / "state").rglob("journal.jsonl"))

    out = tmp_path / "rows.jsonl"
    out.write_text("before")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("sudoku_models.formats.target.os.fsync", full)
    result = program("compare", *BACKENDS, "--out", out, input=PUZZLES)
    assert result.exit_code == 2
    assert "cannot be written: No space left on device, its earlier content is unchanged" in result.stderr
    assert out.read_text() == "before"
    assert not list(tmp_path.glob(".*.part"))
    (folder,) = (tmp_path / "state" / "sudoku-models").iterdir()
    assert f"--resume {folder}" in result.stderr
