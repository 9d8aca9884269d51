"""The backend ``z3``: what the conformance suite does not see."""

from __future__ import annotations

import gc

import pytest

from sudoku_models.engine.road import run
from sudoku_models.model import Model, Variable

pytest.importorskip("z3")


def test_dropped_models_do_not_pile_up_though_python_collects_no_garbage() -> None:
    from sudoku_backends.z3 import world

    gc.collect()
    before = len(world._living)
    gc.disable()
    try:
        for _ in range(2 * before + 4 * world.FEW):
            assert len(list(run(Model([Variable("x", (1, 2))]), "z3"))) == 1
    finally:
        gc.enable()
    assert len(world._living) < 2 * before + 3 * world.FEW
