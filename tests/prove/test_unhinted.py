"""Certificates whose proof has no hints: found out by propagation, checked in compiled code and in plain Python."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models.errors import FormatError
from sudoku_models.prove import Certificate, certify, check, save
from sudoku_models.prove.certificate_check import verified
from sudoku_models.prove.drat import Step
from sudoku_models.prove.files import DRAT, LRAT, drat_text
from sudoku_models.prove.looking import Deadline
from tests.prove.mutations import also_by_drat, unhinted

from ..running import invoke
from .boards import CLASSIC, SMALL, knapsack, ruled


def test_one_of_both_proofs_is_enough_and_none_is_not(tmp_path: Path) -> None:
    folder = save(certify(SMALL), tmp_path / "it")
    lrat = (folder / LRAT).read_text()
    (folder / LRAT).unlink()
    assert "has no hints" in check(folder).checked[-1]
    (folder / DRAT).unlink()
    with pytest.raises(FormatError, match=r"neither proof.lrat nor proof.drat is there"):
        check(folder)
    (folder / LRAT).write_text(lrat)
    assert "has no hints" not in check(folder).checked[-1]


def test_two_proofs_have_to_be_the_same(tmp_path: Path) -> None:
    folder = save(certify(SMALL), tmp_path / "it")
    with (folder / DRAT).open("a") as stream:
        stream.write("d 1 0\n")
    with pytest.raises(FormatError, match=r"the lemmas of proof.lrat without their hints are expected"):
        check(folder)


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
    for seed in range(40):
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
    assert 5 < sum(verdicts) < 38


def test_the_program_writes_and_checks_a_proof_without_hints(tmp_path: Path) -> None:
    (tmp_path / "it.txt").write_text(SMALL + "\n")
    asked = ["certify", str(tmp_path / "it.txt"), "--out", str(tmp_path / "it.zip"), "--proof", "drat"]
    assert invoke(asked).exit_code == 0
    found = invoke(["check", str(tmp_path / "it.zip")])
    assert found.exit_code == 0
    assert "which has no hints" in found.output
    wrong = invoke([*asked[:-1], "drup"])
    assert wrong.exit_code == 2
    assert "--proof drup: one of lrat, drat is expected" in wrong.output
    together = invoke([*asked, "--together"])
    assert together.exit_code == 2
    assert "leave out --proof drat" in together.output
