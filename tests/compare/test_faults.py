"""Every way in which an engine can misbehave has a status of its own, and harms no other run."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare import Goal, Row, compare

from ..planting import impatience, planted

__all__ = ["impatience", "planted"]

SEVERAL = "1.....2....3...."

pytestmark = pytest.mark.usefixtures("planted", "impatience")


QUICK = {
    "ones": ("WRONG", "returned a wrong solution"),
    "repeater": ("WRONG", "returned before"),
    "denier": ("WRONG", "claims unsatisfiable; refuted by the solution of honest"),
    "uniquer": ("WRONG", "refuted by"),
    "segfaulter": ("crash", "was killed by signal 11"),
    "exiter": ("crash", "ended with exit code 7"),
    "scribbler": ("crash", "wrote something that is not an answer"),
    "stumbler": ("error", "RuntimeError: the engine stumbled"),
    "quitter": ("unknown", "gave up"),
    "glutton": ("out of memory", ""),
}
ENDLESS = ("spinner", "locker", "dawdler")


def together(*faults: str, time_limit: float = 1.0, **choices: Any) -> list[Row]:
    """Run engines and an honest one in one comparison, twice each; return a row of each, which is alike both times.

    Where one that ends by itself is out of time, on a busy machine, all have longer.
    """
    for limit in (time_limit, 8 * time_limit, 64 * time_limit):
        comparison = compare([SEVERAL], [*faults, "honest"], repeats=2, time_limit=limit, **choices)
        rows = {name: [row for row in comparison.rows if row.backend == name] for name in (*faults, "honest")}
        if not any(row.status == "timeout" for name in {"honest", *QUICK} & rows.keys() for row in rows[name]):
            break
    assert [row.status for row in rows["honest"]] == ["solved"] * 2
    for found in rows.values():
        assert len(found) == 2 and len({row.status for row in found}) == 1
    return [rows[fault][0] for fault in faults]


def none_alive() -> bool:
    """Return whether the processes that an engine has started end."""

    def stat(pid: str) -> str:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return ""

    deadline = time.monotonic() + 300
    while True:
        alive = any(stat(pid) not in ("", "Z", "X") for pid in Path(os.environ["PLANTED_PIDS"]).read_text().split())
        if not alive or time.monotonic() > deadline:
            return not alive
        time.sleep(0.02)


def test_faults_are_told_apart() -> None:
    for row, (status, reason) in zip(together(*QUICK, time_limit=2.0), QUICK.values(), strict=True):
        assert row.status == status and reason in row.reason, row


def test_an_engine_that_does_not_come_back_is_timed_out() -> None:
    for row in together(*ENDLESS, time_limit=0.4):
        assert row.status == "timeout" and row.wall > 0.38, row
        assert row.reason in ("time limit", "time limit while the board was compiled")


LONG: dict[str, Any] = {"time_limit": 60.0}
TIGHT: dict[str, Any] = {**LONG, "memory_limit": 200 << 20}


@pytest.mark.parametrize(
    ("fault", "choices", "status", "reason"),
    [
        *(("tamperer", {"goal": goal}, "WRONG", "its process returned a wrong solution as checked: ") for goal in Goal),
        ("miscounter", {"goal": "count"}, "WRONG", "counts 2 solutions; refuted by 3 of honest"),
        ("repeater", {"goal": "count"}, "WRONG", "repeater returned a wrong solution: it was returned before"),
        ("spinner", {**LONG, "cpu_limit": 0.2}, "timeout", "CPU limit"),
        ("sleeper", {"cpu_limit": 0.7}, "timeout", "time limit"),
        ("burner", {**LONG, "cpu_limit": 0.5}, "timeout", "CPU limit"),
        ("leaker", TIGHT, "out of memory", "memory limit"),
        ("burster", TIGHT, "out of memory", "memory limit"),
        ("leaver", LONG, "solved", ""),
        ("printer", {}, "solved", ""),
    ],
)
def test_a_fault_beside_an_honest_engine(
    fault: str, choices: dict[str, Any], status: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (row,) = together(fault, **choices)
    assert (row.status, row.reason[: len(reason)]) == (status, reason)
    assert "garbage" not in "".join(capfd.readouterr())  # what an engine prints does no harm
    if fault == "tamperer":
        assert (row.solution, row.count) == (None, None)
    if fault == "leaker":
        assert row.memory is not None and 200 << 20 < row.memory < 1 << 30
    if fault in ("burner", "leaver"):
        assert none_alive()


def test_memory_that_was_taken_for_a_moment_only_does_not_count_in_the_next_run() -> None:
    peaks = {row.backend: row.memory or 0 for row in compare([SEVERAL], ["burster", "honest"]).rows}
    assert peaks["burster"] > 300 << 20 > peaks["honest"] > 0


def test_processes_that_an_engine_hides_end_with_it() -> None:
    for limit in (2.0, 8.0, 32.0):  # a busy machine may start few processes in two seconds
        (row,) = together("hider", time_limit=limit)
        assert row.status == "timeout"
        assert none_alive()
        if len(Path(os.environ["PLANTED_PIDS"]).read_text().split()) >= 4:
            return
    raise AssertionError("the engine did not come to hide its processes")
