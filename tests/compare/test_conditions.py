"""What is said of the machine before any figure."""

from __future__ import annotations

from dataclasses import replace

from sudoku_models.compare import compare
from sudoku_models.compare.machine import conditions
from sudoku_models.compare.report import Report

from .made import row

QUIET = [row("a", i, 1.0, host="here", load=0.5, control=0.001) for i in range(10)]


def test_of_a_quiet_machine_nothing_is_said() -> None:
    assert conditions(QUIET) == []
    assert conditions([row("a", 1, 1.0)]) == []  # an older run, which recorded nothing of it


def test_a_load_beyond_the_cores_is_said_first_in_every_report() -> None:
    busy = Report.of(replace(r, load=2.5) for r in QUIET)
    (line,) = conditions(busy.rows)
    assert line.startswith("The machine here was overloaded while it measured: on average 2.5 processes")
    assert line in busy.html().partition("<main>")[0]
    assert line in busy.markdown().partition("\n## ")[0]
    assert "overloaded" in busy.latex().partition("\\begin")[0]


def test_a_slowed_processor_and_an_uneven_speed_are_said() -> None:
    assert "at 10 of 10 runs" in conditions([replace(r, throttled=True) for r in QUIET])[0]
    uneven = [replace(r, control=0.001 * (1 + i % 2)) for i, r in enumerate(QUIET)]
    assert conditions(uneven) == [
        "The machine here did not run at an even speed: a fixed piece of work took from 0.001 s to 0.002 s."
    ]


def test_every_run_notes_how_the_machine_was() -> None:
    found = compare(["1.....2....3...."], ["backtracking"]).rows[0]
    assert found.control
    assert found.control > 0
    assert found.load is None or found.load > 0
