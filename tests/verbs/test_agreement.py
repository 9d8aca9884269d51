"""What a checked solution refutes is wrong, whatever the majority says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import sudoku_models
from sudoku_models import BadOption, FormatError, Model, Puzzle, cross_check
from sudoku_models.model import AllDifferent, Variable
from sudoku_models.verbs.agreement import Verdict, installed

from ..engine.planted import Planted as Engine
from ..planting import planted

__all__ = ["planted"]

SEVERAL = "1.....2....3...."
CLASH = "11.............."


def of(check: sudoku_models.verbs.agreement.CrossCheck, backend: str) -> Verdict:
    return next(answer.verdict for answer in check.answers if answer.backend == backend)


@pytest.mark.parametrize("text", [SEVERAL, CLASH, "." * 16])
def test_all_installed_backends_agree(text: str) -> None:
    check = cross_check(text)
    assert check.agree, str(check)
    assert len(check.answers) == len(installed())
    answered = [(a.verdict, a.unique) for a in check.answers if a.verdict is not Verdict.UNSUPPORTED]
    assert len(answered) >= 4
    assert len(set(answered)) == 1


@pytest.mark.usefixtures("planted")
class TestPlantedFaults:
    def test_one_solution_refutes_a_majority_that_says_unsatisfiable(self) -> None:
        check = cross_check(SEVERAL, ["denier", "honest"], isolate=False)
        assert not check.agree
        assert of(check, "denier") is Verdict.WRONG
        assert of(check, "honest") is Verdict.SOLVED
        assert "the solution of honest" in check.wrong[0].reason
        assert str(check).startswith("WRONG: denier")

    def test_two_solutions_refute_a_claim_of_uniqueness(self) -> None:
        check = cross_check(SEVERAL, ["uniquer", "honest"], isolate=False)
        assert [answer.backend for answer in check.wrong] == ["uniquer"]
        assert "two solutions of honest" in check.wrong[0].reason

    @pytest.mark.parametrize("backend", ["ones", "repeater"])
    def test_a_wrong_grid_and_a_repeated_one_are_wrong(self, backend: str) -> None:
        check = cross_check(SEVERAL, [backend, "honest"], isolate=False)
        assert [answer.backend for answer in check.wrong] == [backend]

    @pytest.mark.parametrize(
        ("backend", "verdict"),
        [
            ("stumbler", Verdict.ERROR),
            ("crasher", Verdict.CRASH),
            ("glutton", Verdict.OUT_OF_MEMORY),
            ("quitter", Verdict.UNKNOWN),
            ("sleeper", Verdict.TIMEOUT),
            ("dawdler", Verdict.TIMEOUT),
        ],
    )
    def test_a_backend_without_an_answer_contradicts_nobody(self, backend: str, verdict: Verdict) -> None:
        for limit in (0.05, 1.0, 20.0):  # a busy machine may need more for the honest one
            check = cross_check(SEVERAL, [backend, "honest"], time_limit=limit, isolate=False)
            if of(check, "honest") is not Verdict.TIMEOUT:
                break
        assert check.agree
        assert of(check, backend) is verdict
        assert check.result is not None
        assert check.result.unique is False

    def test_a_backend_that_cannot_enumerate_is_asked_for_a_solution_only(self) -> None:
        check = cross_check(SEVERAL, ["simple", "honest"], isolate=False)
        simple = check.answers[0]
        assert (simple.verdict, simple.unique, simple.proved) == (Verdict.SOLVED, None, False)

    def test_what_a_backend_does_not_declare_is_unsupported(self) -> None:
        check = cross_check(SEVERAL, ["honest", "cp-sat"], seed=5, isolate=False)
        assert of(check, "honest") is Verdict.UNSUPPORTED
        assert of(check, "cp-sat") is Verdict.SOLVED

    def test_the_solution_that_came_with_a_puzzle_is_a_witness_if_it_is_right(self) -> None:
        puzzle = Puzzle.parse(SEVERAL)
        result = sudoku_models.solve(puzzle)
        assert result.grid is not None
        right = replace(puzzle, stated=result.grid.values)
        wrong = replace(puzzle, stated=(1,) * 16)
        assert not cross_check(right, ["denier"], isolate=False).agree
        assert cross_check(wrong, ["denier"], isolate=False).agree

    def test_ctrl_c_in_an_engine_is_no_answer(self) -> None:
        with pytest.raises(KeyboardInterrupt):
            cross_check(SEVERAL, ["interrupter"], isolate=False)


def test_bad_questions_are_errors_and_not_answers() -> None:
    with pytest.raises(BadOption):
        cross_check(SEVERAL, ["nobody"])
    with pytest.raises(FormatError):
        cross_check("no puzzle")
    with pytest.raises(ValueError, match="time_limit"):
        cross_check(SEVERAL, time_limit=-1)
    with pytest.raises(TypeError, match="time_limt"):
        cross_check(SEVERAL, time_limt=1)


class Vanishes(Engine):
    """Takes its process along, in silence."""

    def solutions(self, model: Model) -> Iterator[Any]:
        print("seen by nobody", flush=True)
        os._exit(0)


@pytest.mark.skipif(os.name != "posix", reason="only on POSIX: child processes")
def test_an_engine_that_takes_its_process_along_is_a_crash_and_the_others_answer(
    capfd: pytest.CaptureFixture[str],
) -> None:
    model = Model([Variable(name, range(1, 4)) for name in "abc"], [AllDifferent(list("abc"))])
    check = cross_check(model, [Vanishes(), "backtracking"])
    assert [answer.verdict for answer in check.answers] == [Verdict.CRASH, Verdict.SOLVED]
    assert capfd.readouterr().out == ""
