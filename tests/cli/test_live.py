"""What a comparison shows while it runs, and how it goes on after it was stopped."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import collection
from sudoku_models.compare import Journal, Plan, Row, instances, run

from ..compare.made import done

Program = Callable[..., Any]
UNIQUE, SEVERAL = "1.3...2....3.4..", "1.....2....3...."
HARD = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
MANY = 300
"""Puzzles of a comparison that is interrupted: so many that it is not over before the signal comes."""


def test_a_terminal_sees_how_many_runs_are_done(start: Callable[..., subprocess.Popen[str]], tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{UNIQUE}\n{HARD}\n{HARD[::-1]}\n")
    master, slave = pty.openpty()
    engines = ("-b", "backtracking:strategy=rescan", "-b", "pycosat")
    process = start("compare", *engines, "--time-limit", "0.3", puzzles, stderr=slave)
    os.close(slave)
    seen = b""
    try:
        while data := os.read(master, 4096):
            seen += data
    except OSError:
        pass
    assert process.wait() == 0
    os.close(master)
    text = seen.decode()
    assert "comparing" in text
    assert "6/6" in text
    assert process.stdout
    assert "All answers agree." in process.stdout.read()


class TestResume:
    def test_a_comparison_that_was_interrupted_says_how_to_go_on_and_does(
        self, start: Callable[..., subprocess.Popen[str]], program: Program, tmp_path: Path
    ) -> None:
        puzzles, folder = tmp_path / "puzzles.txt", tmp_path / "run"
        puzzles.write_text("".join(f"{item.puzzle.to_line()}\n" for item in collection.puzzles(side=9)[:MANY]))
        process = start("compare", "-b", "backtracking", "--dir", folder, puzzles)
        while not done(folder):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        assert process.returncode == 130
        assert f"sudoku-models compare --resume {folder} goes on" in errors
        before = len(Journal.open(folder).done())
        assert 0 < before < MANY
        out = tmp_path / "rows.jsonl"
        result = program("compare", "--resume", folder, "--out", out)
        assert result.exit_code == 0
        assert f"{MANY} puzzles" in result.stdout
        rows = [Row.parse(line) for line in out.read_text().splitlines()]
        assert len(rows) == len({row.key for row in rows}) == MANY

    def test_what_was_planned_cannot_be_chosen_anew(self, program: Program, tmp_path: Path) -> None:
        assert program("compare", "-b", "backtracking", "--dir", tmp_path, input=UNIQUE).exit_code == 0
        result = program("compare", "--resume", tmp_path, "--repeats", "3")
        assert result.exit_code == 2
        assert "repeats cannot be changed" in result.stderr
        assert program("compare", "--resume", tmp_path).exit_code == 0

    def test_wrong_answers_of_earlier_sessions_are_named_again(self, program: Program, tmp_path: Path) -> None:
        plan, found = Plan.of(["backtracking", "pycosat"]), list(instances([UNIQUE, SEVERAL]))
        journal = Journal.create(tmp_path, plan, found)
        with journal.appending({}):
            for row in islice(filter(None, run(plan, found)), 3):
                false = row.backend == "backtracking" and row.sha256 == found[0].sha
                journal.add(replace(row, status="unsatisfiable", unique=None, solution=None) if false else row)
        for _ in range(2):
            result = program("compare", "--resume", tmp_path)
            assert result.exit_code == 4
            assert "WRONG: backtracking on puzzle 1: claims unsatisfiable; refuted by" in result.stdout
            assert result.stderr.count("WRONG: backtracking on puzzle 1") == 1
            assert "Wrong answers on 1 of 2 puzzles: backtracking." in result.stdout

    def test_without_a_folder_nothing_is_left(
        self, program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        assert program("compare", "-b", "backtracking", input=UNIQUE).exit_code == 0
        assert not list(tmp_path.rglob("journal.jsonl"))


def test_rounds_of_seeds_and_repeats(program: Program, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    arguments = ("-b", "pycosat", "--seed", "4", "--seeds", "2", "--repeats", "2", "--count", "--cpu-limit", "5")
    assert program("compare", *arguments, "-o", out, input=SEVERAL).exit_code == 0
    rows = [Row.parse(line) for line in out.read_text().splitlines()]
    assert sorted((row.seed, row.repeat, row.count) for row in rows) == [(4, 0, 3), (4, 1, 3), (5, 0, 3), (5, 1, 3)]
    assert {(row.cpu_limit, row.relabelled, row.asked) for row in rows} == {(5.0, True, "count")}
