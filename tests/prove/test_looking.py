"""Long checks look at the clock on the way; here the clock is one that says after how many looks the time is over."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sudoku_models import Model, Puzzle
from sudoku_models.errors import LimitReached
from sudoku_models.prove import (
    certify,
    certify_many,
    check,
    check_drat,
    check_many,
    load_many,
    looking,
    lrat_fast,
    save_many,
)
from sudoku_models.prove.certificate import Certificate
from sudoku_models.prove.files import drat_text, lrat_text, read_certificate, texts
from sudoku_models.prove.lrat import NotProved, ProofLine, check_lrat, parse_lrat
from sudoku_models.prove.lrat_fast import accepted, accepts, as_arrays
from sudoku_models.prove.many_certificates import files_of, numbers_of, read_many

from .boards import SMALL, reader, ruled

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


@pytest.mark.parametrize("text", ["", "\n", "a", "a\nb\n", "\n\na \r\n b\n\n\nc c", "a\n" * 9])
def test_lines_and_words_of_a_text_are_all_met(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 3, 1 << 20):
        monkeypatch.setattr(looking, "SLICE", size)
        expected = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line]
        assert list(looking.rows(text, Looks())) == expected
        assert [word for some in looking.words(text, Looks()) for word in some] == text.split()


@pytest.mark.parametrize("walk", [looking.rows, looking.words])
def test_a_long_text_is_left_when_the_time_is_over(
    walk: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "SLICE", 100)
    with pytest.raises(Over):
        list(walk("1 2 3 0\n" * 1_000, Looks(5)))  # type: ignore[call-overload]


def test_the_compiled_check_goes_on_where_it_looked(hard: Certificate, monkeypatch: pytest.MonkeyPatch) -> None:
    for work in (1, 50, 1_000):
        monkeypatch.setattr(lrat_fast, "SLICE", work)
        looks = Looks()
        assert accepts(list(hard.formula), hard.proof, looks) == len(hard.proof)
        assert looks.count > 10
        with pytest.raises(Over):
            accepts(list(hard.formula), hard.proof, Looks(3))


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


def test_numbers_far_beyond_what_there_is_take_no_memory() -> None:
    numbers, starts = as_arrays([(1,), (-1,)])
    assert accepted(numbers, starts, numbers_of([ProofLine(3, (), (1, 2))])) == 1
    assert accepted(numbers, starts, numbers_of([ProofLine(200_000_000, (), (1, 2))])) == 0


def test_the_plain_check_looks_within_a_lemma() -> None:
    wide = [tuple(range(1, 100_000)), *((-x,) for x in range(1, 100_000))]
    looks = Looks()
    assert check_lrat(wide, [ProofLine(100_001, (), (*range(2, 100_001), 1))], looks) == 1
    assert looks.count > 1


def test_resolving_on_a_literal_looks_on_the_way() -> None:
    many = [(-1, k) for k in range(2, 100_000)] + [(5, 6), (5, -6), (-5, 6), (-5, -6)]
    with pytest.raises(Over):
        check_lrat(many, [ProofLine(len(many) + 1, (200_000,))], Looks(1))
    stated, looks = Looks(), Looks()
    with pytest.raises(NotProved):
        check_drat(many[:60_000], [], stated)
    with pytest.raises(NotProved):
        check_drat(many[:60_000], [(True, (200_000, 1))], looks)
    assert looks.count > stated.count + 1


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


def test_certificates_of_many_look_when_read_and_checked(tmp_path: Path) -> None:
    made = certify_many([SMALL])
    looks = Looks()
    read_many(files_of(made).__getitem__, looks)
    assert looks.count >= 8
    with pytest.raises(Over):
        read_many(files_of(made).__getitem__, Looks(looks.count - 1))
    path = save_many(made, tmp_path / "many.zip")
    assert check_many(path).accepted == 1
    for ask in (load_many, check_many):
        with pytest.raises(LimitReached, match="within 0 s"):
            ask(path, time_limit=0)


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


def test_an_alarm_that_somebody_else_set_is_left_alone() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        assert check(certify(SMALL), time_limit=60)
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)
