"""ACE and Choco: what they are given, what they say, and what is missing; the programs themselves where they are."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sudoku_backends import xcsp3
from sudoku_backends.xcsp3 import Contradiction, instantiations, reduced

from sudoku_models import Variable
from sudoku_models.engine import Reason, Request, run
from sudoku_models.engine.budget import Budget, GaveUp, OutOfMemory
from sudoku_models.errors import BackendFailed, BackendMissing
from sudoku_models.model import Count, Element, InDomain, LexLess, Linear, MinMax, Model, NValue, Table

present = pytest.mark.skipif(
    shutil.which("java") is None or find_spec("pycsp3") is None,
    reason="not applicable (platform): Java or the package pycsp3 is not installed",
)
ONE = "v <instantiation> <list> x y </list> <values> {} {} </values> </instantiation>"
SPREAD = ["v <instantiation cost='13' >", "v \t<list>x y </list>", "v \t<values>4 1 </values>", "v </instantiation>"]


def answers(lines: list[str], remarks: str = "", all_asked: bool = True, again: bool = False) -> Any:
    process: Any = SimpleNamespace(lines=lambda clock: (line.encode() for line in lines), remarks=lambda: remarks)
    return instantiations(process, Budget(), all_asked, again)


def test_solutions_are_read_as_they_come() -> None:
    found = answers(["c Choco", ONE.format(1, 2), "", ONE.format(3, -4), "s SATISFIABLE", *SPREAD])
    assert list(found) == [{"x": 1, "y": 2}, {"x": 3, "y": -4}]


def test_the_best_may_come_behind_the_status() -> None:
    found = answers(["o 13 0.0", "s OPTIMUM FOUND", *SPREAD], all_asked=False, again=True)
    assert list(found) == [{"x": 4, "y": 1}]


@pytest.mark.parametrize("end", ["d INCOMPLETE EXPLORATION", "c Unexpected resolution interruption!", None])
def test_a_search_that_was_cut_short_or_one_solution_of_several_proves_nothing(end: str | None) -> None:
    found = answers([ONE.format(1, 2), "s SATISFIABLE", *([end] if end else [])], all_asked=end is not None)
    assert next(found) == {"x": 1, "y": 2}
    with pytest.raises(GaveUp):
        next(found)


def test_what_is_no_answer_is_an_error() -> None:
    with pytest.raises(BackendFailed, match="UNSUPPORTED by the parser"):
        list(answers(["s UNKNOWN"], "UNSUPPORTED by the parser"))
    with pytest.raises(BackendFailed, match="ended with no answer"):
        list(answers([]))
    with pytest.raises(BackendFailed, match="an instantiation was expected"):
        list(answers(["v <instantiation> <list> x y </list> <values> 1 </values> </instantiation>"]))
    with pytest.raises(OutOfMemory):
        list(answers(["s UNKNOWN"], "java.lang.OutOfMemoryError: Java heap space"))


def test_a_constraint_of_conflicts_alone_is_a_proof() -> None:
    assert list(answers(["s UNKNOWN"], "java.lang.RuntimeException: Constraint with only conflicts")) == []


def test_tables_over_decided_variables_are_taken_out() -> None:
    xs = [Variable("x", (0, 1)), Variable("y", (0, 1)), Variable("z", (5,))]
    stated = Table(("x", "y", "z"), ((0, 1, 5), (1, 0, 5), (1, 1, 4)))
    assert reduced(Model(xs, [stated])).constraints == (Table(("x", "y"), ((0, 1), (1, 0))),)
    assert reduced(Model(xs, [Table(("z",), ((5,),)), Table(("z",), ((4,),), False)])).constraints == ()
    for never in (Table(("z",), ((5,),), False), Table(("x", "z"), ((0, 4),))):
        with pytest.raises(Contradiction):
            reduced(Model(xs, [never]))


def test_counts_that_are_settled_are_taken_out() -> None:
    xs = [Variable("x", (0, 1)), Variable("y", (0, 1))]
    some = Count(("x", "y"), (1,), ">=", 1)
    assert reduced(Model(xs, [some, Count(("x", "y"), (1,), "<=", 2)])).constraints == (some,)
    assert reduced(Model(xs, [Count(("x",), (7,), "==", "y")])).constraints == (InDomain("y", (0,)),)
    assert reduced(Model(xs, [Count(("x", "y"), (1, 7), "==", 1)])).constraints == (Count(("x", "y"), (1,), "==", 1),)
    for never in (Count(("x",), (1,), "<", 0), Count(("x",), (7,), ">", "y")):
        with pytest.raises(Contradiction):
            reduced(Model(xs, [never]))


def test_what_makes_a_program_fail_or_lose_solutions_is_stated_otherwise() -> None:
    for backend in (xcsp3.ACE, xcsp3.CHOCO):
        accepts = backend.capabilities.accepts
        assert accepts(NValue(("x", "y"), ">", "z"))
        assert accepts(MinMax(("x", "x"), 1, None))
        assert accepts(LexLess(("x",), ("y",)))
        assert accepts(Element(("x", "y", "x"), "z", 1))
        assert accepts(Element(("x", "y"), "z", "z"))
        assert accepts(Element(("x", "y"), "z", "x")) is None
        assert accepts(Count(("x", "y"), (1,), "!=", 1))
        assert accepts(Count(("x", "x"), (1,), "<", 1))
        assert accepts(MinMax(("x", "y"), 1, None)) is None
        assert accepts(LexLess(("x", "y"), ("z", "w"))) is None
        refused = backend.capabilities.accepts_model(
            Model([Variable("x", range(9))], [Linear((10**7,), ("x",), "<", 3)])
        )
        assert "too large for exact results" in (refused or "")


def test_a_jar_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xcsp3, "find_spec", lambda name: SimpleNamespace(submodule_search_locations=[str(tmp_path)]))
    with pytest.raises(BackendMissing, match=r"has no ace/ACE-\*.jar among its solvers: pip install"):
        xcsp3.jar("ace/ACE-*.jar")
    (tmp_path / "solvers" / "ace").mkdir(parents=True)
    for version in ("2.6", "2.7"):
        (tmp_path / "solvers" / "ace" / f"ACE-{version}.jar").touch()
    assert xcsp3.jar("ace/ACE-*.jar").endswith("ACE-2.7.jar")


@present
@pytest.mark.parametrize("backend", [xcsp3.ACE, xcsp3.CHOCO], ids=["ace", "choco"])
def test_a_program_lists_what_it_does_not_mention(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    xs = [Variable("x", (0, 1)), Variable("a b", (0, 3)), Variable("z", (7,))]
    with run(Model(xs, [Linear((1,), ("x",), ">=", 0)]), backend, Request(limit=None)) as found:
        assert sorted(found) == [(0, 0, 7), (0, 3, 7), (1, 0, 7), (1, 3, 7)]
    assert found.outcome.complete


@present
def test_an_objective_without_terms_has_one_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    x = Variable("x", (1, 2))
    with run(Model([x]).minimise(x - x), xcsp3.CHOCO, Request(limit=None)) as found:
        assert len(list(found)) == 1
    assert found.outcome.complete


@present
def test_java_without_memory_ends_by_the_limit() -> None:
    with run(Model([Variable("x", (0, 1))]), xcsp3.ACE, Request(memory_limit=16 << 20)) as found:
        assert list(found) == []
    assert found.outcome.reason is Reason.MEMORY
