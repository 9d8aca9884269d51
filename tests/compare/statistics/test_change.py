"""What became faster or slower since an earlier run."""

from __future__ import annotations

import pytest

from sudoku_models.compare.statistics import changes

from ..made import LOST, row, rows

THEN: list[float | None] = [1.0 + i / 10 for i in range(12)]


def scaled(factor: float) -> list[float | None]:
    return [None if wall is None else wall * factor * (1 + i / 100) for i, wall in enumerate(THEN)]


def test_faster_slower_and_no_clear_change() -> None:
    wavering: list[float | None] = [wall * (1.1 if i % 2 else 0.9) for i, wall in enumerate(THEN) if wall is not None]
    new, old = rows(quick=scaled(0.5), slow=scaled(3.0), same=wavering), rows(quick=THEN, slow=THEN, same=THEN)
    found = {change.backend: change for change in changes(new, old).found}
    assert {name: change.verdict for name, change in found.items()} == {
        "quick": "faster",
        "slow": "slower",
        "same": "no clear change",
    }
    assert found["quick"].pair.speedup.value == pytest.approx(2.0, rel=0.1)
    assert found["slow"].pair.speedup.high < 1


def test_answers_gained_and_lost_are_named() -> None:
    change = changes(rows(a=[1.0, LOST, 1.0]), rows(a=[LOST, 1.0, 1.0])).found[0]
    assert change.gained == (f"{1:064x}",)
    assert change.lost == (f"{2:064x}",)


def test_only_shared_instances_count_and_backends_of_one_run_are_listed() -> None:
    found = changes(rows(a=[1.0, 2.0, 3.0], new=[1.0]), rows(a=[1.0, 2.0], old=[1.0]))
    assert found.found[0].instances == 2
    assert (found.only_new, found.only_old) == (("new",), ("old",))


def test_nothing_in_common_is_said() -> None:
    change = changes([row("a", 1, 1.0)], [row("a", 2, 1.0)]).found[0]
    assert (change.instances, change.verdict) == (0, "nothing in common")


def test_a_backend_that_is_wrong_now_is_wrong_however_fast() -> None:
    change = changes([row("a", 1, 0.1, status="WRONG")], [row("a", 1, 1.0)]).found[0]
    assert (change.verdict, change.wrong) == ("WRONG", ("new",))


def test_different_limits_do_not_compare() -> None:
    with pytest.raises(ValueError, match="5 s then, 10 s now"):
        changes([row("a", 1, 1.0)], [row("a", 1, 1.0, time_limit=5.0)])
