"""PicoSAT conforms with every encoding of houses and of at-most-one."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives
from .answers import AnswersConform


class TestPycosat(BackendConformance):
    solve_native = natives.pycosat

    @pytest.fixture
    def spec(self):
        return "pycosat"


class TestEncodings(AnswersConform):
    """Options choose the clauses; the same code hands them to PicoSAT."""

    solve_native = natives.pycosat

    @pytest.fixture(
        params=[
            "pycosat:house=minimal,amo=sequential",
            "pycosat:house=efficient,amo=commander",
            "pycosat:reduction=none",
        ]
    )
    def spec(self, request):
        return request.param
