"""The program minizinc conforms, with Gecode."""

import shutil

import pytest
from sudoku_backends.minizinc import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if shutil.which("minizinc") is None:
    pytest.skip("not applicable (platform): the program minizinc is not installed", allow_module_level=True)


class TestMiniZinc(BackendConformance):
    solve_native = natives.minizinc
    share = 0.1

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
