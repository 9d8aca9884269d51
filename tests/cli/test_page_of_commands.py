"""The pages about the command line and the backends show what the program prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.formats import parse, write

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "command_line.md").read_text(encoding="utf-8")


def test_the_table_of_backends_is_that_of_the_program(program: Callable[..., Any]) -> None:
    """``sudoku-models backends --markdown`` prints what belongs between the markers."""
    match = re.search(
        r"<!-- backends -->\n(.*)<!-- /backends -->", (DOCS / "backends.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert match
    assert match[1] == program("backends", "--markdown").stdout


def test_every_command_line_of_the_page_runs(
    program: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("puzzles.txt").write_text(f"{EASY}\n{EASY[::-1]}\n", encoding="utf-8")
    Path("puzzle.txt").write_text(EASY + "\n", encoding="utf-8")
    Path("link.txt").write_text("".join(write([parse(EASY)], "sudokupad")), encoding="utf-8")
    assert program("solve", "puzzles.txt", "--output", "puzzles.parquet").exit_code == 0
    for line in PAGE.splitlines():
        if line.startswith("sudoku-models "):
            result = program(*shlex.split(line, comments=True)[1:])
            assert result.exit_code == 0, (line, result.stderr)
            assert result.stdout or "--out" in line
