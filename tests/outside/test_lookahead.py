"""A package of somebody else's adds a backend by its entry point alone: it conforms, is listed, and is compared."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path(__file__).with_name("lookahead")
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Install the package from its own folder, without a network; return what runs Python modules beside it."""
    folder = tmp_path_factory.mktemp("outside")
    source, target = folder / "lookahead", folder / "site"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    paths = os.pathsep.join(map(str, (target, ROOT, ROOT / "backends")))
    environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *map(str, arguments)]
        return subprocess.run(
            command, cwd=source, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    done = run("pip", "install", "--quiet", *offline, "--target", target, source)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (target / "sudoku_lookahead").is_dir() and not list(target.glob("sudoku_models*"))
    return run


def test_it_passes_the_suite_with_one_fixture(installed: Command) -> None:
    done = installed("pytest", "-q", "-p", "no:cacheprovider", "tests/test_conformance.py")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 30 and "failed" not in done.stdout


def test_it_is_listed_among_the_backends(installed: Command) -> None:
    done = installed("sudoku_models.cli.main", "backends", "--format", "json")
    assert done.returncode == 0, done.stderr
    listed = {backend["name"]: backend for backend in json.loads(done.stdout)["backends"]}
    assert {"lookahead", "backtracking", "cp-sat"} <= listed.keys()
    assert listed["lookahead"]["installed"] and listed["lookahead"]["constraints"] == [
        "AllDifferent",
        "Compare",
        "InDomain",
        "Table",
    ]


def test_it_is_compared_with_the_others(installed: Command, tmp_path: Path) -> None:
    puzzles, rows = tmp_path / "puzzles.txt", tmp_path / "rows.jsonl"
    puzzles.write_text(PUZZLE + "\n")
    chosen = ("-b", "lookahead:order=down", "-b", "backtracking", "--unique", "--out", rows)
    done = installed("sudoku_models.cli.main", "compare", puzzles, *chosen)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lookahead:order=down" in done.stdout
    found = [json.loads(line) for line in rows.read_text().splitlines()]
    assert {row["backend"] for row in found} == {"lookahead:order=down", "backtracking"}
    assert {(row["status"], row["unique"]) for row in found} == {("solved", True)}
    assert len({row["solution"] for row in found}) == 1


def test_an_unknown_option_of_it_is_told_with_the_choices(installed: Command, tmp_path: Path) -> None:
    puzzle = tmp_path / "puzzle.txt"
    puzzle.write_text(PUZZLE + "\n")
    done = installed("sudoku_models.cli.main", "solve", puzzle, "-b", "lookahead:order=sideways")
    assert done.returncode == 2
    assert "order=sideways is not known: up, down" in done.stderr


def test_without_the_package_it_is_not_there() -> None:
    from sudoku_models.engine import names

    assert "lookahead" not in names()
