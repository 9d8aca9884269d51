"""The bulk solver conforms, on the family of models that it takes."""

import pytest
from sudoku_backends.bitset import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

pytest.importorskip("numba", reason="not applicable (feature): numba is not installed")


class TestBitset(BackendConformance):
    solve_native = natives.bitset

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
