"""The native engine conforms, with and without its reductions and most of its reasoning."""

import pytest
from sudoku_backends.native import BACKEND, NativeOptions
from sudoku_backends.native.backend import REASONING, REDUCTIONS

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")


class TestNative(BackendConformance):
    solve_native = natives.native

    @pytest.fixture(params=["", "+".join((*REDUCTIONS, *REASONING))])
    def spec(self, request):
        return Selection(BACKEND, NativeOptions(without=request.param))
