"""What is written down about a run, and clocks that can be paused."""

from __future__ import annotations

import copy
import pickle

import pytest

from sudoku_models.engine import Record, Request, run
from sudoku_models.model import AllDifferent, Model, Variable


@pytest.mark.parametrize("isolate", [False, True])
def test_a_run_writes_down_where_its_time_went(isolate: bool) -> None:
    xs = [Variable(f"x{i}", range(4)) for i in range(4)]
    with run(Model(xs, [AllDifferent(xs)]), "backtracking", Request(limit=None, seed=3), isolate=isolate) as found:
        assert len(list(found)) == 24
    record = found.record
    assert (record.backend, record.seed, record.isolated) == ("backtracking", 3, isolate)
    assert {"lower", "compile", "run", "check"} <= set(record.phases)
    assert record.phases["run"].cpu > 0
    assert all(phase.wall >= 0 for phase in record.phases.values())
    assert record.plan == ("1 x AllDifferent: kept",)
    assert record.sizes["variables"] == 4


def test_a_copy_of_a_record_has_the_texts_that_nobody_has_read() -> None:
    record = Record(choice="c")
    record.plan = lambda: ("p",)  # a function of this kind cannot be pickled
    for other in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert (other.plan, other.choice) == (("p",), "c")
        assert other == record
