"""The demonstration."""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle
from sudoku_models.collection import DIFFICULTIES, demo, puzzles
from sudoku_models.compare import Comparison

from ..running import invoke


def test_it_compares_at_least_fifty_puzzles_of_all_difficulties_and_many_sizes() -> None:
    items = demo.selected()
    assert len({item.name for item in items}) >= 50
    assert {item.difficulty for item in items if item.name.startswith("9x9-")} == {None, *DIFFICULTIES}
    assert {item.puzzle.shape.height for item in items} >= {4, 6, 8, 9, 10, 12, 16}
    assert {min(item.solutions, 2) for item in items} == {0, 1, 2}


def test_it_shows_a_solved_puzzle_and_the_comparison_and_ends_with_three_commands_that_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setattr(demo, "SELECTED", {"9x9-easy": 1, "4x4": 1})
    assert demo.main() == 0
    out = capsys.readouterr().out
    assert "2 puzzles of sides 4, 9 on " in out
    grid = puzzles(demo.SHOWN)[0].solution or ""
    assert f"| {' '.join(grid[:3])} | {' '.join(grid[3:6])} | {' '.join(grid[6:9])} |" in out
    for backend in ("backtracking", "cp-sat", "pycosat", "python-constraint"):
        assert out.count(backend) >= 2
    assert "not taken" in out and "1 x not taken: bitset does not accept" in " ".join(out.split())
    assert "check tests it on the model" in " ".join(out.split())
    commands = [line[2:] for line in out.partition("Try next:")[2].splitlines() if line[2:3] not in ("", "#")]
    assert len(commands) == 3
    monkeypatch.chdir(tmp_path)
    for command in commands[:2]:
        done = invoke(shlex.split(command)[1:])
        assert done.exit_code == 0, done.stderr
    assert "generate" in commands[2] and [path.name for path in tmp_path.iterdir()] == ["puzzle.html"]


def test_a_wrong_answer_shows_in_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    real = demo.compare

    def lying(puzzles: list[Puzzle], names: list[str], **options: Any) -> Comparison:
        found = real(puzzles, names[:2], **options)
        wrong = dataclasses.replace(found.rows[0], status="WRONG", reason="a planted fault")
        return dataclasses.replace(found, rows=(wrong, *found.rows[1:]))

    monkeypatch.setattr(demo, "compare", lying)
    monkeypatch.setattr(demo, "SELECTED", {"4x4": 1})
    assert demo.main() == demo.EXIT_DISAGREE
