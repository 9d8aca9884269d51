"""The help shows the commands in groups, and for each command an example that runs; the shell completes names."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.cli.codes import Code
from sudoku_models.cli.parser import GROUPS, HOMES, command_named
from sudoku_models.formats import parse, write

from ..running import fresh

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
EXAMPLES = {name: command_named(name).example for name in HOMES}
SHORTER = {"set": ("--no-browser", "--time-limit", "0.1"), "dataset": ("--train", "50")}
"""Options behind those of an example that would take long."""


def test_the_help_names_the_groups_in_the_order_in_which_a_newcomer_needs_them(program: Callable[..., Any]) -> None:
    shown = program("--help").stdout
    places = [shown.index(f"\u2500 {group} \u2500") for group in GROUPS]
    assert places == sorted(places) and {command_named(name).group for name in HOMES} == set(GROUPS)
    assert list(GROUPS) == ["Solve", "Why", "Make", "Prove", "Compare", "Files"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with every file that an example reads."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "puzzle.txt").write_text(EASY + "\n", encoding="utf-8")
    (folder / "puzzles.txt").write_text(f"{EASY}\n{EASY[::-1]}\n", encoding="utf-8")
    (folder / "grids.txt").write_text(SOLVED + "\n", encoding="utf-8")
    (folder / "answers.csv").write_text(f"puzzle,solution\n{EASY},{SOLVED}\n", encoding="utf-8")
    (folder / "link.txt").write_text("".join(write([parse(EASY)], "sudokupad")), encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_a_command_runs(
    name: str, files: Path, program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    if name == "check":
        program(*shlex.split(EXAMPLES["certify"]))
    if name == "merge":
        for part in ("1/2", "2/2"):
            program("solve", "puzzles.txt", "--shard", part, "--out", "answers.csv")
    result = program(*shlex.split(EXAMPLES[name]), *SHORTER.get(name, ()))
    stopped = Code.LIMIT if name == "search" else Code.SOLVED  # a search without an end has a limit
    assert result.exit_code == stopped, (EXAMPLES[name], result.stderr)
    assert EXAMPLES[name].startswith(f"{name} ") and f"Example: sudoku-models {name}" in shown(program, name)


def shown(program: Callable[..., Any], command: str) -> str:
    """Return the help of a command with its words apart by single blanks."""
    return " ".join(program(command, "--help").stdout.split())


def test_the_shell_completes_commands_and_options() -> None:
    assert {"solve", "search"} <= set(completed("sudoku-models s", 1))
    assert completed("sudoku-models count --ti", 2) == ["--time-limit"]


def completed(line: str, word: int) -> list[str]:
    """Return what the program offers to bash for a word of a line."""
    asked = {"_SUDOKU_MODELS_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(word)}
    code = "import sys; sys.argv[0] = 'sudoku-models'; from sudoku_models.cli.main import main; main()"
    return fresh(code, **asked).split()
