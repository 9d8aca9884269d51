"""Command lines that are read without typer mean what typer takes them for; it reads all others."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sudoku_models.cli import app, plain_commands
from sudoku_models.cli.codes import Code
from sudoku_models.cli.commands import HOMES, command

PLAIN = {
    "solve": [
        "a b -", "", "-u a", "a --unique --limit 3 --out b", "--format=csv a -o b --backend cp-sat:x=1", "a --seed 0",
        "a -n 2 --time-limit 1.5 --memory-limit 2G --workers 3 -j 2 --verbose", "a --shard 2/3 --boxes 2x3",
        "a --certify folder --proof-limit 3s", "a --limit 2 --limit 5", "a --alphabet= b",
    ],
    "count": ["a --limit 2 --format jsonl", "- --column puzzle --strict --guess"],
    "generate": ["--number 3 --side 6 --boxes 2x3 --to grid", "--clues 22-30 --uniform"],
    "convert": ["a --to sdk --solution", "a -f grid"],
}  # fmt: skip

LEFT = {
    "solve": [
        "--help", "-h", "a --unknown", "a --limit 0", "a --limit x", "a --limit", "a --unique=1", "a -nu", "a -n2",
        "a --uniq", "a -- -b", "a --format pdf", "a --time-limit -1", "a --boxes 2y3", "a --out -", "--limit -3 a",
        f"a --memory-limit {'9' * 400}", "a --memory-limit 9000000T", f"a --workers {'9' * 400}",
        "a --time-limit 1e999",
    ],
    "generate": ["a", "--no-minimal", "--technique X-wing"],
    "compare": ["a"],
    "merge": ["a"],
    "check": ["a"],
}  # fmt: skip


def cases(lines: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, line) for name, all_of_it in lines.items() for line in all_of_it]


def by_typer(monkeypatch: pytest.MonkeyPatch, name: str, words: list[str]) -> dict[str, Any]:
    """Return the values that typer hands to a command."""
    seen: dict[str, Any] = {}
    real = command(name)

    def spied(_: str) -> Callable[..., Code]:
        def note(**values: Any) -> Code:
            seen.update(values)
            return Code.SOLVED

        note.__signature__, note.__doc__ = real.__signature__, ""  # type: ignore[attr-defined]
        return note

    monkeypatch.setattr(app, "command", spied)
    result = CliRunner().invoke(app.program(name), [name, *words])
    assert result.exit_code == 0, result.output
    return seen


@pytest.mark.parametrize(("name", "line"), cases(PLAIN))
def test_what_is_read_quickly_is_what_typer_reads(monkeypatch: pytest.MonkeyPatch, name: str, line: str) -> None:
    values = plain_commands.read(command(name), line.split())
    assert values is not None
    found = by_typer(monkeypatch, name, line.split())
    assert {**values, "files": list(values.get("files") or ())} == {**found, "files": list(found.get("files") or ())}


@pytest.mark.parametrize(("name", "line"), cases(LEFT))
def test_what_is_not_plain_is_left_to_typer(name: str, line: str) -> None:
    assert plain_commands.read(command(name), line.split()) is None


def test_every_command_has_a_home_and_help() -> None:
    for name in HOMES:
        found = CliRunner().invoke(app.program(name), [name, "--help"])
        assert found.exit_code == 0
        assert f"sudoku-models {name} [OPTIONS]" in found.output


def test_a_puzzle_is_solved_without_what_is_slow_to_load(tmp_path: Path) -> None:
    heavy = ("typer", "rich", "pydantic", "llvmlite", "pandas", "pyarrow", "sudoku_models.puzzle.rules.cages")
    (tmp_path / "p").write_text("1.....2......3...\n"[:16] + "\n")
    code = (
        "import sys\n"
        f"sys.argv = ['sudoku-models', 'solve', {str(tmp_path / 'p')!r}]\n"
        "from sudoku_models.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    print('ended with', end.code)\n"
        f"print(*[name for name in {heavy} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[1:3] == ["ended with 0", ""], done.stdout + done.stderr
