"""``cross_check`` with proofs: the verdicts that carry one, and those that it refutes."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle
from sudoku_models.prove import check, proved_cross_check
from sudoku_models.puzzle.rules import ExtraCells
from sudoku_models.verbs.agreement import Verdict

from ..planting import planted
from .boards import SMALL, knapsack, ruled

__all__ = ["planted"]

HONEST = ["backtracking", "python-constraint"]


def test_honest_verdicts_carry_the_proof() -> None:
    found = proved_cross_check(SMALL, HONEST, isolate=False)
    assert found.agree
    assert found.proved == tuple(HONEST)
    assert found.certificate
    assert check(found.certificate)
    assert str(found).splitlines()[-1] == "unique: a checked proof by cdcl"


@pytest.mark.usefixtures("planted")
def test_a_lonely_liar_is_refuted() -> None:
    found = proved_cross_check(SMALL, ["denier"], isolate=False)
    assert [answer.verdict for answer in found.answers.answers] == [Verdict.WRONG]
    assert found.answers.wrong[0].reason.startswith("claims unsatisfiable; refuted by the solution of a checked proof")
    assert not found.agree


WITH_A_FREE_CELL = Puzzle.parse(SMALL).with_rules(ExtraCells("V"))


@pytest.mark.parametrize("puzzle", [ruled(), WITH_A_FREE_CELL], ids=["rules", "an extra cell"])
def test_of_several_solutions_there_is_no_proof(puzzle: Puzzle) -> None:
    found = proved_cross_check(puzzle, HONEST, isolate=False)
    assert (found.agree, found.proved, found.certificate) == (True, (), None)
    assert str(found).splitlines()[-1].startswith("no proof: there are several solutions")
    assert len(set(found.judgement.solutions)) == 2


def test_the_best_of_several_solutions_is_not_refuted_by_the_others() -> None:
    assert proved_cross_check(knapsack(), ["backtracking"], unique=False, isolate=False).agree
