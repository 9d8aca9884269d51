"""What is written down about a run, and clocks that can be paused."""

from __future__ import annotations

import copy
import pickle

import pytest

from sudoku_models.engine import Record, Request, run
from sudoku_models.model import AllDifferent, Model, Variable

from ..held import HeldClock


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldClock:
    clock = HeldClock()
    monkeypatch.setattr("sudoku_models.engine.record.time", clock)
    return clock


def test_laps_of_a_phase_add_up(held: HeldClock) -> None:
    record = Record()
    watch = record.stopwatch()
    for _ in range(3):
        held.sleep(2)
        watch.lap("run")
    watch.restart()
    assert set(record.phases) == {"run"}
    assert (record.phases["run"].wall, record.phases["run"].cpu) == (6, 3)


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


def test_texts_of_a_record_may_be_written_when_they_are_first_read() -> None:
    written: list[str] = []

    def plan() -> tuple[str, ...]:
        written.append("plan")
        return ("p",)

    record = Record(plan=plan)  # type: ignore[arg-type]
    record.choice = lambda: "c"
    assert written == []
    assert (record.plan, record.plan, record.choice) == (("p",), ("p",), "c")
    assert written == ["plan"]
    assert (Record().plan, Record().choice) == ((), "")


def test_a_copy_of_a_record_has_the_texts_that_nobody_has_read() -> None:
    record = Record(choice="c")
    record.plan = lambda: ("p",)  # a function of this kind cannot be pickled
    for other in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert (other.plan, other.choice) == (("p",), "c")
        assert other == record
