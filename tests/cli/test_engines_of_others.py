"""Engines of other packages: what they print, and that they leave, does not reach the command line."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ..planting import planted

__all__ = ["planted"]

PUZZLE = "1234341221......"


def solved(backend: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sudoku_models", "solve", "--backend", backend, "--format", "line", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "200"}
    return subprocess.run(
        command, input=f"{PUZZLE}\n{PUZZLE}\n", capture_output=True, text=True, errors="replace", env=environment
    )


@pytest.mark.usefixtures("planted")
def test_what_an_engine_prints_does_not_get_among_the_answers() -> None:
    done = solved("printer", "-")
    assert done.stdout.splitlines() == solved("backtracking", "-").stdout.splitlines()
    assert len(done.stdout.splitlines()) == 2 and done.returncode == 0


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(("backend", "expected"), [("goer", "tried to exit"), ("segfaulter", "signal 11")])
def test_an_engine_that_leaves_has_crashed_and_the_program_goes_on(backend: str, expected: str) -> None:
    done = solved(backend, "-")
    assert done.stderr.count(expected) == 2
    assert done.returncode not in (0, 1) and "Traceback" not in done.stderr
