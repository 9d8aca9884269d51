"""The page of certificates names the files that have to be trusted, and a check loads no others of its kind."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_models import prove
from sudoku_models.prove import certify, save

from .boards import SMALL, knapsack, ruled

FOLDER = Path(prove.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "certificates.md"
ASKED = """
import sys
from sudoku_models.prove import {verb}
assert {verb}(sys.argv[1], plain=True)
print(*(name for name in sys.modules if name.startswith("sudoku_")))
"""
ENGINES = ("sudoku_backends", "sudoku_models.engine", "sudoku_models.lowering", "sudoku_models.verbs")


def named() -> set[Path]:
    """Return the files that the table of the page names."""
    found = set()
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        names = re.findall(r"`([\w/]+\.py)`", cells[1]) if len(cells) == 3 else []
        found |= {FOLDER.parent / Path(names[0]).parent / Path(name).name for name in names}
    return found


def loaded(verb: str, path: Path) -> set[str]:
    """Return the modules of this package that a check loads in a process of its own."""
    command = [sys.executable, "-c", ASKED.format(verb=verb), str(path)]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout.split())


def test_the_files_that_are_named_exist() -> None:
    assert len(named()) > 10 and all(path.is_file() for path in named())


@pytest.mark.parametrize(("problem", "proof"), [(SMALL, "lrat"), (ruled(), "drat"), (knapsack(), "lrat")])
def test_a_check_loads_no_engine_and_no_file_that_the_page_leaves_out(
    problem: object, proof: str, tmp_path: Path
) -> None:
    claim = "count" if problem == ruled() else None
    modules = loaded("check", save(certify(problem, claim, proof=proof), tmp_path / "it.zip"))  # type: ignore[arg-type]
    assert not [name for name in modules if name.startswith(ENGINES)]
    ours = {name.removeprefix("sudoku_models.prove.") for name in modules if name.startswith("sudoku_models.prove.")}
    assert ours and {FOLDER / f"{name}.py" for name in ours} <= named()
    assert "certifying" not in ours
