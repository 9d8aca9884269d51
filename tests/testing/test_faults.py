"""The suite catches planted faults: in backends and in rewrites. A suite that cannot fail proves nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sudoku_models.engine import Reason, Request, budget, run
from sudoku_models.errors import SudokuModelsError, WrongAnswer
from sudoku_models.lowering import Rewrite, planner
from sudoku_models.model import AllDifferent, Compare, InDomain, Linear, Table
from sudoku_models.puzzle import Shape
from sudoku_models.testing import CHECKS, Restricted, Subject, processes
from sudoku_models.testing.checks import objectives, runs

from ..conformance import natives
from ..held import HeldClock
from .faults import FAULTS, PROVED, Faulty, asleep, every_number_tried

CHECK = {check.name: check for check in CHECKS}

CAUGHT = (AssertionError, SudokuModelsError)


def subject_of(fault: Faulty, limit: float = 300.0) -> Subject:
    subject = Subject.of(fault)
    subject.solve_native, subject.limit = natives.backtracking, limit
    return subject


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_faulty_backend_is_caught(fault: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 0.5)
    monkeypatch.setattr(objectives, "LIMITS", (0.3,))
    monkeypatch.setattr(runs, "LIMITS", (0.3,))
    monkeypatch.setattr(runs, "STRUCK", 5.0)
    monkeypatch.setattr(runs, "LOOKS", 3)
    with pytest.raises(CAUGHT):
        CHECK[fault.check](subject_of(fault, 10.0))


@pytest.mark.parametrize("name", sorted({fault.check for fault in FAULTS} - {"enough_cases"}))
def test_the_same_backend_without_a_fault_passes(name: str) -> None:
    subject = subject_of(Faulty())
    subject.share = 0.2
    CHECK[name](subject)


@pytest.mark.parametrize("endless", [every_number_tried, asleep])
def test_a_check_that_does_not_end_is_cut_off_and_named(endless: Any) -> None:
    with pytest.raises(AssertionError, match="the check large_numbers of endless was cut off after"):
        CHECK["large_numbers"](subject_of(Faulty("endless", solutions=endless), 0.4))


def test_an_engine_that_cannot_be_interrupted_ends_the_process_which_prints_where_it_was() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert "in stuck" in done.stderr and "in large_numbers" in done.stderr


STUCK = """
import re
from tests.testing.faults import Faulty
from sudoku_models.testing import CHECKS, Subject

def stuck(*_):
    return re.match("(a*)*b", "a" * 60) or []

subject = Subject.of(Faulty("stuck", solutions=stuck))
subject.limit = 0.3
next(check for check in CHECKS if check.name == "large_numbers")(subject)
"""


def test_a_timeout_that_a_backend_calls_a_proof_is_told_as_a_timeout_by_the_road(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = HeldClock()

    def late(found: Any, *_: Any) -> Iterator[Any]:
        one, two = next(found), next(found)
        yield one
        clock.sleep(1)
        yield two

    monkeypatch.setattr(budget, "time", clock)
    liar = Faulty("timeout-is-proof", solutions=late, ending=lambda _: PROVED)
    with run(Shape.square(9).model, liar, Request(limit=None, time_limit=0.2)) as found:
        assert len(list(found)) == 2
        assert found.outcome.reason is Reason.TIME


def _replaced(monkeypatch: pytest.MonkeyPatch, name: str, change: Any) -> None:
    def wrong(rewrite: Rewrite) -> Rewrite:
        return replace(rewrite, apply=lambda c, scratch: change(rewrite.apply(c, scratch)))

    assert any(rewrite.name == name for rewrite in planner.REWRITES)
    rewrites = tuple(wrong(rewrite) if rewrite.name == name else rewrite for rewrite in planner.REWRITES)
    monkeypatch.setattr(planner, "REWRITES", rewrites)


def _shifted(made: list[Any]) -> list[Any]:
    return [replace(c, k=c.k + 1) for c in made]


def _without_last(made: list[Any]) -> list[Any]:
    return made[:-1]


def _narrower(made: list[Any]) -> list[Any]:
    return [InDomain(c.x, c.values[:-1]) if isinstance(c, InDomain) else c for c in made]


def _rows_lost(made: list[Any]) -> list[Any]:
    return [Table(c.xs, c.tuples[1:], c.allowed) if isinstance(c, Table) else c for c in made]


REWRITES = [
    ("comparison to Linear", {Linear}, _shifted),
    ("AllDifferent to differences", {Compare}, _without_last),
    ("Linear of one to a domain", {InDomain}, _narrower),
    ("Compare to a table", {Table}, _rows_lost),
    ("domain to bounds", {Linear}, _without_last),
]


@pytest.mark.parametrize(("name", "kinds", "change"), REWRITES, ids=[name for name, _, _ in REWRITES])
def test_a_faulty_rewrite_is_caught(monkeypatch: pytest.MonkeyPatch, name: str, kinds: Any, change: Any) -> None:
    left = Restricted("backtracking", {AllDifferent, Compare, InDomain, Linear, Table})
    _replaced(monkeypatch, name, change)
    with pytest.raises(CAUGHT):
        for kind in kinds:
            CHECK["every_operator"](Subject.of(Restricted(left, {kind})))
        CHECK["lowered_models"](Subject.of(left))


def test_a_rewrite_that_lets_too_much_through_is_named_as_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    _replaced(monkeypatch, "AllDifferent to differences", _without_last)
    with pytest.raises(WrongAnswer, match="AllDifferent"):
        CHECK["known_counts"](Subject.of(Restricted("backtracking", {Compare})))
