"""A package of somebody else's adds a backend by its entry points: it conforms, is listed, chosen and compared."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_models.engine import names

ROOT = Path(__file__).parents[2]
PACKAGE = Path(__file__).with_name("lookahead")
PUZZLES = {"puzzle": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"}
PUZZLES |= {"houses": "12..34....43..21", "mixed": ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4"}
EAGER = """
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
GROUPS = {"backends": "eager", "auto": "15-eager", "auto.houses": "5-eager"}
Command = Callable[..., str]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Install the package from its own folder, without a network, beside another one that ``auto`` is to try.

    Return what runs the command line, or another module, beside them, and returns what it prints.
    """
    folder = tmp_path_factory.mktemp("outside")
    source, target = folder / "lookahead", folder / "site"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in PUZZLES.items():
        (source / name).write_text(f"{text}\n")
    paths = os.pathsep.join(map(str, (target, ROOT, ROOT / "backends")))
    environment = {**os.environ, "PYTHONPATH": paths, "COLUMNS": "200"}

    def run(*words: str | Path, module: str = "sudoku_models.cli.main", code: int = 0) -> str:
        words = (sys.executable, "-m", module, *words)
        options = {"cwd": source, "env": environment, "text": True, "timeout": 300, "check": False}
        done = subprocess.run(words, capture_output=True, **options)  # type: ignore[call-overload]
        assert done.returncode == code, done.stdout + done.stderr
        return str(done.stderr if code else done.stdout)

    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run("install", "--quiet", *offline, "--target", target, source, module="pip")
    (target / "eager.py").write_text(EAGER)
    (target / "eager-1.0.dist-info").mkdir()
    (target / "eager-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: eager\nVersion: 1.0\n")
    entries = "".join(f"[sudoku_models.{group}]\n{entry} = eager:BACKEND\n" for group, entry in GROUPS.items())
    (target / "eager-1.0.dist-info" / "entry_points.txt").write_text(entries)
    assert (target / "sudoku_lookahead").is_dir() and not list(target.glob("sudoku_models*"))
    return run


def test_it_passes_the_suite_with_one_fixture(command: Command) -> None:
    said = command("-q", "-p", "no:cacheprovider", "tests/test_conformance.py", module="pytest")
    assert int(said.rpartition("\n")[0].rpartition("\n")[2].partition(" passed")[0]) > 30


def test_it_is_listed_among_the_backends(command: Command) -> None:
    listed = {backend["name"]: backend for backend in json.loads(command("backends", "--format", "json"))["backends"]}
    assert {"lookahead", "eager", "backtracking", "cp-sat"} <= listed.keys()
    assert listed["lookahead"]["installed"]
    assert listed["lookahead"]["constraints"] == ["AllDifferent", "Compare", "InDomain", "Table"]
    assert "lookahead" not in names()  # where the package is not installed


def test_it_is_compared_with_the_others(command: Command, tmp_path: Path) -> None:
    chosen = ("-b", "lookahead:order=down", "-b", "backtracking", "--unique", "--out", tmp_path / "rows.jsonl")
    assert "lookahead:order=down" in command("compare", "puzzle", *chosen)
    found = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert {row["backend"] for row in found} == {"lookahead:order=down", "backtracking"}
    assert {(row["status"], row["unique"]) for row in found} == {("solved", True)}
    assert len({row["solution"] for row in found}) == 1


def test_an_unknown_option_of_it_is_told_with_the_choices(command: Command) -> None:
    said = command("solve", "puzzle", "-b", "lookahead:order=sideways", code=2)
    assert "order=sideways is not known: up, down" in said


def test_auto_tries_a_backend_at_the_place_that_it_declares_and_solves_with_it(command: Command) -> None:
    plans = [[line.partition(":")[0] for line in command("plan", name).splitlines()] for name in ("houses", "mixed")]
    houses, mixed = ([name for name in plan if name[:1].strip("# ")] for plan in plans)
    assert houses[0] == "eager" and mixed[mixed.index("eager") + 1] == "cp-sat"
    said = command("solve", "houses", "--format", "jsonl", "--verbose")
    assert '"backend": "eager"' in said and said.count('"1234341221434321"') == 1


def test_what_a_backend_writes_is_an_export(command: Command) -> None:
    assert command("export", "houses", "--to", "names").split()[:2] == ["R1C1", "R1C2"]
