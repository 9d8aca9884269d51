"""Words on the command line become values of declared types, or a message that says what is wrong with which."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.bulk.shards import Shard
from sudoku_models.cli.codes import Code
from sudoku_models.cli.parser import HOMES, Given, command, command_named, values_of

READ: list[tuple[str, str, dict[str, Any]]] = [
    ("solve", "", {}),
    ("solve", "a b -", {"files": ["a", "b", "-"]}),
    ("solve", "-u a -v", {"files": ["a"], "unique": True, "verbose": True}),
    ("solve", "-uvn2 a", {"files": ["a"], "unique": True, "verbose": True, "limit": 2}),
    ("solve", "--format=csv --output b", {"format": "csv", "out": "b"}),
    ("solve", "--backend cp-sat:x=1 -- -a --limit", {"backend": "cp-sat:x=1", "files": ["-a", "--limit"]}),
    ("solve", "--limit 2 --limit 5", {"limit": 5}),
    ("solve", "-o - --alphabet=", {"out": "-", "alphabet": ""}),
    ("solve", "-j 2 --time-limit 1.5 --memory-limit 2G", {"jobs": 2, "time_limit": 1.5, "memory_limit": 2 << 30}),
    ("solve", "--shard 2/3 --boxes 2x3", {"shard": Shard(2, 3), "boxes": (2, 3)}),
    ("solve", "--certify folder --proof-limit 3s", {"certify": Path("folder"), "proof_limit": 3.0}),
    ("solve", "--out --unique", {"out": "--unique"}),
    ("generate", "--no-minimal --technique X-wing --technique naked", {
        "minimal": False, "technique": ["X-wing", "naked"],
    }),
    ("check", "a b", {"paths": [Path("a"), Path("b")]}),
    ("merge", "a.csv", {"out": "a.csv"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line", "expected"), READ)
def test_words_become_values_and_the_rest_are_defaults(name: str, line: str, expected: dict[str, Any]) -> None:
    asked = command_named(name)
    values, given = values_of(asked.parameters, line.split())
    assert values == {one.name: one.default for one in asked.parameters} | expected
    assert given == Given(expected)


@pytest.mark.parametrize("name", HOMES)
def test_every_command_has_help_and_no_option_twice(program: Callable[..., Any], name: str) -> None:
    found = program(name, "--help")
    assert found.exit_code == 0 and f"sudoku-models {name} [OPTIONS]" in found.stdout and "Exit codes" in found.stdout
    flags = [flag for one in command_named(name).parameters for flag in one.flags]
    assert len(flags) == len(set(flags)) and all(flag in found.stdout for flag in flags)


def test_the_program_without_words_shows_its_help_and_refuses_unknown_ones(program: Callable[..., Any]) -> None:
    assert program().exit_code == 2 and program().stdout == program("-h").stdout
    for words in (["--versoin"], ["slove", "a"], ["--version", "x"]):
        assert program(*words).exit_code == 2 and "error: " in program(*words).stderr
    assert "did you mean solve?" in program("slove").stderr


def test_a_command_of_an_unknown_group_is_refused_since_the_help_would_leave_it_out() -> None:
    with pytest.raises(ValueError, match="'Slove' is not a group of commands: one of Solve, "):
        command("Slove", "x")(lambda: Code.SOLVED)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_once(
    program: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    monkeypatch.setenv("HOME", str(tmp_path))
    for _ in range(2):
        assert program("--install-completion").exit_code == 0
    script = program("--show-completion").stdout
    written = {path.name: path.read_text() for path in tmp_path.rglob("*") if path.is_file()}
    assert script in written.values() and "_SUDOKU_MODELS_COMPLETE" in script
    assert all(len(text.splitlines()) == 1 for name, text in written.items() if name in (".bashrc", ".zshrc"))
