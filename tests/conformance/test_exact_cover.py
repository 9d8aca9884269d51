"""The exact covers conform, on the models that they are."""

import pytest
from sudoku_backends.exact_cover import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance


class TestExactCover(BackendConformance):
    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
