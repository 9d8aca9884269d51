"""ACE and Choco conform, by what is exported to them."""

import shutil
from importlib.util import find_spec

import pytest
from sudoku_backends.xcsp3 import ace, choco

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if shutil.which("java") is None or find_spec("pycsp3") is None:
    pytest.skip("not applicable (platform): Java or the package pycsp3 is not installed", allow_module_level=True)


@pytest.fixture(autouse=True)
def quick_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")  # half the time to start


class TestAce(BackendConformance):
    solve_native = natives.ace
    share = 0.04

    @pytest.fixture
    def spec(self):
        return Selection(ace.BACKEND, ace.BACKEND.Options())


class TestChoco(BackendConformance):
    solve_native = natives.choco
    share = 0.04

    @pytest.fixture
    def spec(self):
        return Selection(choco.BACKEND, choco.BACKEND.Options())
