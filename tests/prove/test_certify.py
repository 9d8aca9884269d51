"""Certificates: what holds is certified and accepted; what is changed afterwards is not."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import FormatError, Puzzle, Shape, count
from sudoku_models.prove import Claim, ClaimFalse, certify, check, load, save
from sudoku_models.prove.files import texts
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Rule

from ..running import invoke
from .boards import CLASH, SMALL, knapsack, ruled


def test_a_number_of_solutions_is_certified_with_rules() -> None:
    certificate = certify(ruled(), "count")
    assert len(certificate.solutions) == 2
    assert check(certificate)
    assert check(certify(ruled(), count=2)).claim is Claim.COUNT


NAMES = Shape.square(4).names
DIFFERENCES = " + ".join(f"abs({a} - {b})" for a, b in pairwise(NAMES[:11]))
BESIDE_THE_CELLS: list[tuple[Shape, Rule, int]] = [
    (Shape.square(4), r.CountingCircles("R1C1 R2C3 R3C2"), 30),
    (Shape.square(4), r.FullRank(NAMES[:4], 5), 9),
    (Shape.latin(3), r.ExtraCells("V"), 3 * 12),
    (Shape.square(4), r.SumOneOf("R1C1 R2C3 R3C2", (6, 9)), 36),
    (Shape.square(4), r.Condition(f"{DIFFERENCES} >= 20"), 16),
    (Shape.latin(3), r.ChaosConstruction(), 72),
]
"""Rules with auxiliary variables or extra cells, and how many solutions a board with them has."""


@pytest.mark.parametrize(
    ("shape", "rule", "number"), BESIDE_THE_CELLS, ids=[type(x[1]).__name__ for x in BESIDE_THE_CELLS]
)
def test_all_solutions_of_rules_with_other_variables_are_certified(shape: Shape, rule: Rule, number: int) -> None:
    puzzle = Puzzle.empty(shape).with_rules(rule)
    certificate = certify(puzzle, "count")
    assert len(certificate.solutions) == number == count(puzzle).value
    assert check(certificate)
    with pytest.raises(ClaimFalse, match=f"the claim of {number - 1} solutions does not hold"):
        certify(puzzle, count=number - 1)


@pytest.mark.parametrize(
    ("problem", "claim", "why"),
    [
        (SMALL, "unsatisfiable", "'unsatisfiable' does not hold: there is one solution"),
        (CLASH, "unique", "'unique' does not hold: there is no solution"),
        (ruled(), "unique", "several solutions"),
        (ruled(), None, "several solutions"),
    ],
)
def test_a_claim_that_does_not_hold_is_not_certified(problem: Any, claim: str | None, why: str) -> None:
    with pytest.raises(ClaimFalse, match=why):
        certify(problem, claim)


@pytest.mark.parametrize("name", ["folder", "one.zip"])
@pytest.mark.parametrize("problem", [SMALL, CLASH, ruled(), knapsack()], ids=["unique", "none", "rules", "objective"])
def test_a_certificate_comes_back_from_its_files(problem: Any, name: str, tmp_path: Path) -> None:
    made = certify(problem, "count" if isinstance(problem, Puzzle) else None)
    read = load(save(made, tmp_path / name))
    assert texts(read) == texts(made)
    assert check(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("certificate.json", "{", "not JSON"),
        ("certificate.json", "[]", "an object of the schema"),
        ("certificate.json", '{"schema": "sudoku-models/certificate", "version": 1, "claim": "x"}', "a key is missing"),
        ("model.txt", "nonsense", "model.txt"),
        ("formula.cnf", "p cnf 1 2\n1 0\n", "2 clauses, each ended by 0, are expected"),
        ("formula.cnf", "p cnf 1 1\n1 99999999999 0\n", "not DIMACS"),
        ("map.txt", "1 R1C1\n", "'number name value' is expected"),
        ("proof.lrat", "5 1", "line 1 of the proof is not LRAT"),
        ("model.txt", None, "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(name: str, text: str | None, why: str, tmp_path: Path) -> None:
    save(certify(SMALL), tmp_path / "it")
    if text is None:
        (tmp_path / "it" / name).unlink()
    else:
        (tmp_path / "it" / name).write_text(text)
    with pytest.raises(FormatError, match=why) as caught:
        check(tmp_path / "it")
    assert name in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"53..7\n", b"PK\x03\x04 cut off"])
def test_the_program_says_of_another_file_that_it_is_no_certificate(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "1.zip"
    file.write_bytes(data)
    found = invoke(["check", str(file)])
    expected = "is not a certificate, or is incomplete: a folder or a zip file as written by certify is expected"
    assert (found.exit_code, found.stderr) == (2, f"error: {file}: {expected}\n")


def test_the_program_certifies_a_model_and_its_best_solution(tmp_path: Path) -> None:
    run, path, out = invoke, tmp_path / "model.txt", tmp_path / "it.zip"
    path.write_text(f"{knapsack()}\n")
    made = run(["certify", "--model", str(path), "-o", str(out)])
    assert (made.exit_code, "no solution better than 23" in made.output) == (0, True), made.output
    assert "accepted: optimal, 23 is the best value" in run(["check", str(out)]).output
    counted = run(["certify", "--model", str(path), "--count", "3", "-o", str(tmp_path / "no.zip")])
    assert (counted.exit_code, "the claim of 3 solutions does not hold" in counted.output) == (1, True)
    for arguments in (["--claim", "x"], ["--together"], [str(path)]):
        refused = run(["certify", "--model", str(path), "-o", str(out), *arguments])
        assert (refused.exit_code, "error:" in refused.output) == (2, True), refused.output
    path.write_text("nonsense")
    assert run(["certify", "--model", str(path), "-o", str(out)]).exit_code == 2


def test_the_program_says_what_it_refuses(tmp_path: Path) -> None:
    run = invoke
    made = run(["certify", SMALL, "-o", str(tmp_path / "it"), "--claim", "unsatisfiable"])
    assert made.exit_code == 1
    assert not (tmp_path / "it").exists()
    run(["certify", SMALL, "-o", str(tmp_path / "it")])
    head = json.loads((tmp_path / "it" / "certificate.json").read_text())
    head["solutions"][0][0] = 2
    (tmp_path / "it" / "certificate.json").write_text(json.dumps(head))
    found = run(["check", str(tmp_path / "it")])
    assert found.exit_code == 4
    assert "REFUSED: solution 1 gives R1C1 the value 2, which it cannot have" in found.output


def test_a_check_says_what_is_certified_and_refuses_a_certificate_of_another_problem() -> None:
    made = certify(SMALL)
    assert f"the model is that of the puzzle {SMALL}" in str(check(made, problem=SMALL))
    assert "a model, 3 variables, 2 constraints" in str(check(certify(knapsack()), problem=knapsack()))
    for other in ("." + SMALL[1:], ruled(), knapsack(), Puzzle.parse(SMALL).structure):
        assert check(made, problem=other).problem == "the certificate is of another problem"
