"""Several backends in turn: the next goes on where one gave up, and nothing comes twice."""

from __future__ import annotations

from itertools import permutations

import pytest

from sudoku_models.engine import Reason, Request, run
from sudoku_models.engine.combined import RELAY, Members
from sudoku_models.engine.contract import Solution
from sudoku_models.engine.registry import Selection, select
from sudoku_models.errors import BadOption, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable

from . import planted

XS = [Variable(f"x{i}", range(1, 5)) for i in range(4)]
MODEL = Model(XS, [AllDifferent(XS)])
ALL = list(permutations(range(1, 5)))


def gives(*found: Solution) -> planted.Gives:
    """An engine that yields some solutions, and then gives up."""
    return planted.Gives(*found, then=Reason.GAVE_UP)


def relay(*members: planted.Planted | str) -> Selection:
    return Selection(RELAY, Members(tuple(map(select, members))))


def test_what_one_gave_up_the_next_finds_and_nothing_comes_twice() -> None:
    with run(MODEL, relay(gives(*ALL[3:10]), gives(*ALL[:5]), "backtracking"), Request(limit=None)) as found:
        assert sorted(found) == ALL
        assert found.outcome.complete
    assert found.record.backend == "backtracking"
    assert found.record.notes == ["gives gave up", "gives gave up"]


@pytest.mark.parametrize("limit", [1, 2, 5, 24, 30])
def test_a_limit_is_for_all_of_them_together(limit: int) -> None:
    with run(MODEL, relay(gives(*ALL[:2]), "backtracking"), Request(limit=limit)) as found:
        came = list(found)
    assert len(set(came)) == len(came) == min(limit, 24)
    assert found.outcome.complete is (limit > 24)


def test_an_engine_that_gives_its_own_solution_twice_or_loses_another_ones_is_wrong() -> None:
    with pytest.raises(WrongAnswer, match="gives returned a wrong solution: it was returned before"):
        list(run(MODEL, relay(gives(ALL[0]), gives(ALL[0], ALL[0])), Request(limit=None)))
    with pytest.raises(WrongAnswer, match="gives lost a solution that another engine found"):
        list(run(MODEL, relay(gives(ALL[0]), planted.Gives(*ALL[1:])), Request(limit=None)))


def test_the_next_improves_on_what_came_before() -> None:
    model = MODEL.minimise(XS[0] + 2 * XS[1])
    assert model.objective
    turns = relay(gives((4, 2, 1, 3)), gives((1, 4, 2, 3), (3, 2, 1, 4)), "backtracking")
    with run(model, turns, Request(limit=None)) as found:
        worth = [model.objective.value(dict(zip(model.names, solution, strict=True))) for solution in found]
        assert worth[:2] == [8, 7]
        assert worth == sorted(set(worth), reverse=True)
        assert (worth[-1], found.outcome.bound) == (4, 4)


def test_a_member_that_lacks_a_feature_is_passed_over_with_a_note() -> None:
    with run(MODEL, relay(gives(), planted.FirstOnly(), "backtracking"), Request(limit=None)) as found:
        assert len(list(found)) == 24
    assert found.record.notes[1] == (
        "firstonly was passed over: firstonly does not declare 'enumerate', which this request needs"
    )


def test_a_limit_of_memory_takes_the_relay_to_one_child_which_names_the_engine() -> None:
    pigeons = Model(xs := [Variable(f"x{i}", range(3)) for i in range(4)], [AllDifferent(xs)])
    spec = "relay:(python-constraint:solver=minconflicts)|(backtracking)"
    with run(pigeons, spec, Request(memory_limit=1 << 30)) as found:
        assert list(found) == []
        assert found.outcome.complete
    assert (found.record.isolated, found.record.backend) == (True, "backtracking")
    assert found.record.notes == ["python-constraint:solver=minconflicts gave up"]


@pytest.mark.parametrize("limit", [2, 23, 24, None])
def test_members_that_take_turns_find_every_solution_once(limit: int | None) -> None:
    pytest.importorskip("llvmlite", reason="not applicable (feature): llvmlite is not installed")
    members = select("native:patience=1"), select(gives(*ALL[3:6]))
    with run(MODEL, Selection(RELAY, Members(members, turns=True)), Request(limit=limit)) as found:
        came = list(found)
    assert len(set(came)) == len(came) == (limit or 24)
    assert limit or (found.outcome.complete and found.record.backend == "native")
    assert found.record.notes[:2] == ["native:patience=1 gave up", "gives gave up"][: len(found.record.notes)]
    clash = MODEL.with_(*(x > 1 for x in XS))
    with run(clash, Selection(RELAY, Members((members[0], select(gives())), turns=True)), Request()) as found:
        assert list(found) == [] and found.outcome.complete


@pytest.mark.parametrize("spec", ["relay:", "relay:(native)", "relay:native|cp-sat", "relay:(cp-sat)|(relay:(a)|(b))"])
def test_what_is_no_list_of_members_is_refused(spec: str) -> None:
    with pytest.raises(BadOption):
        select(spec)
