"""HiGHS: large numbers drown in its tolerances. It runs in a process of its own: OR-tools bars it."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

from sudoku_models import count, solve
from sudoku_models.model import Linear, Model, Variable

from .seen import judge

RAW = """
import highspy, numpy as np
k = 10**15
engine = highspy.Highs()
engine.silent()
for i in range(5):
    engine.addVar(0, 1)
    engine.changeColIntegrality(i, highspy.HighsVarType.kInteger)
for columns in ([0, 1, 2], [3, 4]):
    engine.addRow(1, 1, len(columns), np.array(columns, dtype=np.int32), np.ones(len(columns)))
weights = [k, k + 1, k + 2, k, k + 5]
engine.addRow(2 * k + 6, 2 * k + 6, 5, np.arange(5, dtype=np.int32), np.array(weights, dtype=float))
engine.run()
values = engine.getSolution().col_value
print(sum(w for w, x in zip(weights, values) if x > 0.5) - 2 * k)
"""
"""Two numbers that add up to 2k + 6, in columns of their values."""


def test_the_engine_by_itself_calls_a_wrong_sum_a_solution() -> None:
    said = subprocess.run([sys.executable, "-c", RAW], capture_output=True, text=True, check=True).stdout
    judge("HiGHS", version("highspy"), (1, 11), (1, 15), int(said), 6)


@pytest.mark.parametrize("k", [0, 2**31, 10**11, 10**14, 2**53, 2**62, 2**63, -(10**15), 10**20])
def test_offsets_of_any_size_are_exact_in_the_library(k: int) -> None:
    x, y = Variable("x", (k, k + 1, k + 2)), Variable("y", (k, k + 5))
    model = Model([x, y], [Linear((1, 1), (x, y), "==", 2 * k + 6)])
    assert count(model, "highs", confirm=False).value == 1
    best = solve(Model([x, y]).maximise(3 * x + y + 7), "highs", confirm=False)
    assert best.objective == best.bound == 4 * k + 18
    far = Model([x, y], [Linear((1, 1), (x, y), "<=", 2 * k - 10**17)])
    assert count(far, "highs", confirm=False).value == 0


def test_a_wide_sum_is_confirmed_and_a_narrow_one_is_not() -> None:
    wide, narrow = Variable("w", (0, 1, 5_000)), Variable("n", (0, 1, 2))
    assert count(Model([wide], [Linear([2], [wide], ">", 2)]), "highs").record.confirmed == "cp-sat"
    assert count(Model([narrow], [Linear([2], [narrow], ">", 2)]), "highs").record.confirmed == ""
