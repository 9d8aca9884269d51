"""Certificates whose proof has no hints: found out by propagation, checked in compiled code and in plain Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models.errors import FormatError
from sudoku_models.prove import Certificate, certify, check, load, save
from sudoku_models.prove.certificate import amount
from sudoku_models.prove.certificate_check import verified
from sudoku_models.prove.drat import Step, elaborated, parse_drat
from sudoku_models.prove.files import DRAT, LRAT, drat_text
from sudoku_models.prove.looking import Deadline
from sudoku_models.prove.lrat import NotProved, ProofLine, check_lrat
from sudoku_models.prove.outside import CHECKERS
from tests.prove.mutations import also_by_drat, unhinted
from tests.prove.plain_drat import refutes

from ..running import invoke
from .boards import CLASSIC, SMALL, knapsack, ruled


@pytest.mark.parametrize("name", ["it", "it.zip"])
def test_the_proof_with_hints_may_be_missing(name: str, tmp_path: Path) -> None:
    whole = certify(CLASSIC)
    bare = replace(whole, proof=(), drat=tuple(whole.steps))
    read = load(save(bare, tmp_path / name))
    assert (read.proof, read.drat, read.lemmas) == ((), bare.drat, whole.lemmas)
    found = check(tmp_path / name)
    assert found
    assert found.checked[-1] == f"the proof, which has no hints, refutes the formula: {amount(whole.lemmas, 'lemma')}"


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


def test_a_kind_of_proof_that_is_unknown_is_named() -> None:
    with pytest.raises(ValueError, match="the proof 'drup': one of lrat, drat is expected"):
        certify(SMALL, proof="drup")


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


def test_a_proof_with_hints_is_made_of_one_by_resolution_on_a_literal() -> None:
    """A variable 5 that is 1 and 2 is defined, and used: the hints of lemma 19 name the clauses that define it."""
    cube = list(product((1, -1), (2, -2), (3, -3), (4, -4)))
    text = "-5 1 0\n-5 2 0\n5 -1 -2 0\n-5 3 0\n-5 0\nd -1 -2 3 4 0\n-1 3 0\n-1 0\n2 3 0\n2 0\n3 0\n0\n"
    lines = elaborated(cube, parse_drat(text))
    assert [line.number for line in lines] == list(range(17, 28))
    assert [line.hints for line in lines[:3]] == [(), (), (-17, -18)]
    assert check_lrat(cube, lines) == 11
    with pytest.raises(NotProved, match="lemma 3 does not follow: 5 -1 0"):
        elaborated(cube, parse_drat(text.replace("5 -1 -2 0", "5 -1 0")))


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


def test_the_plainest_check_agrees_with_another_one() -> None:
    verdicts = []
    for seed in range(60):
        rng = Random(f"plainest {seed}")
        n = rng.randint(2, 4)
        formula = [
            tuple(rng.choice((1, -1)) * rng.randint(1, n) for _ in range(rng.randint(1, 3))) for _ in range(4 * n)
        ]
        lemmas = [tuple(rng.choice((1, -1)) * rng.randint(1, n) for _ in range(2)) for _ in range(2)]
        dimacs = f"p cnf {n} {len(formula)}\n" + "".join(" ".join(map(str, (*c, 0))) + "\n" for c in formula)
        steps = [(True, clause) for clause in (*lemmas, ())]
        wanted = check_proof(parse_dimacs(dimacs), drat_text(steps)).ok
        verdicts.append(wanted)
        assert refutes(formula, steps) == wanted, (formula, lemmas)
    assert 10 < sum(verdicts) < 55


def test_checkers_that_read_hints_are_not_asked_about_a_proof_without() -> None:
    taking = [checker.name for checker in CHECKERS if checker.takes(certify(SMALL, proof="drat"))]
    assert taking == ["drat-trim", "dratify", "drup"]
    resolving = replace(certify(SMALL), proof=(ProofLine(1, (1,), (-5,)),))
    assert "drup" not in [checker.name for checker in CHECKERS if checker.takes(resolving)]


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
