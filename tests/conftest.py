"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    root = Path(os.environ.get("SUDOKU_SHARED") or Path(__file__).parents[2] / "shared")
    if not (root / "data").is_dir():
        pytest.skip("the shared data are absent")
    return root / "data"
