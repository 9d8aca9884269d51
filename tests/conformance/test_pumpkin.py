"""Pumpkin conforms."""

from importlib.util import find_spec

import pytest
from sudoku_backends.pumpkin import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if find_spec("pumpkin_solver") is None:
    pytest.skip("not applicable (platform): pumpkin-solver is not installed", allow_module_level=True)


class TestPumpkin(BackendConformance):
    solve_native = natives.pumpkin
    share = 0.1

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
