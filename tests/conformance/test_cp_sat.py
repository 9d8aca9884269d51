"""CP-SAT conforms in both forms."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives


class TestCpSat(BackendConformance):
    solve_native = natives.cp_sat

    @pytest.fixture(params=["cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false,linearization=0"])
    def spec(self, request):
        return request.param
