import pytest

from sudoku_models.testing import BackendConformance


class TestLookahead(BackendConformance):
    @pytest.fixture
    def spec(self):
        return "lookahead"
