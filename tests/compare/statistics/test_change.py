"""What became faster or slower since an earlier run."""

from __future__ import annotations

import random
from dataclasses import replace
from math import exp, log

import pytest

from sudoku_models.compare import Row
from sudoku_models.compare.report.tables import change_table
from sudoku_models.compare.statistics import changes

from ..made import row


def test_single_runs_of_a_drifting_machine_show_no_change() -> None:
    """The machine slows down in the middle of one session: what differs by as much is no change."""
    then = [row("a", i, 1.0, position=i) for i in range(40)]
    now = [row("a", i, 1.3 if i < 20 else 0.85, position=i) for i in range(40)]
    change = changes(now, then).found[0]
    assert change.verdict == "no clear change"
    assert change.noise.least > 1.15
    assert not change.noise.repeated


def test_single_runs_are_not_trusted_with_a_few_percent() -> None:
    steady = [row("a", i, 1.0 + i / 100, position=i) for i in range(40)]
    assert changes([replace(r, wall=r.wall / 1.04) for r in steady], steady).found[0].verdict == "no clear change"
    assert changes([replace(r, wall=r.wall / 1.4) for r in steady], steady).found[0].verdict == "faster"


def test_repeats_show_how_far_runs_lie_apart() -> None:
    def session(factors: list[float]) -> list[Row]:
        return [row("a", i, (1 + i / 10) * f, repeat=r) for r, f in enumerate(factors) for i in range(10)]

    quiet, uneven = session([1.0, 1.002, 0.998]), session([1.0, 1.2, 0.8])
    faster = [replace(r, wall=r.wall / 1.1) for r in quiet]
    assert changes(faster, quiet).found[0].verdict == "faster"
    assert changes(faster, uneven).found[0].verdict == "no clear change"
    assert changes(faster, quiet).found[0].noise.repeated


def test_what_the_machine_itself_became_faster_by_is_no_change_of_a_backend() -> None:
    then = [row("a", i, 1.0 + i / 100, position=i, control=0.001) for i in range(40)]
    now = [replace(r, wall=r.wall / 1.5, control=0.001 / 1.5) for r in then]
    change = changes(now, then).found[0]
    assert change.verdict == "no clear change"
    assert change.noise.shift == pytest.approx(log(1.5))
    assert "The machine itself was 1.50 × faster now than then" in change_table(changes(now, then)).caption


def test_what_other_programs_took_away_is_no_change_of_a_backend() -> None:
    then = [row("a", i, 1.0 + i / 100, position=i, load=4.0) for i in range(40)]
    quiet = [replace(r, load=0.5) for r in then]
    now = [replace(r, wall=r.wall / 3) for r in quiet]
    change = changes(now, then).found[0]
    assert change.verdict == "no clear change"
    assert change.noise.crowd == pytest.approx(log(4))
    assert "4.00 × as many processes shared a core then as now" in change_table(changes(now, then)).caption
    assert changes(then, now).found[0].verdict == "no clear change"
    assert changes(now, quiet).found[0].verdict == "faster"
    assert changes([replace(r, wall=r.wall / 9) for r in quiet], then).found[0].verdict == "faster"


def test_identical_sessions_are_rarely_called_different() -> None:
    """Sessions whose machine drifts between stretches and from one session to the other, 15 pairs of them."""
    source = random.Random(7)

    def session() -> list[Row]:
        offsets = [source.gauss(0, 0.05) for _ in range(8)]
        return [row("a", i, exp(offsets[i // 10] + source.gauss(0, 0.1) + i / 50), position=i) for i in range(80)]

    called = sum(changes(session(), session()).found[0].verdict in ("faster", "slower") for _ in range(15))
    assert called <= 2


def test_different_limits_do_not_compare() -> None:
    with pytest.raises(ValueError, match="5 s then, 10 s now"):
        changes([row("a", 1, 1.0)], [row("a", 1, 1.0, time_limit=5.0)])
