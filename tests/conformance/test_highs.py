"""HiGHS conforms. What asks the compiled model itself runs in a process of its own: this one may have OR-tools."""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec

import pytest
from sudoku_backends.highs import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import CHECKS, BackendConformance

from . import natives

if find_spec("highspy") is None:
    pytest.skip("not applicable (platform): highspy is not installed", allow_module_level=True)

APART = {
    "limits_on_the_compiled_model",
    "improvements_on_the_compiled_model",
    "maps_lead_both_ways",
    "maps_of_what_is_decided",
}

ALONE = """
import json, sys, traceback
from sudoku_backends.highs import BACKEND
from sudoku_models.testing import CHECKS, Subject
from tests.conformance import natives
subject = Subject.of(BACKEND)
subject.solve_native, subject.share = natives.highs, 0.1
for check in CHECKS:
    if check.name in sys.argv[1:]:
        try:
            check(subject)
        except Exception:
            print(json.dumps([check.name, traceback.format_exc()]))
        else:
            print(json.dumps([check.name, ""]))
"""


@cache
def apart():
    """Run these checks in one process of their own; return what went wrong in each."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p or "." for p in sys.path)}
    command = [sys.executable, "-c", ALONE, *APART]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return dict(map(json.loads, done.stdout.splitlines()))


class TestHighs(BackendConformance):
    solve_native = natives.highs
    share = 0.1

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
    def test_conforms(self, check, subject, request):
        if check.name not in APART:
            super().test_conforms(check, subject, request)
            return
        assert apart()[check.name] == ""


def test_the_engine_is_not_loaded_here():
    assert "highspy" not in sys.modules
