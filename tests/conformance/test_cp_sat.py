"""CP-SAT conforms in both forms."""

import pytest

from sudoku_models.testing import BackendConformance


class TestCpSat(BackendConformance):
    @pytest.fixture(params=["cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false,linearization=0"])
    def spec(self, request):
        return request.param
