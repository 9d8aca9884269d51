"""Choco loses solutions where a number of values is compared with a variable by another relation than equality."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from sudoku_backends import xcsp3
from sudoku_backends.xcsp3 import CHOCO_MAIN

from sudoku_models import Variable, count
from sudoku_models.model import Model, NValue, brute_force

from .seen import judge

RAW = """<instance format="XCSP3" type="CSP">
<variables>
<var id="x"> 0 4 6 </var>
<var id="y"> 0 4 6 </var>
<var id="z"> 0 4 6 </var>
</variables>
<constraints>
<nValues> <list> x </list><condition> (gt,y) </condition> </nValues>
<nValues> <list> x </list><condition> (ne,z) </condition> </nValues>
</constraints>
</instance>
"""
XS = [Variable(name, (0, 4, 6)) for name in "xyz"]
MODEL = Model(XS, [NValue(("x",), ">", "y"), NValue(("x",), "!=", "z")])


@pytest.fixture
def jar() -> str:
    if shutil.which("java") is None or find_spec("pycsp3") is None:
        pytest.skip("not applicable (feature): Java or the package pycsp3 is absent")
    return xcsp3.jar("choco/choco-parsers-*.jar")


def test_the_solver_by_itself_loses_solutions(jar: str, tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    path.write_text(RAW)
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", jar, CHOCO_MAIN, "-a", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    version = re.search(r"choco-parsers-(\d+\.\d+)", jar)
    assert version
    listed = re.findall(r"<list>([^<]*)</list>\s*<values>([^<]*)</values>", said.partition("\ns ")[0])
    found = {tuple(sorted(zip(names.split(), values.split(), strict=True))) for names, values in listed}
    judge("Choco", version[1], (4, 10), (4, 10), len(found), len(list(brute_force(MODEL))))


@pytest.mark.usefixtures("jar")
def test_no_solution_is_lost_by_the_library() -> None:
    assert count(MODEL, "choco", confirm=False).value == len(list(brute_force(MODEL)))
