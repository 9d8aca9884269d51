"""Long checks look at the clock on the way; here the clock is one that says after how many looks the time is over."""

from __future__ import annotations

import signal

import pytest

from sudoku_models import Puzzle
from sudoku_models.errors import LimitReached
from sudoku_models.prove import (
    certify,
    check,
)
from sudoku_models.prove.lrat import NotProved, parse_lrat

from .boards import ruled


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
