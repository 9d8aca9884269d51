"""Candidates of a board with countless solutions are found from few of them: questions are as quick."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import candidates
from sudoku_models.engine.check import Checker


def test_candidates_of_a_board_with_many_solutions_look_at_few(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, fault = list[object](), Checker.fault

    def counted(checker: Checker, *given: Any) -> str | None:
        looked.append(given)
        return fault(checker, *given)

    monkeypatch.setattr(Checker, "fault", counted)
    found = candidates("." * 81, "bitset")
    assert found.complete and {*found.values()} == {(1, 2, 3, 4, 5, 6, 7, 8, 9)}
    assert 0 < len(looked) < 400
