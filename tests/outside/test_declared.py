"""What a package of somebody else's declares is enough: ``auto`` chooses its backend, and its export is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BACKEND = """
from dataclasses import replace
from sudoku_backends.backtracking import Backtracking


class Eager(Backtracking):
    name = "eager"

    def capabilities_with(self, options):
        exports = {"names": lambda compiled, domains: (f"{name}\\n" for name in compiled.model.names)}
        return replace(super().capabilities_with(options), exports=exports)

    @property
    def capabilities(self):
        return self.capabilities_with(self.Options())


BACKEND = Eager()
"""

ENTRIES = """
[sudoku_models.backends]
eager = eager:BACKEND
[sudoku_models.auto]
15-eager = eager:BACKEND
[sudoku_models.auto.houses]
5-eager = eager:BACKEND
"""

Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The command line beside an installed package with this backend; the paths are those of the puzzles."""
    site = tmp_path / "site"
    info = site / "eager-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "eager.py").write_text(BACKEND)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    paths = os.pathsep.join(map(str, (site, ROOT, ROOT / "backends")))
    (tmp_path / "houses.txt").write_text("12..34....43..21\n")
    (tmp_path / "mixed.txt").write_text(".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sudoku_models.cli.main", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run


def planned(program: Program, puzzle: str) -> list[str]:
    """The backends that ``auto`` would try, in order, without their options."""
    done = program("plan", puzzle)
    assert done.returncode == 0, done.stderr
    return [line.rstrip(":").partition(":")[0] for line in done.stdout.splitlines() if line[0] not in " #"]


def test_auto_tries_it_at_the_place_that_it_declares(program: Program) -> None:
    assert planned(program, "houses.txt")[0] == "eager"
    mixed = planned(program, "mixed.txt")
    assert mixed[mixed.index("eager") + 1] == "cp-sat"


def test_auto_solves_with_it(program: Program) -> None:
    done = program("solve", "houses.txt", "--format", "jsonl", "--verbose")
    assert done.stdout.count('"1234341221434321"') == 1, done.stderr
    assert '"backend": "eager"' in done.stdout


def test_what_it_writes_is_an_export(program: Program) -> None:
    done = program("export", "houses.txt", "--to", "names")
    assert done.stdout.split()[:2] == ["R1C1", "R1C2"], done.stderr
