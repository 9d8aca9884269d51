"""Programs of the SAT competitions conform."""

import shutil

import pytest
from sudoku_backends.cnf.program import BACKEND, KNOWN

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if not any(map(shutil.which, KNOWN)):
    pytest.skip(f"not applicable (platform): none of {', '.join(KNOWN)} is installed", allow_module_level=True)


class TestDimacs(BackendConformance):
    solve_native = natives.dimacs
    share = 0.03

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
