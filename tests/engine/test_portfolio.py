"""Several backends at once: the first answer wins, the others end, and what has won is warm for the next run."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from sudoku_models.engine import Reason, Request, run, workers
from sudoku_models.engine.registry import select
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing.processes import LINUX, children, left_behind

BOTH = "portfolio:(backtracking)|(python-constraint:solver=minconflicts)"


def model(variables: int, values: int) -> Model:
    xs = [Variable(f"x{i}", range(1, values + 1)) for i in range(variables)]
    return Model(xs, [AllDifferent(xs)])


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    yield
    assert not left_behind(threads, processes)


def test_the_first_answer_wins_and_the_record_names_the_winner() -> None:
    with run(model(3, 3), "portfolio:(backtracking)|(backtracking:strategy=general)", Request(limit=None)) as found:
        assert sorted(found) == list(brute_force(model(3, 3)))
        assert found.outcome.complete
        assert found.record.notes[0].startswith("won by backtracking")


def test_a_member_that_gives_up_drops_out_and_the_proof_counts() -> None:
    with run(model(3, 2), BOTH) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.EXHAUSTED
    assert found.record.notes[-1] == "won by backtracking"


@pytest.mark.skipif(not LINUX, reason="only on Linux: processes are looked up in /proc")
def test_the_losers_end_and_the_winner_starts_the_next_run_warm() -> None:
    for _ in range(2):
        with run(model(3, 2), BOTH) as found:
            assert list(found) == []
        assert workers.is_warm(select("backtracking"))
        assert workers.waiting() <= children()
    warm = workers.take(select("backtracking"))
    assert warm.ran == {"backtracking"}
    warm.kill()
