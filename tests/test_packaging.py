"""The wheel and the sdist hold what users need, and the wheel works from its own files alone."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BACKENDS = {"backtracking", "cp-sat", "pycosat", "python-constraint"}

USE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import sudoku_models, sudoku_backends
from sudoku_models import solve
from sudoku_models.collection import puzzles
where = Path(sys.argv[1])
assert where in Path(sudoku_models.__file__).parents, sudoku_models.__file__
assert where in Path(sudoku_backends.__file__).parents, sudoku_backends.__file__
item = puzzles("9x9-hard-01")[0]
for backend in sys.argv[2:]:
    assert solve(item.puzzle, backend).grid.to_line() == item.solution, backend
print("solved")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the sdist, as an installer would."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        yield archive


def modules() -> set[str]:
    """Return the source files of both packages, by their path in an installation."""
    pairs = [(ROOT, "sudoku_models"), (ROOT / "backends", "sudoku_backends")]
    return {path.relative_to(root).as_posix() for root, package in pairs for path in (root / package).rglob("*.py")}


def test_the_wheel_holds_both_packages_the_collection_the_licence_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert len(modules()) > 50
    wanted = {f"sudoku_models/{name}" for name in ("py.typed", "collection/classic.jsonl", "collection/variants.jsonl")}
    assert {*modules(), *wanted, "sudoku_backends/py.typed"} - names == set()
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"sudoku_models", "sudoku_backends"}
    assert not [name for name in names if "__pycache__" in name or "tests" in name.split("/")]


def test_the_wheel_registers_the_backends_and_the_command(wheel: zipfile.ZipFile) -> None:
    points = ConfigParser()
    points.optionxform = str  # type: ignore[assignment,method-assign]
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    points.read_string(wheel.read(name).decode())
    assert set(points["sudoku_models.backends"]) >= BACKENDS
    assert "sudoku-models" in points["console_scripts"]


def test_the_page_of_the_package_has_no_picture_or_link_that_leads_nowhere(wheel: zipfile.ZipFile) -> None:
    name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    head, _, page = wheel.read(name).decode().partition("\n\n")
    assert "text/markdown" in head and "```python" in page and "Solve and count, state a model, variants" in page
    assert not [at for at in re.findall(r'(?:\]\(|src=")([^)"]*)', page) if not at.startswith(("http", "#"))]


def test_the_sdist_holds_sources_tests_notebooks_and_the_changelog(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        sdist_names = {name.partition("/")[2] for name in archive.getnames()}
    sources = {name if name.startswith("sudoku_models") else f"backends/{name}" for name in modules()}
    assert sources - sdist_names == set()
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", "PKG-INFO"}
    wanted |= {"sudoku_models/collection/classic.jsonl", "notebooks/01_first_steps.ipynb", "tests/test_packaging.py"}
    assert wanted - sdist_names == set()


def test_the_unpacked_wheel_solves_with_every_backend(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    command = [sys.executable, "-c", USE, str(tmp_path), *sorted(BACKENDS)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, "solved\n"), done.stderr


WITHOUT_POSIX = """
import os, sys, pkgutil
from importlib import import_module
for name in ("fcntl", "resource", "termios", "tty", "pwd", "grp", "readline"):
    sys.modules[name] = None
import sudoku_models
for module in pkgutil.walk_packages(sudoku_models.__path__, "sudoku_models."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
from sudoku_models import Puzzle, candidates, solve
from sudoku_models.collection import puzzles
from sudoku_models.compare.report import read_run
from sudoku_models.explain import hint
item = puzzles("9x9-hard-01")[0]
for backend in ("auto", *sys.argv[2:]):
    assert solve(item.puzzle, backend).grid.to_line() == item.solution, backend
assert hint(item.puzzle) and candidates(item.puzzle)
print(read_run(sys.argv[1]).verdict)
"""


def test_without_the_modules_of_posix_all_is_imported_and_what_needs_none_of_them_works(tmp_path: Path) -> None:
    from sudoku_models.compare import compare

    made = compare(["1.....2....3...."], ["backtracking", "pycosat"])
    made.save(tmp_path / "rows.jsonl")
    command = [sys.executable, "-c", WITHOUT_POSIX, str(tmp_path / "rows.jsonl"), *sorted(BACKENDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.stdout.strip() == made.report().verdict, done.stderr
