"""ACE miscounts where a variable appears twice in a count."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from sudoku_backends import xcsp3
from sudoku_backends.xcsp3 import ACE_FLAGS

from sudoku_models import Variable, count
from sudoku_models.model import Count, Model, brute_force

from .seen import judge

RAW = """<instance format="XCSP3" type="CSP">
<variables>
<var id="x"> 1..2 </var>
<var id="y"> 1..2 </var>
</variables>
<constraints>
<count> <list> x x y </list><values> 2 </values><condition> (eq,2) </condition> </count>
</constraints>
</instance>
"""
MODEL = Model([Variable("x", (1, 2)), Variable("y", (1, 2))], [Count(("x", "x", "y"), (2,), "==", 2)])


@pytest.fixture
def jar() -> str:
    if shutil.which("java") is None or find_spec("pycsp3") is None:
        pytest.skip("not applicable (feature): Java or the package pycsp3 is absent")
    return xcsp3.jar("ace/ACE-*.jar")


def test_the_solver_by_itself_miscounts(jar: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(RAW)
    command = ["java", "-XX:TieredStopAtLevel=1", "-jar", jar, str(path), *ACE_FLAGS, "-s=all"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    version = re.search(r"ACE-(\d+\.\d+)", jar)
    assert version
    found = {tuple(values.split()) for values in re.findall(r"<values>([^<]*)</values>", said)}
    truth = {tuple(map(str, row)) for row in brute_force(MODEL)}
    judge("ACE", version[1], (2, 6), (2, 6), frozenset(found), frozenset(truth))


@pytest.mark.usefixtures("jar")
def test_the_library_counts_right() -> None:
    assert count(MODEL, "ace", confirm=False).value == len(list(brute_force(MODEL)))
