"""The bulk solver conforms, on the family of models that it takes, and so does its form in plain Python."""

from importlib.util import find_spec

import pytest
from sudoku_backends.bitset import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives


@pytest.mark.skipif(find_spec("llvmlite") is None, reason="not applicable (feature): llvmlite is not installed")
class TestBitset(BackendConformance):
    solve_native = natives.bitset

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())


class TestOneLane(BackendConformance):
    solve_native = natives.one_lane

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options(lanes="1"))
