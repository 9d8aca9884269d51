from __future__ import annotations

import gc
import weakref

import pytest
from sudoku_backends.backtracking import BACKEND, BacktrackingOptions

from sudoku_models import Puzzle
from sudoku_models.engine import road
from sudoku_models.engine.contract import Feature, Reason, Request, Run
from sudoku_models.engine.registry import select
from sudoku_models.errors import BadOption
from sudoku_models.model import AllDifferent, Constraint, InDomain, Model, Objective, variables
from sudoku_models.puzzle import Shape

EVERY = pytest.mark.parametrize("strategy", ["general", "rows", "rescan", "fewest"])
EMPTY = Shape.square(9).model


def run(model: Model, strategy: str = "auto", **request: object) -> Run:
    return BACKEND.compile(model, BacktrackingOptions(strategy)).run(Request(**request))


@EVERY
def test_solutions_of_the_empty_grid_come_one_by_one(strategy: str) -> None:
    found = run(EMPTY, strategy, limit=None)
    first = [next(found) for _ in range(50)]
    assert len(set(first)) == 50
    found.close()
    assert list(found) == []
    assert found.outcome.reason is Reason.CLOSED
    assert not found.outcome.complete


@EVERY
def test_a_limit_ends_the_run_without_a_proof(strategy: str) -> None:
    found = run(Shape.square(4).model, strategy, limit=10)
    assert len(list(found)) == 10
    assert found.outcome.reason is Reason.LIMIT
    assert not found.outcome.complete


def test_a_limit_of_none_at_all_asks_for_nothing() -> None:
    found = run(EMPTY, limit=0)
    assert list(found) == []
    assert found.outcome.reason is Reason.LIMIT


@EVERY
def test_a_time_limit_ends_a_search_that_would_not_end(strategy: str) -> None:
    found = run(EMPTY, strategy, limit=None, time_limit=0.05)
    for _ in found:
        pass
    assert found.outcome.reason is Reason.TIME
    assert not found.outcome.complete


@EVERY
def test_a_search_without_solutions_on_its_way_is_stopped_too(strategy: str) -> None:
    latin = Shape.latin(16)  # two rows lack a value, which no strategy sees before it comes there
    narrow = {f"R{r}C{c}": tuple(range(1, 16)) for r in (15, 16) for c in range(1, 17)}
    found = run(latin.model, strategy, domains=narrow, time_limit=0.05)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME


def test_no_time_at_all_is_unknown() -> None:
    found = run(EMPTY, time_limit=0.0)
    assert list(found) == []
    assert found.outcome.reason is Reason.TIME


@EVERY
def test_the_same_seed_gives_the_same_solutions_in_the_same_order(strategy: str) -> None:
    def first(seed: int) -> list[tuple[int, ...]]:
        return list(run(EMPTY, strategy, limit=5, seed=seed))

    assert first(3) == first(3)
    assert first(3) != first(4)
    assert first(0)[0][:9] == tuple(range(1, 10))


@EVERY
def test_of_solutions_that_agree_on_the_kept_variables_one_is_yielded(strategy: str) -> None:
    model = Shape.square(4).model
    found = list(run(model, strategy, limit=None, keep=("R1C2", "R1C1")))
    assert sorted((s[0], s[1]) for s in found) == [(a, b) for a in range(1, 5) for b in range(1, 5) if a != b]
    assert all(model.holds(dict(zip(model.names, s, strict=True))) for s in found)


def test_a_dropped_run_leaves_nothing_behind() -> None:
    found = run(EMPTY, limit=None)
    next(found)
    gone = weakref.ref(found)
    del found
    gc.collect()
    assert gone() is None


def test_a_compiled_model_takes_many_runs_at_once() -> None:
    compiled = BACKEND.compile(EMPTY, BacktrackingOptions())
    one, two = (compiled.run(Request(limit=None)) for _ in range(2))
    pairs = [(next(one), next(two)) for _ in range(20)]
    assert all(a == b for a, b in pairs)


def test_the_record_tells_nodes_and_time() -> None:
    found = run(EMPTY)
    next(found)
    assert found.outcome.count == 1
    assert found.record.sizes == {"variables": 81, "constraints": 27, "nodes": 81}
    assert found.record.phases["run"].wall > 0


def test_native_is_the_model_itself() -> None:
    assert BACKEND.compile(EMPTY, BacktrackingOptions()).native is EMPTY


def test_every_kind_is_accepted_and_a_later_one_too() -> None:
    capabilities = BACKEND.capabilities
    assert capabilities.kinds == set(Constraint.kinds.values())
    assert {Feature.ENUMERATE, Feature.PROVE} <= capabilities.features


def test_an_objective_is_refused_where_the_strategy_is_for_squares() -> None:
    model = Model(variables(["x", "y"], range(3)), [AllDifferent(["x", "y"])], Objective("minimize", [1], ["x"]))
    assert BACKEND.capabilities.accepts_model(model) is None
    fewest = BACKEND.capabilities_with(BacktrackingOptions("fewest"))
    assert "objective" in (fewest.accepts_model(model) or "")


def test_branch_and_bound_tries_what_is_cheap_first_and_bounds_by_the_domains_at_the_start() -> None:
    xs = variables(["x", "y"], range(-2, 5))
    compiled = BACKEND.compile(Model(xs, [InDomain("x", (1, 3))]).maximise(2 * xs[0] - xs[1]), BacktrackingOptions())
    with compiled.run(Request(limit=None)) as run:
        assert list(run) == [(3, -2)]
    assert run.record.bound == 8


def test_a_name_that_the_model_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="R10C1 is not a variable"):
        next(run(EMPTY, domains={"R10C1": (1,)}))


@pytest.mark.parametrize(("patience", "enough"), [(20, False), (20_000, True)])
def test_it_gives_up_after_some_nodes_and_looks(patience: int, enough: bool) -> None:
    structure = Puzzle.parse(".Shape~4x4.Thermo~R1C1~R1C2").structure
    with road.run(structure, f"backtracking:patience={patience}", Request(limit=None)) as found:
        number = sum(1 for _ in found)
        assert found.outcome.reason is (Reason.EXHAUSTED if enough else Reason.GAVE_UP)
    assert enough or number < 10
    with pytest.raises(BadOption, match="patience=-1 is negative"):
        select("backtracking:patience=-1")
