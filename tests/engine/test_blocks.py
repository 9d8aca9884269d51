"""Counting in blocks: exact, checked side by side, and part by part where a bare model falls apart."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native.compiled import CompiledNative

from sudoku_models import count
from sudoku_models.engine.contract import Ending, Request
from sudoku_models.engine.road import run
from sudoku_models.errors import WrongAnswer
from sudoku_models.model import AllDifferent, Compare, Linear, Model, Variable, brute_force


def permutations(size: int, times: int) -> Model:
    """Return a model of so many separate permutations."""
    rows = [[Variable(f"x{i}_{j}", range(size)) for j in range(size)] for i in range(times)]
    return Model([x for row in rows for x in row], [AllDifferent(row) for row in rows])


@pytest.mark.parametrize("backend", ["native", "pycosat", "backtracking"])
def test_parts_that_no_constraint_links_are_counted_one_by_one(backend: str) -> None:
    model = permutations(5, 6)
    found = count(model, backend)
    assert (found.value, found.exact) == (120**6, True)
    assert "counted in 6 parts that no constraint links" in found.record.notes
    assert str(count(model, backend, limit=120**6 - 1)) == f"at least {120**6 - 1}"
    assert str(count(model, backend, limit=120**6)) == f"{120**6}"


def test_variables_of_no_constraint_take_all_their_values() -> None:
    xs = [Variable(f"x{i}", (0, 1)) for i in range(70)]
    assert count(Model(xs, [Compare(xs[3], "<", xs[50])])).value == 2**68


@dataclass(frozen=True)
class Across:
    """A judge who refuses one pair of values of two variables that no constraint links."""

    refused: Mapping[str, int]

    def broken(self, values: Mapping[str, int]) -> str | None:
        return "the rule" if all(values[x] == value for x, value in self.refused.items()) else None

    def of(self, _: Any) -> Across:
        return self

    def each(self) -> tuple[Across]:
        return (self,)


def test_a_judge_sees_all_combinations_of_the_parts() -> None:
    model = permutations(4, 3)
    for values in ((0, 0), (3, 3), (1, 2)):
        judge = Across({"x0_0": values[0], "x2_3": values[1]})
        with pytest.raises(WrongAnswer, match="the rule"):
            count(Model(model.variables, model.constraints, judge=judge), "native")


@pytest.mark.parametrize("seed", range(4))
def test_models_of_several_parts_have_as_many_solutions_as_brute_force_finds(seed: int) -> None:
    rng = Random(f"apart {seed}")
    xs = [Variable(f"x{i}", sorted(rng.sample(range(6), rng.randint(3, 5)))) for i in range(8)]
    stated = [AllDifferent(rng.sample(xs[:4], 3)), Linear((1, 1), rng.sample(xs[4:6], 2), "<=", 6)]
    model = Model(xs, [*stated, *([Compare(xs[0], "!=", xs[6])] if seed % 2 else [])])
    found = count(model, "native")
    assert found.value == len(list(brute_force(model))) > 1000
    assert any(note.startswith("counted in") for note in found.record.notes)


def test_parts_linked_through_others_are_one_part() -> None:
    xs = [Variable(f"x{i}", range(4)) for i in range(8)]
    links = [
        AllDifferent(xs[:2]),
        AllDifferent(xs[2:4]),
        Linear((1, 1), (xs[3], xs[1]), "<=", 4),
        AllDifferent(xs[4:6]),
    ]
    found = count(Model(xs, links))
    pairs = sum(1 for a in range(4) for b in range(4) if a + b <= 4) * 3 * 3
    assert found.value == pairs * 12 * 16
    assert "counted in 4 parts that no constraint links" in found.record.notes


ROWS = 720
SIX = Model(xs := [Variable(f"x{i}", range(6)) for i in range(6)], [AllDifferent(xs)])


def changed(monkeypatch: pytest.MonkeyPatch, number: int, row: Any) -> None:
    """Let the engine say something else in place of one of its solutions."""
    asked = CompiledNative.search

    def search(self: Any, *content: Any) -> Generator[Any, None, Ending]:
        source, at = asked(self, *content), 0
        while True:
            try:
                block = next(source)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            if at <= number < at + len(block):
                block[number - at] = row
            at += len(block)
            yield block

    monkeypatch.setattr(CompiledNative, "search", search)


@pytest.mark.parametrize("number", [3, 600])
@pytest.mark.parametrize("row", [(0, 1, 2, 3, 4, 4), (0, 1, 2, 3, 4, 6), (1, 0, 2, 3, 4, 5)])
def test_nothing_comes_after_a_wrong_solution(number: int, row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request({"x0": (0, 2)}, None))]
    changed(monkeypatch, number % len(right), row)
    come, found = [], run(SIX, "native", Request({"x0": (0, 2)}, None))
    with pytest.raises(WrongAnswer, match=r"violates|not in its domain|not allowed"):
        while True:
            come.append(next(found))
    assert come == right[: len(come)]
    assert len(come) <= number % len(right)


@pytest.mark.parametrize(("first", "again"), [(0, 5), (100, 700)])
def test_a_solution_that_comes_again_is_noticed(first: int, again: int, monkeypatch: pytest.MonkeyPatch) -> None:
    right = [*run(SIX, "native", Request(limit=None))]
    changed(monkeypatch, again, right[first])
    come: list[Any] = []
    with pytest.raises(WrongAnswer, match="it was returned before"):
        come.extend(run(SIX, "native", Request(limit=None)))
    assert come == right[: len(come)]
    assert len(come) <= again


def test_blocks_and_single_solutions_of_a_run_are_the_same_and_counted_alike() -> None:
    found = run(SIX, "native", Request(limit=None))
    first = next(found)
    rest = [tuple(row) for block in found.blocks() for row in block]
    assert [first, *rest] == [*run(SIX, "native", Request(limit=None))]
    assert found.outcome.count == ROWS


@pytest.mark.parametrize("backend", ["native", "pycosat"])
def test_some_solutions_of_a_run_end_it(backend: str) -> None:
    model = permutations(3, 1)
    every = list(run(model, backend, Request(limit=None)))
    found = run(model, backend, Request(limit=None))
    assert [next(found), *found.some(2)] == every[:3]
    assert (found.outcome.count, found.outcome.complete, found.some(1)) == (3, False, [])
    found = run(model, backend, Request(limit=None))
    assert found.some(7) == every
    assert (found.outcome.count, found.outcome.complete) == (6, True)


def test_a_request_is_changed_by_the_names_of_its_fields() -> None:
    request = Request(limit=3, seed=1)
    assert request.but(limit=None) == Request(limit=None, seed=1) and request.limit == 3
    with pytest.raises(TypeError, match="no field 'limits': domains, limit"):
        request.but(limits=2)
