"""Verbs end by their time limit, whatever the problem and the engine: a sample of the matrix, measured in CPU time."""

from __future__ import annotations

import pytest

from sudoku_models import solve
from sudoku_models.explain import rate

from .matrix import HARDEST, MORE, PROBLEMS, VERBS, Case, engines

THERMO = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.~R2C1_3"
LIMIT = 0.25
"""The time limit of a case, in seconds."""

VERB_CASES = {
    "solve": ("empty 36x36", "sums of 100", "wide tables", "independent set", "weighted 16x16"),
    "unique": ("49x49", "disjunctions", "parity"),
    "count": ("empty 9x9", "sum model of 200", "wide tables", "areas", "empty 36x36"),
    "solutions": ("empty 16x16", "pigeons"),
    "candidates": ("25x25", "sum model of 60"),
    "core": ("pigeons", "areas", "full 25x25"),
    "cross_check": ("36x36", "sums of 60", "hardest 9x9"),
    "explain": ("empty 16x16", "full 49x49", "areas", "sums of 100"),
    "hint": ("36x36", "49x49", "sums of 60", "sums of 200", "sum model of 200"),
    "path": ("25x25", "sums of 100", "wide tables"),
    "rate": ("hardest 9x9", "36x36", "disjunctions"),
    "certify": ("hardest 9x9", "25x25", "parity"),
    "certify a count": ("empty 9x9", "sums of 60"),
    "judge": ("25x25", "sum model of 60"),
    "complete": ("36x36", "empty 16x16", "sums of 60"),
    "minimise": ("49x49", "full 25x25"),
    "smallest": ("49x49", "hardest 9x9"),
    "redundant": ("36x36", "sums of 60"),
    "clues_needed": ("full 25x25", "full 49x49"),
    "generate": ("empty 16x16", "sums of 60"),
    "trace": ("36x36",),
}
ENGINE_CASES = (("unique", "empty 16x16"), ("solve", "parity"), ("count", "sums of 60"))
CASES = [
    *(Case(verb, name) for verb, names in VERB_CASES.items() for name in names),
    *(Case(verb, name, spec) for verb, name in ENGINE_CASES for spec in engines() if spec != "auto"),
]


@pytest.fixture(scope="module", autouse=True)
def kernels() -> None:
    """Compile what is compiled once on a machine: no limit interrupts that."""
    for spec in ("auto", "bitset", "pysat", "cp-sat"):
        solve(HARDEST, spec)
    for problem in (THERMO, HARDEST):
        solve(problem, "native")
        rate(problem)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_verb_ends_by_its_limit(case: Case) -> None:
    late, said = case.late(LIMIT)
    assert late <= MORE, said
    assert not said.startswith("!!"), said


def test_the_sample_has_every_verb_and_nearly_every_problem() -> None:
    assert {case.verb for case in CASES} >= VERBS.keys() - {"search"}
    assert len(set(PROBLEMS) - {case.problem for case in CASES}) <= 3
    assert all(case.applies for case in CASES)
