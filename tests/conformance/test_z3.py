"""z3 conforms. It takes milliseconds for what others do in microseconds, so fewer of the random cases are asked."""

import pytest
from sudoku_backends.z3 import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives
from .answers import SOME

pytest.importorskip("z3", reason="not applicable (platform): z3-solver is not installed")


class TestZ3(BackendConformance):
    solve_native = natives.z3
    share = SOME

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
