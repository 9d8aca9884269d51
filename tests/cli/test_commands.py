"""The other commands: count, validate, convert, export, backends, compare; help and version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sudoku_models
from sudoku_models import candidates, formats
from sudoku_models.compare import Row
from sudoku_models.engine import registry

from ..planting import planted

__all__ = ["planted"]

Program = Callable[..., Any]

SEVERAL, UNIQUE, CLASH = "1.....2....3....", "1.3...2....3.4..", "11.............."


def test_version(program: Program) -> None:
    assert program("--version").stdout == f"sudoku-models {sudoku_models.__version__}\n"


class TestBackends:
    def test_every_registered_backend_with_its_options(self, program: Program) -> None:
        text = program("backends").stdout
        for name in registry.names():
            assert f"{name}: " in text
        assert "form=integers|booleans" in text

    def test_what_is_missing_is_reported_with_the_command_that_installs_it(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(registry, "find_spec", lambda module: None if module == "ortools" else module)
        registry._select_text.cache_clear()
        result = program("backends")
        assert "cp-sat: not usable: ortools is not installed" in result.stdout
        assert "pip install 'ortools'" in result.stdout
        refused = program("solve", "-b", "cp-sat", input=UNIQUE)
        assert refused.exit_code == 2
        assert "pip install 'ortools'" in refused.stderr


class TestCompare:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("--dir", __file__), "the folder for the journal cannot be made: a file is in the way"),
            (("--dir", "/proc/nowhere"), "/proc/nowhere: the folder"),
            (("--scheduler", "nonsense"), "'nonsense' is not a scheduler: local, or an address such as"),
            (("--scheduler", "tcp://127.0.0.1:1"), "the scheduler tcp://127.0.0.1:1 cannot be reached"),
        ],
    )
    def test_a_place_that_cannot_be_is_reported_before_a_puzzle_is_read(
        self, program: Program, arguments: tuple[str, str], expected: str
    ) -> None:
        if "--scheduler" in arguments:
            pytest.importorskip("distributed")
        result = program("compare", "-b", "backtracking", *arguments, input="no puzzle")
        assert (result.exit_code, result.stdout) == (2, "")
        assert expected in result.stderr and len(result.stderr.splitlines()) == 1

    def test_a_table_on_standard_output_and_every_run_in_the_file(self, program: Program, tmp_path: Path) -> None:
        out = tmp_path / "rows.jsonl"
        arguments = ("--unique", "-b", "backtracking", "-b", "pycosat:amo=product", "-b", "pycosat", "--out", out)
        result = program("compare", *arguments, input=f"{UNIQUE}\n{SEVERAL}\n")
        assert result.exit_code == 0
        assert "2 puzzles, proof of uniqueness, 10 s a puzzle" in result.stdout
        assert "All answers agree." in result.stdout
        rows = [Row.parse(line) for line in out.read_text().splitlines()]
        assert len(rows) == 6
        assert {row.backend for row in rows} == {"backtracking", "pycosat:amo=product", "pycosat"}
        assert {row.line for row in rows} == {1, 2}

    @pytest.mark.usefixtures("planted")
    def test_wrong_backends_are_code_4_and_named_with_the_puzzle(self, program: Program) -> None:
        result = program(
            "compare", "-b", "denier", "-b", "uniquer", "-b", "ones", "-b", "pycosat", input=f"{SEVERAL}\n"
        )
        assert result.exit_code == 4
        for fault in ("denier", "uniquer", "ones"):
            assert f"WRONG: {fault} on puzzle 1, standard input line 1" in " ".join(result.stderr.split())
        assert "Wrong answers on 1 of 1 puzzles: " in result.stdout


@pytest.mark.parametrize("form", ["line", "grid"])
def test_what_is_written_can_be_read_as_pencil_marks(program: Program, tmp_path: Path, form: str) -> None:
    path = tmp_path / "marks"
    path.write_text(program("candidates", "-f", form, input=f"{SEVERAL}\n{CLASH}\n{UNIQUE}\n").stdout)
    (several, unique) = [entry.puzzle for entry in formats.read(path, input_format="pencilmarks")]
    assert several is not None and unique is not None and unique.grid.complete
    assert {x: several.domains.get(x, (1, 2, 3, 4)) for x in several.names} == candidates(SEVERAL)
