"""Programs of the pseudo-Boolean competitions conform."""

import shutil

import pytest
from sudoku_backends.pseudo_boolean.opb import BACKEND, KNOWN

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if not any(map(shutil.which, KNOWN)):
    pytest.skip(f"not applicable (platform): none of {', '.join(KNOWN)} is installed", allow_module_level=True)


class TestOpb(BackendConformance):
    solve_native = natives.opb
    share = 0.05

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
