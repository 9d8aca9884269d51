"""python-constraint conforms with every solver that can enumerate, and with the incomplete one."""

import pytest

from sudoku_models.testing import BackendConformance


class TestPythonConstraint(BackendConformance):
    @pytest.fixture(params=["python-constraint"])
    def spec(self, request):
        return request.param
