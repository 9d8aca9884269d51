"""A search shared by threads: the same solutions whatever their number, and the first one as with one worker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")

from sudoku_backends.native import BACKEND, NativeOptions, sharing
from sudoku_backends.native.backend import CompiledNative
from sudoku_backends.native.search import Searching
from sudoku_backends.native.sharing import SharedSearch

from sudoku_models import Puzzle, count, solve
from sudoku_models.engine.budget import Budget, OutOfTime
from sudoku_models.engine.contract import Reason, Request
from sudoku_models.engine.road import run
from sudoku_models.model import AllDifferent, Linear, Model, Variable

BOARD = Puzzle.parse(".Shape~4x4.Cage~5~R1C1~R1C2")
SIX = Model(xs := [Variable(f"x{i}", range(6)) for i in range(6)], [AllDifferent(xs)])


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share a search after a few nodes, and cut parts again after a few."""
    monkeypatch.setattr(sharing, "ALONE", 3)
    monkeypatch.setattr(sharing, "BUDGET", 10)


def compiled(model: Model) -> CompiledNative:
    return BACKEND.compile(model, NativeOptions())


@pytest.mark.parametrize("seed", [0, 5])
def test_any_number_of_threads_gives_the_same_order_and_the_first_solution_of_one(seed: int) -> None:
    alone, two, three = (
        [*run(SIX, "native", Request(limit=None, seed=seed, workers=workers))] for workers in (1, 2, 3)
    )
    assert two == three
    assert two[0] == alone[0]
    assert sorted(two) == sorted(alone)


def test_the_first_solution_is_that_of_one_worker_also_where_it_comes_late() -> None:
    rng = Random("late")
    for _ in range(20):
        xs = [Variable(f"x{i}", range(1, 10)) for i in range(9)]
        coeffs = [rng.randint(1, 40) for _ in xs]
        model = Model(xs, [AllDifferent(xs), Linear(coeffs, xs, "==", rng.randint(500, 900))])
        alone = next(compiled(model).run(Request(limit=5)), None)
        assert next(compiled(model).run(Request(limit=5, workers=2)), None) == alone


@pytest.mark.parametrize("limit", [2, 3, 100, 719, 720, 721])
def test_limits_hold_across_threads(limit: int) -> None:
    found = run(SIX, "native", Request(limit=limit, workers=2))
    assert sum(1 for _ in found) == min(limit, 720)
    assert found.outcome.reason is (Reason.EXHAUSTED if limit > 720 else Reason.LIMIT)
    assert found.outcome.record.sizes["nodes"] > 3


def test_verbs_share_counts_and_proofs() -> None:
    assert count(BOARD, "native", workers=2).value == count(BOARD, "native").value
    assert count(SIX, "native", workers=3).value == 720
    shared, alone = (solve(BOARD, "native", unique=True, workers=workers) for workers in (2, 1))
    assert (shared.unique, shared.values) == (alone.unique, alone.values)


def test_what_is_kept_tells_solutions_of_all_parts_apart() -> None:
    for keep in (("x0", "x1"), ("x5",), ("x1", "x3", "x4")):
        found = [*run(SIX, "native", Request(limit=None, keep=keep, workers=2))]
        kept = {tuple(row[int(x[1])] for x in keep) for row in found}
        expected = 6 * 5 * 4 if len(keep) == 3 else 6 * 5 if len(keep) == 2 else 6
        assert len(kept) == len(found) == expected


def test_hidden_variables_do_not_double_solutions() -> None:
    xs = [Variable(f"x{i}", range(0, 210, 7)) for i in range(3)]
    model = Model(xs, [AllDifferent(xs), Linear([1, 1, -1], xs, "==", 14)])
    two, one = (sorted(run(model, "native", Request(limit=None, workers=workers))) for workers in (2, 1))
    assert two == one
    assert len(set(one)) == len(one) > 300


def all_of(one: Searching) -> list[tuple[int, ...]]:
    out, found = one.rows(1_000), 0
    while not one.finished:
        found = one.within(1_000, out, found, 1_000)
    return [tuple(row) for row in out[:found].tolist()]


def test_what_is_open_of_a_search_is_all_that_it_has_not_found() -> None:
    asked = compiled(SIX)
    for nodes in range(0, 60, 13):
        begun = Searching(asked.network, asked.network.start)
        out = begun.rows(1_000)
        found = [tuple(row) for row in out[: begun.within(nodes, out, 0, 1_000)].tolist()]
        anew = begun.begun_at(asked.network.start, begun.weight, 0)
        for row in begun.open_rows():
            anew.begin(row)
            found += all_of(anew)
        assert len(found) == len(set(found)) == 720


def test_closing_ends_the_threads() -> None:
    with run(SIX, "native", Request(limit=None, workers=2)) as found:
        assert len(list(islice(found, 50))) == 50
    assert found.outcome.reason is Reason.CLOSED


def test_no_time_ends_a_shared_search() -> None:
    found = run(SIX, "native", Request(limit=None, workers=2, time_limit=0))
    assert [*found] == []
    assert found.outcome.reason is Reason.TIME


def test_what_is_not_shared_is_noted() -> None:
    with run(SIX, "native", Request(limit=1, workers=2)) as found:
        next(found)
    assert found.record.notes == ["one thread: several share searches for more solutions than one, and batches"]


@pytest.mark.parametrize("parts", [1, 2])
def test_what_was_found_is_not_lost_where_the_first_solution_takes_too_long(
    parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = compiled(SIX).network
    solution = next(Searching(network, network.start).blocks(1, Budget(), 1))

    def found(_: SharedSearch, clock: Budget) -> Iterator[NDArray[np.int64]]:
        yield from parts * [solution]
        raise OutOfTime

    monkeypatch.setattr(sharing, "ALONE", 0)
    monkeypatch.setattr(SharedSearch, "_shared", found)
    blocks = SharedSearch(Searching(network, network.start), 2).blocks(None, Budget(0))
    assert [next(blocks).tolist() for _ in range(parts)] == parts * [solution.tolist()]
    with pytest.raises(OutOfTime):
        next(blocks)
