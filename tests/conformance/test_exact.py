"""Exact conforms."""

from importlib.util import find_spec

import pytest
from sudoku_backends.pseudo_boolean.exact import BACKEND

from sudoku_models.engine.registry import Selection
from sudoku_models.testing import BackendConformance

from . import natives

if find_spec("exact") is None:
    pytest.skip("not applicable (platform): the package exact is not installed", allow_module_level=True)


class TestExact(BackendConformance):
    solve_native = natives.exact
    share = 0.1

    @pytest.fixture
    def spec(self):
        return Selection(BACKEND, BACKEND.Options())
