"""The program as a process: exit codes, Ctrl-C at work, closed pipes, quick help, memory."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sudoku_models.bulk import blocks
from sudoku_models.cli import main
from sudoku_models.cli.codes import Code
from sudoku_models.testing.processes import LINUX

from ..compare.made import done
from .conftest import batches_behind, said

Start = Callable[..., "subprocess.Popen[str]"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only on POSIX: signals and pipes")
pty = pytest.importorskip("pty", reason="only on POSIX: pseudo-terminals")

NEEDS_Z3 = pytest.mark.skipif(find_spec("z3") is None, reason="not applicable (platform): z3 is not there")
HARD = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
EMPTY = "." * 81
UNIQUE, CLASH = "1.3...2....3.4..", "11.............."
COMMENT = 20_000
"""Characters of a long comment in a line."""


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "-b", "backtracking:strategy=rescan", "--jobs", "2"),
        ("compare", "-b", "backtracking:strategy=rescan", "--time-limit", "1000"),
        pytest.param(("solve", "-b", "z3"), marks=NEEDS_Z3),  # its engine works in a thread of its own
    ],
)
def test_ctrl_c_while_an_engine_works_is_130_at_once_and_leaves_nothing(
    start: Start, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """The first puzzle is answered at once, and the next ones are at work for hours."""
    path, folder = tmp_path / "hard.txt", tmp_path / "run"
    path.write_text(f"{_easy()}\n" + f"{HARD}\n" * (2 if arguments[0] == "compare" else 10_000))
    kept = ("--dir", folder) if arguments[0] == "compare" else ()
    process = start(*arguments, path, *kept, "--verbose", start_new_session=True)
    if kept:
        _wait_until(lambda: done(folder) == 1)
    else:
        assert process.stdout and len(process.stdout.readline()) == 82
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert "Traceback" not in errors
    _wait_until(lambda: not _children(process.pid))


@pytest.mark.skipif(not LINUX, reason="only on Linux: /proc tells which signals a process hears")
def test_ctrl_c_while_it_starts_is_130(start: Start) -> None:
    process = start("solve", stdin=subprocess.PIPE)
    _wait_until(lambda: _hears(process.pid, signal.SIGTERM))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, said(errors)) == (130, "")


def _hears(pid: int, number: signal.Signals) -> bool:
    """Return whether a process has begun to hear a signal, which the program does first of all."""
    heard = Path(f"/proc/{pid}/status").read_text().split("SigCgt:")[1].split()[0]
    return bool(int(heard, 16) >> number - 1 & 1)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_ended_by_a_signal_no_file_and_no_part_of_one_is_left(
    start: Start, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    path, folder = tmp_path / "hard.txt", tmp_path / "out"
    path.write_text(HARD)
    folder.mkdir()
    process = start("solve", "-b", "backtracking:strategy=rescan", path, "-o", folder / "solved.txt", "--jobs", "2")
    _wait_until(lambda: any(folder.iterdir()))
    process.send_signal(number)
    _, errors = process.communicate(timeout=600)
    assert (process.returncode, said(errors)) == (code, "")
    assert list(folder.iterdir()) == []
    _wait_until(lambda: not _children(process.pid))


def test_what_it_was_started_to_ignore_ends_nothing(start: Start) -> None:
    process = start("solve", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{_easy()}\n" * 300)
    process.stdin.flush()
    assert len(process.stdout.readline()) == 82
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=600)
    assert process.returncode == 0


@pytest.mark.parametrize("words", [["solve", *["1..............."] * 2000], ["backends"], ["solve", "--help"]])
def test_a_closed_pipe_is_quiet(start: Start, words: list[str]) -> None:
    process = start(*words)
    assert process.stdout
    process.stdout.close()
    assert process.stderr
    assert said(process.stderr.read()) == ""
    assert process.wait(timeout=600) == 0


def test_code_that_exits_the_program_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "_asked", lambda words: sys.exit(0))
    assert main.run(["backends"]) == Code.FAULT
    assert "exits the program with code 0" in capsys.readouterr().err


@NEEDS_Z3
@pytest.mark.parametrize("closed", [(0, 1, 2)])
def test_closed_streams_are_no_fault_where_an_engine_runs_in_a_child(start: Start, closed: tuple[int, ...]) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    command = ("solve", "-b", "z3", "--time-limit", "300", "--format", "json", "--out", "/dev/null", UNIQUE)
    process = start(*command, stderr=None, preexec_fn=close)
    assert process.wait(timeout=600) == 0


def test_a_bar_at_the_terminal_leaves_the_data_alone(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{UNIQUE}\n" * 200)
    parent, child = pty.openpty()
    process = start("solve", "-b", "backtracking", path, stderr=child)
    os.close(child)
    shown = threading.Thread(target=_drained, args=(parent, seen := bytearray()))
    shown.start()
    output, _ = process.communicate(timeout=600)
    shown.join()
    assert output.count("\n") == 200
    assert b"solving" in seen
    assert b"200/200" in seen


def _drained(terminal: int, seen: bytearray) -> None:
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 4096):
            seen += data
    os.close(terminal)


@pytest.mark.parametrize("command", ["validate", "solve"])
def test_many_lines_are_not_held_in_memory(
    program: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The lines alone are ten times that: what ``solve`` holds is a chunk for a backend that takes batches."""
    monkeypatch.setattr(blocks, "SIZE", 32)
    batches_behind(monkeypatch, 32)
    room, lines = 100_000, 100
    few, many = (_peak(program, command, tmp_path / f"{n}.txt", n) for n in (lines, lines + 10 * room // COMMENT))
    assert many < few + room


def _peak(program: Callable[..., Any], command: str, path: Path, lines: int) -> int:
    """Return the peak of bytes that Python allocates while so many lines pass through a command."""
    line = f"{UNIQUE} # {'x' * COMMENT}\n"
    path.write_text(line * 100)
    program(command, path, "--out", os.devnull)  # what is loaded once is loaded now
    path.write_text(line * lines)
    tracemalloc.start()
    try:
        assert program(command, path, "--out", os.devnull).exit_code == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _easy() -> str:
    return "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def _wait_until(condition: Callable[[], object], seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.02)


def _children(pid: int) -> list[int]:
    """Return the processes of a process's session, and the children that engines run in."""
    rows = _processes()
    return [row.pid for row in rows if row.parent == pid or (row.session == pid and row.pid != pid)]


class _Process(NamedTuple):
    pid: int
    parent: int
    session: int


def _processes() -> list[_Process]:
    """Return all processes, as /proc lists them, or ``ps`` where there is no /proc."""
    if not LINUX:
        listed = subprocess.run(["ps", "-eo", "pid=,ppid=,sess="], capture_output=True, text=True, check=True)
        return [_Process(*map(int, line.split())) for line in listed.stdout.splitlines()]
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            found.append(_Process(int(path.parts[2]), int(fields[1]), int(fields[3])))
    return found


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs what the system does not have: /dev/full")
def test_a_full_standard_output_is_one_error_that_names_it(start: Start) -> None:
    with Path("/dev/full").open("w") as full:
        process = start("validate", "." * 81, stdout=full)
        _, said = process.communicate(timeout=600)
    assert process.returncode == 5
    assert said == "error: standard output: No space left on device\n"


def test_a_closed_standard_input_is_one_clear_error(start: Start) -> None:
    process = start("solve", "-", stdin=None, preexec_fn=lambda: os.close(0))
    _, said = process.communicate(timeout=600)
    assert process.returncode == 2
    assert "standard input: is closed" in said
    assert "fault" not in said


def test_the_package_itself_is_the_program_too() -> None:
    asked = [sys.executable, "-m", "sudoku_models", "count"]
    said = subprocess.run(asked, input=EMPTY[:16], capture_output=True, text=True, timeout=600, check=False)
    assert (said.returncode, said.stdout) == (0, "288\n")
