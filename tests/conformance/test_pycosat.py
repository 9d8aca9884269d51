"""PicoSAT conforms with every encoding of houses and of at-most-one."""

import pytest

from sudoku_models.testing import BackendConformance


class TestPycosat(BackendConformance):
    @pytest.fixture(
        params=[
            "pycosat",
            "pycosat:house=minimal,amo=sequential",
            "pycosat:house=efficient,amo=commander",
            "pycosat:reduction=none",
        ]
    )
    def spec(self, request):
        return request.param
