"""Counting in blocks: exact, checked side by side, and by groups where the model falls apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND

from sudoku_models import Puzzle, count
from sudoku_models.engine import counted_blocks
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Reason, Request
from sudoku_models.engine.counted_blocks import independent
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import prepare, run
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Compare, Linear, Model, Variable, brute_force
from sudoku_models.puzzle.rules import KillerCage
from sudoku_models.testing.generators import GENERATORS, random_domains, random_model

Change = Callable[[np.ndarray], np.ndarray]
SMALL = Puzzle.parse(".Shape~4x4.Cage~5~R1C1~R1C2")


def permutations(size: int, times: int) -> Model:
    """Return a model of so many separate permutations."""
    rows = [[Variable(f"x{i}_{j}", range(size)) for j in range(size)] for i in range(times)]
    return Model([x for row in rows for x in row], [AllDifferent(row) for row in rows])


def test_random_models_have_as_many_solutions_as_brute_force_finds() -> None:
    rng, done = Random("blocks"), 0
    while done < 150:
        model = random_model(rng, list(GENERATORS), rng.randint(1, 6), rng.randint(1, 3))
        domains = random_domains(rng, model)
        if model.objective or BACKEND.capabilities.accepts_model(model) is not None:
            continue
        outcome = counted_blocks.counted(model, "native", Request(domains, None), Record())
        assert outcome is not None
        assert outcome.complete
        assert outcome.count == len(list(brute_force(model.narrowed(domains)))), str(model)
        done += 1


def test_groups_that_nothing_links_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_blocks, "ENOUGH", 10)
    found = count(permutations(5, 6), "native")
    assert (found.value, found.exact) == (120**6, True)
    assert "counted in 6 independent groups of cells" in found.record.notes
    some = count(permutations(5, 6), "native", limit=10**9)
    assert (some.value, some.exact) == (10**9, False)


def test_what_was_counted_before_the_groups_is_not_lost_when_their_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_blocks, "ENOUGH", 10)
    monkeypatch.setattr(counted_blocks._Counting, "_product", lambda *_: (Ending(Reason.TIME), 0))
    found = count(permutations(5, 6), "native")
    assert (found.value >= 10, found.exact) == (True, False)


@dataclass(frozen=True)
class Across:
    """A judge who refuses one pair of values of two variables; the second is read only where the first fits."""

    refused: Mapping[str, int]

    def broken(self, values: Mapping[str, int]) -> str | None:
        return "the rule" if all(values[x] == value for x, value in self.refused.items()) else None

    def of(self, _: Any) -> Across:
        return self

    def each(self) -> tuple[Across]:
        return (self,)


@pytest.mark.parametrize("turned", [False, True], ids=["seen late", "seen at first"])
def test_a_judge_who_looks_at_several_groups_sees_all_their_combinations(
    turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair is not in the first blocks, nor in a group's count, where all other groups are as in one solution."""
    monkeypatch.setattr(counted_blocks, "ENOUGH", 10)
    model = permutations(4, 4)
    first = []
    for block in prepare(model, "native").compiled.blocks(Request({}, None)):
        first.append(block)
        if sum(map(len, first)) >= 10:
            break
    changes = (np.concatenate(first) != first[0][0]).any(axis=0)
    steady, moving = (~changes).nonzero()[0][0], changes.nonzero()[0][0]
    pair = {model.names[x]: (int(block[0, x]) + 1) % 4 for x in ((moving, steady) if turned else (steady, moving))}
    with pytest.raises(WrongAnswer, match="the rule"):
        count(Model(model.variables, model.constraints, judge=Across(pair)), "native")


def test_judges_who_look_at_one_group_each_leave_the_groups_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_blocks, "ENOUGH", 10)
    model = permutations(4, 4)
    found = count(Model(model.variables, model.constraints, judge=Across({"x0_0": 9})), "native")
    assert found.value == 24**4
    assert "counted in 4 independent groups of cells" in found.record.notes


@pytest.mark.parametrize("seed", range(25))
def test_models_that_fall_apart_have_as_many_solutions_as_brute_force_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counted_blocks, "ENOUGH", 1)
    rng = Random(f"apart {seed}")
    xs = [Variable(f"x{i}", sorted(rng.sample(range(6), rng.randint(1, 4)))) for i in range(7)]
    stated = [AllDifferent(rng.sample(xs, 3)), Compare(*rng.sample(xs, 1), "!=", xs[0], 0)] if seed % 2 else []
    stated = [c for c in stated if not (isinstance(c, Compare) and c.x == c.y)]
    model = Model(xs, [*stated, Linear((1, 1), rng.sample(xs, 2), "<=", 5), AllDifferent(rng.sample(xs, 2))])
    assert count(model, "native").value == len(list(brute_force(model)))


