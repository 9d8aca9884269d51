"""Certificates: what holds is certified and accepted; what is changed afterwards is not."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape, count
from sudoku_models.prove import ClaimFalse, certify, check, load, save
from sudoku_models.prove.files import texts
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Rule

from ..running import invoke
from .boards import CLASH, SMALL, knapsack, ruled

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


@pytest.mark.parametrize("name", ["folder", "one.zip"])
@pytest.mark.parametrize("problem", [SMALL, CLASH, ruled(), knapsack()], ids=["unique", "none", "rules", "objective"])
def test_a_certificate_comes_back_from_its_files(problem: Any, name: str, tmp_path: Path) -> None:
    made = certify(problem, "count" if isinstance(problem, Puzzle) else None)
    read = load(save(made, tmp_path / name))
    assert texts(read) == texts(made)
    assert check(tmp_path / name)


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
