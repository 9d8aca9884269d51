"""z3 conforms."""

import pytest
from sudoku_backends.z3 import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

pytest.importorskip("z3", reason="not applicable (platform): z3-solver is not installed")


class TestZ3(BackendConformance):
    solve_native = natives.z3

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
