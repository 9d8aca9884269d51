"""Certificates whose proof has no hints: found out by propagation, checked in compiled code and in plain Python."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models.prove import Certificate, certify
from sudoku_models.prove.certificate_check import verified
from sudoku_models.prove.drat import Step
from sudoku_models.prove.files import drat_text
from sudoku_models.prove.looking import Deadline
from tests.prove.mutations import also_by_drat, unhinted

from .boards import CLASSIC, SMALL, knapsack, ruled


@pytest.mark.parametrize(
    ("refuter", "problem"), [("cdcl", ruled()), ("cdcl", CLASSIC), ("glucose4", knapsack()), ("cadical153", SMALL)]
)
def test_a_refuter_may_leave_out_the_hints(refuter: str, problem: object) -> None:
    claim = "count" if problem == ruled() else None
    certificate = certify(problem, claim, refuter=refuter, proof="drat")  # type: ignore[arg-type]
    assert certificate.proof == ()
    assert certificate.drat
    for many in (0, None):
        assert verified(certificate, Deadline(None), many)
    assert check_proof(parse_dimacs(certificate.formula.dimacs), drat_text(certificate.steps)).ok


def defined() -> Certificate:
    """Return a certificate whose proof begins with two definitions, of which a clause is deleted."""
    return unhinted()[1]


def steps_of(certificate: Certificate) -> list[Step]:
    return list(certificate.steps)


def test_lemmas_by_resolution_and_deletions_are_taken() -> None:
    certificate = defined()
    assert not all(added for added, _ in certificate.steps)
    for many in (0, None):
        assert verified(certificate, Deadline(None), many)
    backwards = replace(certificate, drat=tuple((added, clause[::-1]) for added, clause in certificate.steps))
    for many in (0, None):
        assert "does not follow" in verified(backwards, Deadline(None), many).problem


def test_what_follows_only_once_a_clause_is_deleted_is_taken() -> None:
    certificate = defined()
    new = certificate.formula.variables + 1
    first, *rest = steps_of(certificate)[6:]
    twice: list[Step] = [(True, (new, 1)), (False, (new, 1)), (True, (-new, 2)), (False, (-new, 2))]
    assert verified(replace(certificate, drat=(*twice, *rest)), Deadline(None), 0)
    kept = [step for step in twice if step[0]]
    assert not verified(replace(certificate, drat=(*kept, *rest)), Deadline(None), 0)
    assert first == (False, (-new, 1))


def test_compiled_and_plain_say_the_same_of_changed_proofs() -> None:
    verdicts = []
    for seed in range(20):
        rng = Random(f"unhinted {seed}")
        certificate = rng.choice(unhinted()[:2])
        steps = steps_of(certificate)
        at = rng.randrange(len(steps))
        added, clause = steps[at]
        flipped = tuple(-x if rng.random() < 0.3 else x for x in clause)
        steps[at : at + 1] = rng.choice([[], [(not added, clause)], [(added, flipped)], [(added, clause[1:])]])
        changed = replace(certificate, drat=tuple(steps))
        found = {bool(verified(changed, Deadline(None), many)) for many in (0, None)}
        assert found == {also_by_drat(changed)}, (seed, steps[at - 1 : at + 1])
        verdicts += found
    assert 2 < sum(verdicts) < 19
