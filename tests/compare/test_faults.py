"""Every way in which an engine can misbehave has a status of its own, and harms no other run."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare import Job, Plan, Row, compare, pool
from sudoku_models.verbs.agreement import Verdict

from ..planting import impatience, planted

__all__ = ["impatience", "planted"]

SEVERAL = "1.....2....3...."

pytestmark = pytest.mark.usefixtures("planted", "impatience")


def beside_an_honest_one(fault: str, time_limit: float = 1.0, **choices: Any) -> Row:
    """Run an engine and an honest one on a puzzle, twice; return the engine's row, which is alike both times.

    Where the honest one is out of time, on a busy machine, both have longer.
    """
    for limit in (time_limit, 8 * time_limit, 64 * time_limit):
        comparison = compare([SEVERAL], [fault, "honest"], repeats=2, time_limit=limit, **choices)
        honest = [row.status for row in comparison.rows if row.backend == "honest"]
        if "timeout" not in honest:
            break
    assert honest == ["solved"] * 2
    rows = [row for row in comparison.rows if row.backend == fault]
    assert len(rows) == 2
    assert len({row.status for row in rows}) == 1
    return rows[0]


QUICK = ("ones", "repeater", "denier", "uniquer", "segfaulter", "exiter", "scribbler", "stumbler", "quitter", "glutton")
ENDLESS = ("spinner", "locker", "sleeper", "dawdler")


@cache
def together(faults: tuple[str, ...], time_limit: float) -> dict[str, list[Row]]:
    """Run engines and an honest one in one comparison, twice each; return the rows of each, which are alike.

    Where one that ends by itself is out of time, on a busy machine, all have longer.
    """
    for limit in (time_limit, 8 * time_limit, 64 * time_limit):
        comparison = compare([SEVERAL], [*faults, "honest"], repeats=2, time_limit=limit)
        rows = {name: [row for row in comparison.rows if row.backend == name] for name in (*faults, "honest")}
        if not any(row.status == "timeout" for name in rows.keys() - set(ENDLESS) for row in rows[name]):
            break
    assert [row.status for row in rows["honest"]] == ["solved"] * 2
    for found in rows.values():
        assert len(found) == 2 and len({row.status for row in found}) == 1
    return rows


def alive(pids: str) -> list[int]:
    """Return those processes of the list that still run."""
    listed = map(int, Path(pids).read_text().split())
    return [pid for pid in listed if (stat := _stat(pid)) and stat not in "ZX"]


def _stat(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def none_alive(pids: str) -> bool:
    deadline = time.monotonic() + 300
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pids)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("ones", "returned a wrong solution"),
        ("repeater", "returned before"),
        ("denier", "claims unsatisfiable; refuted by the solution of honest"),
        ("uniquer", "refuted by"),
    ],
)
def test_a_wrong_answer_is_wrong(fault: str, reason: str) -> None:
    row = together(QUICK, 2.0)[fault][0]
    assert row.verdict is Verdict.WRONG
    assert reason in row.reason


@pytest.mark.parametrize("goal", ["first", "unique", "count"])
def test_an_engine_that_changes_the_check_in_its_process_makes_nobody_else_wrong(goal: str) -> None:
    row = beside_an_honest_one("tamperer", goal=goal)
    assert row.verdict is Verdict.WRONG
    assert row.reason.startswith("its process returned a wrong solution as checked: ")
    assert (row.solution, row.count) == (None, None)


def test_a_wrong_count_is_wrong_and_the_right_one_beside_it_is_not() -> None:
    row = beside_an_honest_one("miscounter", goal="count")
    assert row.verdict is Verdict.WRONG
    assert row.reason == "counts 2 solutions; refuted by 3 of honest"


def test_counting_a_solution_twice_is_wrong() -> None:
    row = beside_an_honest_one("repeater", goal="count")
    assert row.verdict is Verdict.WRONG
    assert "returned before" in row.reason


@pytest.mark.parametrize("fault", ENDLESS)
def test_an_engine_that_does_not_come_back_is_timed_out(fault: str) -> None:
    row = together(ENDLESS, 0.6)[fault][0]
    assert row.status == "timeout"
    assert row.reason in ("time limit", "time limit while the board was compiled")
    assert row.wall > 0.57


def test_loading_an_engine_of_another_package_is_bounded_by_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[tuple[str, float | None]] = []
    allowed = pool.allowed

    def seen(plan: Plan, job: Job, step: str, warm: bool) -> float | None:
        steps.append((step, allowed(plan, job, step, warm)))
        return steps[-1][1]

    monkeypatch.setattr(pool, "allowed", seen)
    monkeypatch.setattr(pool, "TRYING", 1.5)
    monkeypatch.setattr(pool, "TRIALS", 1)
    (row,) = compare([SEVERAL], ["stuck"], time_limit=1.0).rows
    assert (row.status, row.reason) == ("timeout", "time limit while the board was compiled")
    assert steps[:2] == [("load", 1.5), ("load", pool.STARTING)]


def test_the_cpu_time_of_an_engine_that_was_killed_is_what_it_used_since_it_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before: list[float] = []
    stopped = pool.RunTask.stopped

    def noted(task: pool.RunTask, *why: Any) -> dict[str, Any]:
        before.append(task.worker.base)
        return stopped(task, *why)

    monkeypatch.setattr(pool.RunTask, "stopped", noted)
    monkeypatch.setattr(pool.tree, "cpu", lambda pid: 5000.0)
    (row,) = compare([SEVERAL], ["spinner"], time_limit=0.6).rows
    assert row.status == "timeout"
    assert 0 < before[-1] < 5000
    assert row.cpu == pytest.approx(5000 - before[-1])
    assert row.memory is not None


def test_cpu_time_is_limited_apart_from_wall_time() -> None:
    row = beside_an_honest_one("spinner", time_limit=60.0, cpu_limit=0.2)
    assert (row.status, row.reason) == ("timeout", "CPU limit")
    sleeping = beside_an_honest_one("sleeper", cpu_limit=0.7)
    assert sleeping.reason.startswith("time limit")


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        ("segfaulter", "crash", "was killed by signal 11"),
        ("exiter", "crash", "ended with exit code 7"),
        ("scribbler", "crash", "wrote something that is not an answer"),
        ("stumbler", "error", "RuntimeError: the engine stumbled"),
        ("quitter", "unknown", "gave up"),
        ("glutton", "out of memory", ""),
    ],
)
def test_other_faults_are_told_apart(fault: str, status: str, reason: str) -> None:
    row = together(QUICK, 2.0)[fault][0]
    assert row.status == status
    assert reason in row.reason


def test_what_an_engine_prints_does_no_harm(capfd: pytest.CaptureFixture[str]) -> None:
    assert beside_an_honest_one("printer").status == "solved"
    assert "garbage" not in "".join(capfd.readouterr())


def test_a_leak_is_stopped_at_the_memory_limit() -> None:
    row = beside_an_honest_one("leaker", time_limit=60.0, memory_limit=200 << 20)
    assert (row.status, row.reason) == ("out of memory", "memory limit")
    assert row.memory is not None
    assert 200 << 20 < row.memory < 1 << 30


def test_memory_that_was_taken_for_a_moment_only_counts_too_but_not_in_the_next_run() -> None:
    limited = beside_an_honest_one("burster", time_limit=60.0, memory_limit=200 << 20)
    assert limited.status == "out of memory"
    rows = compare([SEVERAL], ["burster", "honest"]).rows
    peaks = {row.backend: row.memory for row in rows}
    assert peaks["burster"] is not None
    assert peaks["honest"] is not None
    assert peaks["burster"] > 300 << 20 > peaks["honest"]


def test_processes_that_an_engine_hides_end_with_it() -> None:
    pids = os.environ["PLANTED_PIDS"]
    for limit in (2.0, 8.0, 32.0):  # a busy machine may start few processes in two seconds
        row = beside_an_honest_one("hider", time_limit=limit)
        assert row.status == "timeout"
        assert none_alive(pids)
        if len(Path(pids).read_text().split()) >= 4:
            return
    raise AssertionError("the engine did not come to hide its processes")


def test_the_cpu_time_of_hidden_processes_counts() -> None:
    row = beside_an_honest_one("burner", time_limit=60.0, cpu_limit=0.5)
    assert (row.status, row.reason) == ("timeout", "CPU limit")
    assert none_alive(os.environ["PLANTED_PIDS"])


def test_processes_left_behind_disturb_no_later_run() -> None:
    row = beside_an_honest_one("leaver", time_limit=60.0)
    assert row.status == "solved"
    assert row.memory is None
    assert none_alive(os.environ["PLANTED_PIDS"])
