"""A long run of random models is resumed where it was stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from . import long_run


def test_a_long_run_goes_on_where_it_was_left_unless_its_code_changed(tmp_path: Path) -> None:
    state = tmp_path / "run.json"
    progress = long_run.begun(state)
    long_run.some(progress, 3)
    long_run.kept(progress, state)
    assert long_run.begun(state) == progress
    assert progress.done == 3
    assert "3 of 10 models, 0 differ" in progress.text(10)
    long_run.kept(replace(progress, code="other"), state)
    assert long_run.begun(state).done == 0
