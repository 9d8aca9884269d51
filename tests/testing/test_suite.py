"""The suite as an outside package meets it: one fixture, strict gaps, reasons for what does not apply."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from sudoku_models.engine import Feature
from sudoku_models.errors import Unsupported
from sudoku_models.model import Compare, InDomain, Model, Table, Variable, brute_force
from sudoku_models.testing import CHECKS, Kind, NotApplicable, Restricted, Subject
from sudoku_models.testing.examples import known, parity, random_board, solved, structure

ROOT = Path(__file__).parents[2]

OUTSIDE = """
import pytest
from sudoku_models.testing import BackendConformance, Gap, Kind
from tests.testing.faults import FAULTS

class TestGood(BackendConformance):
    specs = ("backtracking",)

class TestBad(BackendConformance):
    specs = tuple(fault for fault in FAULTS if fault.name == "ignores-domains")

class TestFixture(BackendConformance):
    @pytest.fixture
    def spec(self):
        return "backtracking"

class TestKnown(TestBad):
    gaps = (Gap("odd_requests", Kind.DEFECT, "it does not look at the request"),)

class TestClosed(TestGood):
    gaps = (Gap("odd_requests", Kind.DEFECT, "it did not look at the request"),)

class TestNone(TestGood):
    gaps = (Gap("batches", Kind.FEATURE, "it solves one by one"), Gap("no_such_check", Kind.DEFECT, "nothing"))

class TestForgetful(BackendConformance):
    pass
"""


EXPECTED = [
    ("TestGood odd_requests", "PASSED", ""),
    ("TestFixture odd_requests", "PASSED", ""),
    ("TestFixture batches", "SKIPPED", "not applicable (feature): backtracking does not declare 'batch'"),
    ("TestGood enough_cases", "SKIPPED", "only some of the checks were selected"),
    ("TestBad odd_requests", "FAILED", "which was not allowed there"),
    ("TestKnown odd_requests", "XFAIL", "defect: it does not look at the request"),
    ("TestClosed odd_requests", "FAILED", "the gap has closed, remove it"),
    ("TestNone batches", "FAILED", "there is no gap: not applicable"),
    ("TestNone test_gaps_name_checks", "FAILED", "no_such_check"),
    ("TestGood test_gaps_name_checks", "PASSED", ""),
    ("TestForgetful odd_requests", "ERROR", "list backends in 'specs', or define the fixture"),
]


def test_one_fixture_is_all_that_a_package_writes(tmp_path: Path) -> None:
    """Run the suite on the classes above, a few checks of it."""
    (tmp_path / "test_outside.py").write_text(OUTSIDE)
    chosen = "odd_requests or batches or enough_cases or gaps"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "-rsxf", "-k", chosen, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    lines = re.findall(r"::(Test\w+)::(\w+)(?:\[(?:\S+-)?(\w+)\])? (PASSED|FAILED|SKIPPED|XFAIL|ERROR)", done.stdout)
    found = {f"{cls} {check or test}": outcome for cls, test, check, outcome in lines}
    assert {test: found.get(test) for test, _, _ in EXPECTED} == {test: outcome for test, outcome, _ in EXPECTED}
    assert [words for _, _, words in EXPECTED if words not in done.stdout] == []
    assert "TestGood batches" not in found  # what does not apply is not collected


def test_a_restricted_backend_takes_less_and_answers_the_same() -> None:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    model = Model([x, y], [x < y])
    inside = Subject.of(Restricted("backtracking", {Table}))
    assert sorted(inside.all(model)[0]) == list(brute_force(model))
    with pytest.raises(Unsupported, match="Compare"):
        next(Subject.of(Restricted("backtracking", {InDomain})).run(model))


def test_what_does_not_apply_is_reported_by_kind() -> None:
    subject = Subject.of("backtracking:strategy=rows")
    with pytest.raises(NotApplicable) as family:
        subject.takes(Model([Variable("x", (1,))], [InDomain("x", (1,))]))
    assert family.value.kind is Kind.FAMILY
    with pytest.raises(NotApplicable) as feature:
        subject.needs(Feature.ENUMERATE, Feature.BATCH)
    assert feature.value.kind is Kind.FEATURE
    with pytest.raises(NotApplicable) as constraint:
        inside = Subject.of(Restricted("backtracking", {InDomain}))
        inside.takes(Model([Variable("x", (1, 2)), Variable("y", (1, 2))], [Compare("x", "<", "y")]))
    assert constraint.value.kind is Kind.CONSTRAINT


def test_what_the_checks_are_made_of_is_of_all_sorts() -> None:
    names = [check.name for check in CHECKS]
    assert len(set(names)) == len(names) and names[-1] == "enough_cases"
    cases = list(known())
    assert len({name for name, _, _ in cases}) == len(cases) >= 40
    assert {count == 0 for _, _, count in cases} == {True, False}
    for height, width in ((1, 4), (2, 3), (3, 2), (3, 3)):
        model, rng = structure(height, width), Random(1)
        grids = {tuple(solved(rng, height, width)) for _ in range(5)}
        assert len(grids) > 1
        assert all(model.holds(dict(zip(model.names, grid, strict=True))) for grid in grids)
    rng, model = Random(2), structure(2, 2)
    boards = [random_board(rng, model, 2, 2, 6) for _ in range(60)]
    counts = [len(Subject.of("backtracking").all(model, domains=board.domains)[0]) for board in boards]
    assert {0, 1} < set(counts) and max(counts) > 2
    assert list(brute_force(parity(6))) == []
