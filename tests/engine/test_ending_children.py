"""Children end when they are not needed any more: behind a last solution, and without a parent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from sudoku_models.engine import Reason, Request, run, workers
from sudoku_models.engine.registry import select
from sudoku_models.model import brute_force

from . import planted
from .test_isolation import PATIENCE, linux, model


@pytest.fixture(autouse=True)
def no_children() -> Iterator[None]:
    workers.close_idle()
    yield
    workers.close_idle()


@pytest.mark.parametrize("limit", [None, 100])
def test_an_engine_that_never_stops_after_its_last_solution_is_killed(
    limit: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STOPPING", 0.1)
    with run(model(), planted.NeverStops(), Request(limit=1, time_limit=limit)) as found:
        assert next(found) == (1, 2, 3)
        assert next(found, None) is None
    assert found.outcome.reason is Reason.LIMIT
    assert not workers.waiting()


def test_a_child_that_finishes_while_it_is_killed_waits_for_no_other_run(monkeypatch: pytest.MonkeyPatch) -> None:
    child = workers.take(select("backtracking"))
    child.begin(select("backtracking"))
    monkeypatch.setattr(os, "killpg", lambda pid, number: None)  # the signal has not arrived yet
    workers.kill_of([child.thread])
    monkeypatch.undo()
    child.finished = True
    child.release()
    assert not workers.waiting()


@linux
def test_a_child_whose_parent_died_before_it_was_up_ends_at_once() -> None:
    lifeline, held = os.pipe()
    os.close(held)
    command = [sys.executable, "-m", "sudoku_models.engine.child"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), workers.INSIDE: str(lifeline)}
    child = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, pass_fds=(lifeline,))
    try:
        assert child.wait(PATIENCE) == 0
    finally:
        child.kill()
        child.communicate()
        os.close(lifeline)


def test_a_child_that_was_not_up_in_time_goes_on_and_serves_the_next_run() -> None:
    workers.close_idle()
    late = run(model(), planted.Isolated(), Request(time_limit=1e-4))
    assert list(late) == [] and late.outcome.reason is Reason.TIME
    (pid,) = workers.waiting()
    assert list(run(model(), planted.Isolated(), Request(limit=None))) == list(brute_force(model()))
    assert workers.waiting() == {pid}


@linux
def test_a_fork_that_closes_an_open_run_leaves_it_to_its_parent() -> None:
    found = run(model(5), planted.Isolated(), Request(limit=None))
    some = [next(found)]
    if not (fork := os.fork()):
        found.close()
        os._exit(0)
    os.waitpid(fork, 0)
    assert len({*some, *found}) == 120 > workers.AHEAD


@linux
def test_a_fork_begins_with_a_lock_that_nobody_holds() -> None:
    with workers._lock:
        if not (fork := os.fork()):
            os._exit(0 if workers._lock.acquire(blocking=False) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]) == 0
