"""Every way in which an engine can misbehave has a status of its own, and harms no other run."""

from __future__ import annotations

import os
import subprocess
import sys
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
ENDING = {"honest", *QUICK, "tamperer", "miscounter", "printer", "leaver"}
"""Those whose time is up only where the machine is busy."""


def together(*faults: str, time_limit: float = 1.0, **choices: Any) -> list[Row]:
    """Run engines and an honest one in one comparison; return a row of each.

    Where one that ends by itself is out of time, on a busy machine, all have longer.
    """
    names = (*faults, "honest")
    for limit in (time_limit, 8 * time_limit, 64 * time_limit):
        comparison = compare([SEVERAL], names, time_limit=limit, **choices)
        rows = {name: [row for row in comparison.rows if row.backend == name] for name in names}
        if not any(row.status == "timeout" for name in ENDING & rows.keys() for row in rows[name]):
            break
    assert {row.status for row in rows["honest"]} == {"solved"}
    for found in rows.values():
        assert len(found) == 1
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


TAMPERED = ("WRONG", "its process returned a wrong solution as checked: ")
COUNTED = {
    "tamperer": TAMPERED,
    "miscounter": ("WRONG", "counts 2 solutions; refuted by 3 of honest"),
    "repeater": ("WRONG", "repeater returned a wrong solution: it was returned before"),
}
LONG = {"time_limit": 60.0}
BESIDE: list[tuple[dict[str, Any], dict[str, tuple[str, str]]]] = [
    ({"goal": Goal.FIRST}, {"tamperer": TAMPERED, "printer": ("solved", ""), "leaver": ("solved", "")}),
    ({"goal": Goal.UNIQUE}, {"tamperer": TAMPERED}),
    ({"goal": Goal.COUNT}, COUNTED),
    ({**LONG, "cpu_limit": 0.5}, {"spinner": ("timeout", "CPU limit"), "burner": ("timeout", "CPU limit")}),
    ({"cpu_limit": 0.7}, {"sleeper": ("timeout", "time limit")}),
    ({**LONG, "memory_limit": 200 << 20}, dict.fromkeys(("leaker", "burster"), ("out of memory", "memory limit"))),
]


@pytest.mark.parametrize(("choices", "faults"), BESIDE, ids=lambda value: ",".join(map(str, value)))
def test_faults_beside_an_honest_engine(
    choices: dict[str, Any], faults: dict[str, tuple[str, str]], capfd: pytest.CaptureFixture[str]
) -> None:
    rows = dict(zip(faults, together(*faults, **choices), strict=True))
    for fault, (status, reason) in faults.items():
        assert (rows[fault].status, rows[fault].reason[: len(reason)]) == (status, reason)
    assert "garbage" not in "".join(capfd.readouterr())  # what an engine prints does no harm
    if "tamperer" in rows:
        assert (rows["tamperer"].solution, rows["tamperer"].count) == (None, None)
    if "leaker" in rows:
        assert 200 << 20 < (rows["leaker"].memory or 0) < 1 << 30
    if {"burner", "leaver"} & rows.keys():
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


def test_a_program_that_ends_in_the_middle_of_a_run_does_not_wait_for_it() -> None:
    program = (
        "from sudoku_models.compare import Plan\n"
        "from sudoku_models.compare.comparison import run\n"
        "from sudoku_models.compare.plan import distinct, instances\n"
        f"rows = run(Plan.of(['honest', 'spinner'], parallel=2), distinct(instances([{SEVERAL!r}])))\n"
        "print(next(filter(None, rows)).backend)\n"
    )
    path = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path}, capture_output=True, timeout=300
    )
    assert ended.stdout == b"honest\n"
