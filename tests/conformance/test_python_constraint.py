"""python-constraint conforms with each of its solvers, the incomplete one too."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives


class TestPythonConstraint(BackendConformance):
    solve_native = natives.python_constraint

    @pytest.fixture(params=["backtracking", "optimized", "recursive", "minconflicts", "parallel"])
    def spec(self, request):
        return f"python-constraint:solver={request.param}"
