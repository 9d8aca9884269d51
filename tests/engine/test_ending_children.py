"""Children end when they are not needed any more: behind a last solution, and without a parent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from sudoku_models.engine import Reason, Request, isolation, run

from . import planted
from .test_isolation import PATIENCE, linux, model


@pytest.fixture(autouse=True)
def no_children() -> Iterator[None]:
    isolation.close_idle()
    yield
    isolation.close_idle()


@pytest.mark.parametrize("limit", [None, 100])
def test_an_engine_that_never_stops_after_its_last_solution_is_killed(
    limit: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "STOPPING", 0.1)
    with run(model(), planted.NeverStops(), Request(limit=1, time_limit=limit)) as found:
        assert next(found) == (1, 2, 3)
        assert next(found, None) is None
    assert found.outcome.reason is Reason.LIMIT
    assert not isolation.waiting()


@linux
def test_a_child_whose_parent_died_before_it_was_up_ends_at_once() -> None:
    lifeline, held = os.pipe()
    os.close(held)
    command = [sys.executable, "-m", "sudoku_models.engine.child"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), isolation.INSIDE: str(lifeline)}
    child = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, pass_fds=(lifeline,))
    try:
        assert child.wait(PATIENCE) == 0
    finally:
        child.kill()
        child.communicate()
        os.close(lifeline)