def test_variables_that_differ_anyway_are_not_linked() -> None:
    xs = [Variable(name, values) for name, values in zip("abcd", ((1, 2), (3, 4), (3, 4), (5,)), strict=True)]
    model = Model(xs, [AllDifferent(xs), Compare(xs[0], "!=", xs[3])])
    assert independent(model, model.domains) == [("a",), ("b", "c")]
    linked = model.with_(Linear((1, 1), xs[:2], "==", 5))
    assert independent(linked, linked.domains) == [("a", "b", "c")]


def spoilt(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Let the engine's blocks of the small puzzle be changed on their way."""
    compiled = prepare(SMALL.structure, "native").compiled
    right = compiled.blocks

    def wrong(request: Request) -> Iterator[Any]:
        source = right(request)
        while True:
            try:
                yield change(next(source))
            except StopIteration as stop:
                return stop.value

    monkeypatch.setattr(compiled, "blocks", wrong)


def other_value(rows: np.ndarray) -> np.ndarray:
    rows[-1, 5] = rows[-1, 5] % 4 + 1
    return rows


def outside(rows: np.ndarray) -> np.ndarray:
    rows[0] += 4
    return rows


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (other_value, "it violates the constraint all_different"),
        (outside, "which is not in its domain"),
        (lambda rows: np.concatenate((rows, rows[:1])), "it was returned before"),
        (lambda rows: rows + 0.5, "where rows of whole numbers are expected"),
        (lambda rows: rows[:, :-1], "where rows of whole numbers are expected"),
    ],
)
def test_a_wrong_row_among_many_is_noticed(change: Change, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt(monkeypatch, change)
    with pytest.raises(WrongAnswer, match=expected):
        count(SMALL, "native")


def test_the_rules_judge_rows_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KillerCage, "judge", lambda *_: False)
    with pytest.raises(WrongAnswer, match=r"it breaks the rule Killer cage .*, though every constraint holds"):
        count(Puzzle.parse(".Shape~4x4.Cage~6~R1C1~R1C2"), "native")


def test_limits_and_domains_are_kept() -> None:
    whole = count(SMALL, "native").value
    plain = list(run(SMALL.structure, "backtracking", Request(limit=None)))
    assert whole == len(plain)
    assert str(count(SMALL, "native", limit=whole - 1)) == f"at least {whole - 1}"
    assert str(count(SMALL, "native", limit=whole)) == str(whole)
    for value in range(1, 5):
        given = count(Puzzle.parse(f".Shape~4x4.Cage~5~R1C1~R1C2.~R1C1_{value}"), "native").value
        assert given == sum(solution[0] == value for solution in plain)
    nothing = count(SMALL, "native", time_limit=0.0)
    assert (nothing.value, nothing.exact) == (0, False)


def test_the_time_of_the_checks_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    right = counted_blocks._Counting._check

    def slow(self: counted_blocks._Counting, block: np.ndarray) -> None:
        right(self, block)
        self.clock = Budget(0.0)

    monkeypatch.setattr(counted_blocks._Counting, "_check", slow)
    outcome = counted_blocks.counted(SMALL.structure, "native", Request(limit=None), Record())
    assert outcome is not None
    assert (outcome.count, outcome.complete, outcome.reason) == (1, False, Reason.TIME)


def test_an_engine_without_blocks_or_patience_is_asked_one_by_one() -> None:
    whole = count(SMALL, "native").value
    assert counted_blocks.counted(SMALL.structure, "backtracking", Request(limit=None), Record()) is None
    assert counted_blocks.counted(SMALL.structure, "native:patience=1", Request(limit=None), Record()) is None
    assert count(SMALL, "backtracking").value == count(SMALL, "relay:(native:patience=1)|(backtracking)").value == whole


def test_how_a_count_ended_is_reported() -> None:
    outcome = counted_blocks.counted(SMALL.structure, "native", Request(limit=3), Record())
    assert outcome is not None
    assert (outcome.count, outcome.reason) == (3, Reason.LIMIT)
