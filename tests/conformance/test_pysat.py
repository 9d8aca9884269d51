"""Each solver of PySAT conforms, with another encoding each."""

import pytest
from sudoku_backends.cnf.pysat import BACKEND, PysatOptions

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives
from .answers import SOME

pytest.importorskip("pysat", reason="not applicable (platform): python-sat is not installed")


class TestPysat(BackendConformance):
    solve_native = natives.pysat

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())


class TestSolvers(BackendConformance):
    """The same clauses for other engines: all checks, with fewer random cases."""

    solve_native = natives.pysat
    share = SOME

    @pytest.fixture(params=["glucose4", "cadical153"])
    def spec(self, request):
        return Selection(BACKEND, PysatOptions(solver=request.param))
