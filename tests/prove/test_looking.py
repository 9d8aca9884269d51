"""Long checks look at the clock on the way; here the clock is one that says after how many looks the time is over."""

from __future__ import annotations

import signal
from collections.abc import Callable

import numpy as np
import pytest

from sudoku_models import Model, Puzzle
from sudoku_models.errors import LimitReached
from sudoku_models.prove import (
    certify,
    check,
    looking,
    lrat_fast,
)
from sudoku_models.prove.certificate import Certificate
from sudoku_models.prove.files import drat_text, lrat_text, read_certificate, texts
from sudoku_models.prove.lrat import NotProved, ProofLine, parse_lrat
from sudoku_models.prove.lrat_fast import accepted, as_arrays
from sudoku_models.prove.many_certificates import numbers_of

from .boards import reader, ruled

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


class Over(Exception):
    """The time is over."""


class Looks:
    """A clock: counts the looks, and is over after some."""

    def __init__(self, most: int = 10**9) -> None:
        self.count, self.most = 0, most

    def __call__(self) -> None:
        self.count += 1
        if self.count > self.most:
            raise Over


@pytest.fixture(scope="module")
def hard() -> Certificate:
    return certify(HARD, refuter="cdcl")


@pytest.mark.parametrize("walk", [looking.rows, looking.words])
def test_a_long_text_is_left_when_the_time_is_over(
    walk: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "SLICE", 100)
    with pytest.raises(Over):
        list(walk("1 2 3 0\n" * 1_000, Looks(5)))  # type: ignore[call-overload]


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


def test_the_reading_of_each_file_looks(hard: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    files, looks = texts(hard), Looks()
    monkeypatch.setattr(looking, "SLICE", 1_000)
    assert read_certificate(reader(files), looks).formula.numbers == hard.formula.numbers
    sizes = len(lrat_text(hard.proof)) + len(drat_text(hard.steps)) + len(files["formula.cnf"])
    assert looks.count > sizes // 1_200
    for most in range(0, looks.count, looks.count // 15):
        with pytest.raises(Over):
            read_certificate(reader(files), Looks(most))


def test_the_reading_of_a_model_looks() -> None:
    text = "".join(f"variable x{k} in 1..2\n" for k in range(1_000))
    assert len(Model.parse(text, Looks()).names) == 1_000
    for long in (text, "variable x in {" + "1, " * 100_000 + "1}"):
        with pytest.raises(Over):
            Model.parse(long, Looks(0))


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
