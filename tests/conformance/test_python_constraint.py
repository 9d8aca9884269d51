"""python-constraint conforms with each of its solvers, the incomplete one too."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives
from .answers import SOME


class TestPythonConstraint(BackendConformance):
    solve_native = natives.python_constraint

    @pytest.fixture
    def spec(self):
        return "python-constraint:solver=backtracking"


class TestSolvers(BackendConformance):
    """The same problem for other solvers: all checks, with fewer random cases."""

    solve_native = natives.python_constraint
    share = SOME

    @pytest.fixture(params=["optimized", "recursive", "minconflicts", "parallel"])
    def spec(self, request):
        return f"python-constraint:solver={request.param}"
