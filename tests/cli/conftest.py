"""How the tests run the program: in this process, or as one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.bulk import questions

from ..running import invoke

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quiet_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no comparison say that the machine was busy, whatever else runs beside the tests."""
    monkeypatch.setattr("sudoku_models.compare.machine._faults", lambda machine, rows: ())


@pytest.fixture
def program() -> Callable[..., Any]:
    """Run a command in this process: ``program("solve", "-", input=...)`` has exit_code, stdout, stderr."""

    def run(*arguments: str | Path, input: str | bytes | None = None) -> Any:
        return invoke(arguments, input)

    return run


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the program as a process of its own, which does not outlive the test.

    It ignores no signal, whatever the tests were started by (``nohup``, a shell's background).
    """
    environment = {**os.environ, "COLUMNS": "80"}

    def begin(*arguments: str | Path, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "sudoku_models.cli.main", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        chosen = {"preexec_fn": hear_signals if os.name == "posix" else None, **pipes, **options}
        begun.append(subprocess.Popen(command, env=environment, text=True, cwd=ROOT, **chosen))
        return begun[-1]

    begun: list[subprocess.Popen[str]] = []
    yield begin
    for process in begun:
        process.kill()
        process.wait()


def said(errors: str) -> str:
    """Return what a program said on standard error; not that it compiled something, which it does once on a machine."""
    return "".join(line for line in errors.splitlines(True) if "; this takes some seconds, once" not in line)


def hear_signals() -> None:
    """Ignore no signal that ends a program, whatever the tests were started by; for the child, before it begins."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def batches_behind(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Let rows be answered in batches behind so many of them."""
    monkeypatch.setattr(questions, "MANY", rows)
    for verb in (questions.Asking, questions.Validating):
        monkeypatch.setattr(verb, "first", rows)
