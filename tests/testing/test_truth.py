"""The long search for disagreements: it finds planted ones, repeats a case alone, and ends with a table."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from sudoku_models import Model, Variable
from sudoku_models.engine import refutation
from sudoku_models.engine.refutation import Lemma
from sudoku_models.model import Compare, Objective
from sudoku_models.prove.outside import Opinion

from .faults import FAULTS
from .long_search import Truth, main, refuter_on, specs

LAST = next(fault for fault in FAULTS if fault.name == "loses-the-last-solution")


def some(op: str, k: int) -> Model:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    return Model([x, y], [Compare(x, op, y, k)])


MODELS = {"unsatisfiable": some(">", 5), "unique": some(">", 1), "count": some("<", 0)}
MODELS["optimal"] = MODELS["count"].with_(objective=Objective("maximize", (1, 1), ("x", "y")))


def test_the_engines_with_all_their_options_have_the_solutions_of_brute_force() -> None:
    quick = specs(quick=True)
    assert {"cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false", "pycosat", "backtracking"} <= set(quick)
    assert len(set(quick)) == len(quick) and set(quick) <= set(specs())
    truth = Truth(2026, quick, [])
    assert not list(truth.run(range(1_000))), truth
    assert truth.compared.total() > 750


@pytest.mark.parametrize("claim", MODELS)
def test_an_honest_refuter_proves_what_is_true_and_raises_no_doubt(claim: str) -> None:
    asked = {what.partition(": ")[2]: doubt for what, doubt in refuter_on("cdcl", MODELS[claim])}
    assert set(asked.values()) == {""}
    assert {claim, "without hints", "by dratify"} <= set(asked)
    assert ("what is false" in asked) == (claim == "count")


def test_a_checker_that_refuses_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Opinion("strict", False, "no"), Opinion("slow", None, "not within 1 s")
    monkeypatch.setattr("tests.testing.long_search.outside_opinions", lambda *_, **__: found)
    asked = dict(refuter_on("cdcl", MODELS["optimal"]))
    assert asked["certificates of cdcl: by strict"] == "it refuses the proof of optimal: no"
    assert asked["certificates of cdcl: by slow"] is None


@pytest.mark.parametrize(
    ("claim", "lemmas", "why"),
    [
        ("unsatisfiable", [(1,)], "unsatisfiable is true, and refused is its proof"),
        ("unique", None, "unique is true: ClaimFalse"),
        ("count", [(1,)], "proves that there is one solution, and there are several"),
    ],
)
def test_a_refuter_that_is_wrong_is_found_out(
    claim: str, lemmas: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refuter:
        """Claims to have refuted every formula, or that each is satisfiable."""

        requires, programs, install = (), (), ""

        def refute(self, cnf: Any, clock: Any) -> Any:
            return lemmas and [Lemma(cnf.clauses + 1, (), hints) for hints in lemmas]

    monkeypatch.setattr(refutation, "chosen", lambda name: (name, Refuter()))
    assert why in "".join(doubt or "" for _, doubt in refuter_on("planted", MODELS[claim]))


def test_each_disagreement_says_how_to_repeat_it() -> None:
    truth = Truth(7, [LAST], [])
    said = list(truth.run(range(20)))
    assert said and truth.disagreed.total() == len(said)
    case = int(said[0].split()[1].rstrip(","))
    assert said[0].endswith(f"--seed 7 --case {case} --backend '{LAST.name}'\n")
    assert list(Truth(7, [LAST], []).run([case])) == said[:1]


def test_it_goes_on_until_the_time_is_over_and_ends_with_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    ticks = iter([True] * 10 + [False])
    truth = Truth(3, ["backtracking", "backtracking:strategy=general"], [])
    assert list(truth.run(count(), lambda: next(ticks))) == []
    assert (truth.compared + truth.declined).total() == 10
    with pytest.raises(SystemExit) as ended:
        main(["--seed", "5", "--case", "3", "--backend", "backtracking"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seed 5, engines with their options: 1, ")
    assert [line.split()[0] for line in lines[1:4]] == ["engine", "backtracking", "all"]
    assert lines[-1].startswith("seed 5: 0 disagreements")
