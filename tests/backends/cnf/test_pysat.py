from __future__ import annotations

import gc
from itertools import pairwise
from typing import Any

import pytest
from dratify import check_proof, parse_dimacs

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Ending, Reason, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.engine.registry import Selection
from sudoku_models.engine.road import prepare, run
from sudoku_models.engine.switches import Session
from sudoku_models.errors import Unsupported
from sudoku_models.model import AllDifferent, Compare, InDomain, Model, Variable
from sudoku_models.puzzle.shape import Shape
from sudoku_models.testing.examples import parity
from tests.engine.test_core import cut_down

from ...held import Turns
from .helpers import attempt, domains_of

pytest.importorskip("pysat", reason="not applicable (platform): python-sat is not installed")

from sudoku_backends.cnf import pysat as solvers
from sudoku_backends.cnf.compiled import to_dimacs
from sudoku_backends.cnf.formula import NOTHING
from sudoku_backends.cnf.pysat import BACKEND, Oracle, PysatCompiled, PysatOptions

NINE = Shape.square(9)
WRONG = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5...18..79"
SOLVERS = ("minisat22", "glucose4", "cadical153")
EVERY = pytest.mark.parametrize("solver", SOLVERS)
PROVING = pytest.mark.parametrize("solver", ["glucose4", "cadical153"])


def compiled(model: Model, solver: str = "minisat22", **options: object) -> PysatCompiled:
    return BACKEND.compile(model, PysatOptions(solver=solver, **options))


def pigeons(count: int, holes: int) -> Model:
    birds = [Variable(f"p{i}", range(holes)) for i in range(count)]
    return Model(birds, [AllDifferent([x, y]) for i, x in enumerate(birds) for y in birds[:i]])


@PROVING
@pytest.mark.parametrize("model", [pigeons(5, 4), parity(10), NINE.model], ids=["pigeons", "parity", "Sudoku"])
def test_proofs_follow_step_by_step_from_the_clauses(solver: str, model: Model) -> None:
    form = compiled(model, solver, propagate="none")
    domains = domains_of(NINE, WRONG) if model is NINE.model else {}
    formula = parse_dimacs("".join(to_dimacs(form.native_for(domains))))
    proof = [line.strip() for line in form.proof(domains)]
    assert check_proof(formula, "\n".join(proof)).ok
    assert model is NINE.model or not check_proof(formula, "\n".join(proof[: len(proof) // 3])).ok


@PROVING
def test_there_is_no_proof_where_there_is_a_solution(solver: str) -> None:
    with pytest.raises(ValueError, match="there is a solution"):
        compiled(Shape.square(4).model, solver).proof()


def test_a_solver_that_writes_no_proofs_says_which_do() -> None:
    with pytest.raises(Unsupported, match="glucose4, cadical153 do"):
        compiled(pigeons(3, 2)).proof()


def test_glucose_is_attempted() -> None:
    form = compiled(NINE.model, "glucose4")
    settled = attempt(form, Request(limit=2))
    assert settled
    assert len(set(settled)) == 2
    assert attempt(form, Request(limit=None)) is None
    assert attempt(form, Request(limit=65)) is None
    assert attempt(compiled(parity(300), "glucose4"), Request()) is None


def test_what_an_attempt_does_not_settle_is_isolated() -> None:
    selection = Selection(BACKEND, PysatOptions(solver="glucose4"))
    for limit in (1.5, 6.0, 24.0, 96.0):  # on a busy machine the time can be up before the attempt is
        hard = run(parity(300), selection, Request(time_limit=limit))
        assert list(hard) == []
        assert hard.outcome.reason is Reason.TIME
        if hard.record.isolated:
            return
    pytest.fail("no run went on in a process of its own")


@pytest.mark.parametrize("spec", ["pysat", "python-constraint"])
def test_other_threads_have_their_turn(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns(4)
    monkeypatch.setattr("sudoku_models.engine.budget.time", turns)
    form: Any = prepare(pigeons(11, 10), spec).compiled
    with turns:
        assert not list(form.run(Request(time_limit=1.0)))
    assert turns.taken >= 4


def chosen(solver: str) -> Selection:
    return Selection(BACKEND, PysatOptions(solver=solver))


@EVERY
def test_cores_are_cut_down_to_what_is_needed(solver: str) -> None:
    assert cut_down(chosen(solver)) > 8


@EVERY
def test_the_solver_tells_which_parts_contradict_each_other(solver: str) -> None:
    xs = [Variable(f"x{i}", range(1, 4)) for i in range(4)]
    parts = [[InDomain(xs[3], (1,))], [Compare(xs[0], "<", xs[1])], [InDomain(xs[1], (1,))], [InDomain(xs[2], (2,))]]
    kept = compiled(Model(xs), solver).assume()
    switches = [kept.add(part, switch=True) for part in parts]
    assert {*ending_of(kept.search(Request(), Budget(), Record(), switches)).failed} == {*switches[1:3]}
    del switches[2]
    assert len(next(kept.search(Request(), Budget(), Record(), switches))) == 4
    crowded = compiled(pigeons(4, 3), solver).assume()
    assert ending_of(crowded.search(Request(), Budget(), Record())) == Ending(Reason.EXHAUSTED)
    late = compiled(parity(200), solver).assume()
    assert ending_of(late.search(Request(), Budget(0.0), Record())).reason is Reason.TIME


def ending_of(search: Search) -> Ending:
    with pytest.raises(StopIteration) as stop:
        next(search)
    found: Ending = stop.value.value
    return found


@EVERY
def test_a_session_keeps_what_was_learned(solver: str) -> None:
    with Session(pigeons(8, 7), chosen(solver)) as session:
        first, again = session.run(), None
        assert list(first) == []
        once = first.outcome.record.sizes["conflicts"]
        again = session.run()
        assert list(again) == []
        assert once > 50
        assert again.outcome.record.sizes["conflicts"] - once < once / 2


@pytest.mark.parametrize(
    ("solver", "freeing"),
    [("minisat22", "minisat22_del"), ("glucose4", "glucose41_del"), ("cadical153", "cadical153_del")],
)
def test_a_signal_while_a_solver_is_freed_does_not_let_it_be_freed_again(
    solver: str, freeing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    freed: list[object] = []
    gc.collect()  # solvers that earlier tests left behind are freed now

    def struck(memory: object, *_: object) -> None:
        freed.append(memory)
        raise KeyboardInterrupt

    monkeypatch.setattr(f"pysolvers.{freeing}", struck)
    oracle = Oracle(solvers.SOLVERS[solver], NOTHING, Budget())
    with pytest.raises(KeyboardInterrupt):
        oracle.close()
    del oracle
    gc.collect()
    assert len(freed) == 1


@pytest.mark.parametrize("grows", [False, True])
def test_slices_grow_where_that_is_asked_for(grows: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    slices: list[int] = []
    oracle = Oracle(solvers.SOLVERS["cadical153"], NOTHING, Budget(), grows=grows)
    monkeypatch.setattr(oracle._engine, "conf_budget", slices.append)
    monkeypatch.setattr(oracle._engine, "solve_limited", lambda *_: None if len(slices) < 5 else False)
    assert oracle.solve() is None
    assert [later // earlier for earlier, later in pairwise(slices)] == [2 if grows else 1] * 4
    oracle.close()


def test_a_session_with_cadical_takes_a_time_limit() -> None:
    with Session(pigeons(8, 7), chosen("cadical153")) as session:
        assert list(session.run(Request(time_limit=600))) == []
