"""CP-SAT conforms in both forms."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives
from .answers import AnswersConform


class TestCpSat(BackendConformance):
    solve_native = natives.cp_sat

    @pytest.fixture
    def spec(self):
        return "cp-sat"


class TestForms(AnswersConform):
    """The options choose what is stated and how CP-SAT reasons; the same code starts it, listens and stops it."""

    solve_native = natives.cp_sat

    @pytest.fixture(params=["cp-sat:form=booleans", "cp-sat:presolve=false,linearization=0"])
    def spec(self, request):
        return request.param
