"""The exact covers conform, on the models that they are."""

import pytest
from sudoku_backends.exact_cover import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives


class TestExactCover(BackendConformance):
    solve_native = natives.exact_cover

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
