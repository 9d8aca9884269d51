"""Rows are judged as they come: each wrong one is reported once."""

from __future__ import annotations

from dataclasses import replace

from sudoku_models.compare import Row, Watch

ROW = Row(1, "", None, "", 16, 3, "a", "unique", "solved", True, "", 1.0, 1.0, solution="one")
OTHER = replace(ROW, backend="b", solution="two", unique=None)


def test_a_row_is_reported_once_when_it_is_refuted_and_those_that_repeat_it_as_they_come() -> None:
    watch = Watch([])
    assert watch.add(ROW) == watch.add(replace(ROW, repeat=1)) == []
    said = watch.add(OTHER)
    assert [(row.backend, row.repeat, row.status) for row in said] == [("a", 0, "WRONG"), ("a", 1, "WRONG")]
    assert "refuted by the solution of b" in said[0].reason
    assert watch.add(replace(OTHER, repeat=1)) == []
    (late,) = watch.add(replace(ROW, repeat=2))
    assert (late.status, late.reason) == ("WRONG", said[0].reason)
    assert watch.add(replace(ROW, repeat=2)) == []


def test_a_row_that_is_wrong_by_itself_keeps_its_reason() -> None:
    watch = Watch([])
    for number, reason in enumerate(("R1C1", "R2C2", "R1C1")):
        (said,) = watch.add(replace(ROW, status="WRONG", solution=None, repeat=number, reason=reason))
        assert said.reason == reason
