"""Each solver of PySAT conforms, with another encoding each."""

import pytest
from sudoku_backends.cnf.solvers.pysat import BACKEND, PysatOptions

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

pytest.importorskip("pysat", reason="not applicable (platform): python-sat is not installed")


class TestPysat(BackendConformance):
    solve_native = natives.pysat

    @pytest.fixture(params=["minisat22", "glucose4", "cadical153"])
    def spec(self, request):
        return Selection(BACKEND, PysatOptions(solver=request.param))
