"""Long checks look at the clock on the way; here the clock is one that says after how many looks the time is over."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from sudoku_models import Puzzle
from sudoku_models.errors import LimitReached
from sudoku_models.prove import (
    certify,
    check,
    lrat_fast,
)
from sudoku_models.prove.lrat import NotProved, ProofLine, parse_lrat
from sudoku_models.prove.lrat_fast import accepted, as_arrays, numbers_of

from .boards import ruled


def test_the_compiled_check_is_the_same_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
    numbers, starts = as_arrays(formula)
    proof = [ProofLine(5, (2,), (1, 2)), ProofLine(6, (), (5, 3, 4))]
    wrong = [[proof[0], ProofLine(6, (), hints)] for hints in ((5, 1, 4), (5, 3), (3, 5, 4))]
    deleting = np.array([5, 2, 0, 1, 2, 0, -1, 1, 0, 6, 0, 5, 3, 4, 0], np.int32)
    cases = [deleting, *(numbers_of(lines) for lines in (proof, proof[:1], *wrong))]
    compiled = [accepted(numbers, starts, case) for case in cases]
    assert compiled[:3] == [2, 2, 0]
    monkeypatch.setattr(lrat_fast, "_machine", lambda: lrat_fast.LIBRARY.plain())
    for work in (1, 1 << 40):
        monkeypatch.setattr(lrat_fast, "SLICE", work)
        assert [accepted(numbers, starts, case) for case in cases] == compiled


@pytest.mark.parametrize(
    ("limit", "text", "why"),
    [
        ("LONGEST_LINE", "c\n" + "1 " * 30, "line 2 of the proof has more than 50 characters"),
        ("MOST_LINES", "1 0 0\n" * 51, "more than 50 lines"),
        ("MOST_NUMBERS", "1 2 3 4 5 0 6 7 8 9 0\n" * 5, "more than 50 numbers"),
    ],
)
def test_an_endless_proof_is_refused(limit: str, text: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"sudoku_models.prove.lrat.{limit}", 50)
    with pytest.raises(NotProved, match=why):
        parse_lrat(text)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="not applicable (platform): the system has no alarms")
def test_a_rule_that_never_ends_is_ended_by_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(self: Puzzle, values: object) -> list[object]:
        while True:
            pass

    certificate = certify(ruled(), "count")
    monkeypatch.setattr(Puzzle, "violated", endless)
    with pytest.raises(LimitReached, match=r"within 0.1 s"):
        check(certificate, time_limit=0.1)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
