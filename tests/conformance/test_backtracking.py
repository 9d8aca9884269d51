"""The reference backend conforms, whole and with every strategy."""

import pytest

from sudoku_models.testing import BackendConformance

from . import natives


class TestBacktracking(BackendConformance):
    solve_native = natives.backtracking

    @pytest.fixture(params=["auto", "general", "fewest", "rows", "rescan"])
    def spec(self, request):
        return f"backtracking:strategy={request.param}"
