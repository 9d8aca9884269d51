"""The long tail of a file of classic lines is answered in batches: what is written is what single answers would be."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from sudoku_models.bulk import blocks
from sudoku_models.collection import puzzles

from .conftest import batches_behind

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

Program = Callable[..., Any]

LINES = [item.puzzle.to_line() for item in puzzles("9x9-easy")]
SEVERAL = next(item.puzzle.to_line() for item in puzzles("9x9-several"))
NONE = next(item.puzzle.to_line() for item in puzzles("9x9-none"))
FULL = next(item.solution for item in puzzles("9x9-easy"))
CLASH = "11" + "." * 79
STRANGE = [
    "# a comment of its own",
    "",
    SEVERAL,
    NONE,
    CLASH,
    FULL or "",
    LINES[0].replace(".", "0"),
    f"{LINES[1]} # a remark, with a comma",
    "1...............",
    LINES[2][:80],
    f"{LINES[3][:40]}x{LINES[3][41:]}",
]


@pytest.fixture
def answers(program: Program, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Any, Any, int]]:
    """Run a command twice, one by one and with a tail; return both results and how many rows were in tails."""

    def run(*arguments: str, text: str | bytes) -> tuple[Any, Any, int]:
        batches_behind(monkeypatch, 10**9)
        alone = program(*arguments, input=text)
        batches_behind(monkeypatch, 3)
        rows = []
        made = blocks._of_lines_behind

        def counting(*given: Any) -> Any:
            for block in made(*given):
                rows.append(len(block))
                yield block

        monkeypatch.setattr(blocks, "_of_lines_behind", counting)
        return alone, program(*arguments, input=text), sum(rows)

    return run


def plain(text: str) -> list[Any]:
    """Return lines, without what differs from run to run: times, and who answered one by one."""
    gone = {"seconds", "phases", "backend", "choice"}
    found: list[Any] = []
    for line in text.splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            found.append((list(record), {name: value for name, value in record.items() if name not in gone}))
        else:
            found.append(re.sub(r",[a-z0-9:=-]*,[0-9.e-]*$", ",,", line))
    return found


def errors(text: str) -> list[str]:
    """Return the reported errors, sorted: a batch is read ahead of its answers."""
    return sorted(line for line in text.splitlines() if line.startswith("error: "))


COMMANDS = [
    (("solve", "-b", "bitset"), "line"),
    (("solve", "--unique", "-b", "bitset:lanes=4"), "csv"),
    (("count", "--limit", "2"), "jsonl"),
    (("validate",), "csv"),
    (("candidates",), "line"),
]


@pytest.mark.parametrize(("command", "format"), COMMANDS)
def test_every_row_is_written_as_it_would_be_alone(
    answers: Callable[..., tuple[Any, Any, int]], command: tuple[str, ...], format: str
) -> None:
    text = "\n".join([*LINES[:12], *STRANGE, *LINES[12:]]) + "\n"
    alone, tail, rows = answers(*command, "--format", format, text=text)
    assert rows > 20
    assert plain(tail.stdout) == plain(alone.stdout)
    assert errors(tail.stderr) == errors(alone.stderr)
    assert tail.exit_code == alone.exit_code


def test_a_pipe_that_stays_open_has_its_answers(start: Callable[..., subprocess.Popen[str]]) -> None:
    process = start("solve", stdin=subprocess.PIPE)
    assert process.stdin and process.stdout
    for _ in range(3):
        process.stdin.write("".join(f"{LINES[i % len(LINES)]}\n" for i in range(900)))
        process.stdin.flush()
        assert all(len(process.stdout.readline()) == 82 for _ in range(900))
    process.stdin.close()
    assert process.stdout.read() == ""
    assert process.wait() == 0


@pytest.mark.parametrize("lines", [["12..34..21..43.."] * 3, ["12.............3", None, "12.............."]])
def test_a_pipe_of_small_boards_has_each_answer_once_it_is_known_to_be_no_row(
    start: Callable[..., subprocess.Popen[str]], lines: list[str | None]
) -> None:
    """Values that are repeated in a line, or in columns of two lines, cannot be part of a board of 16 x 16."""
    process = start("solve", stdin=subprocess.PIPE)
    assert process.stdin and process.stdout
    waiting = 0
    for line in lines:
        waiting += line is None
        process.stdin.write(f"{line}\n" if line else "")
        process.stdin.flush()
        if None not in lines or line == lines[-1]:
            assert [len(process.stdout.readline()) for _ in range(waiting + 1)] == [17] * (waiting + 1)
    process.stdin.close()
    assert process.wait() == 0
