"""The long search for disagreements: it finds planted ones, says how to repeat them, and ends with a table."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import Model, Variable
from sudoku_models.engine import refutation
from sudoku_models.engine.refutation import Lemma
from sudoku_models.model import Compare, Objective
from sudoku_models.prove.outside import Opinion
from sudoku_models.testing import Subject

from . import long_search
from .faults import FAULTS
from .long_search import asked, main, refuter_on, specs


def some(op: str, k: int) -> Model:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    return Model([x, y], [Compare(x, op, y, k)])


MODELS = {"unsatisfiable": some(">", 5), "unique": some(">", 1), "count": some("<", 0)}
MODELS["optimal"] = MODELS["count"].with_(objective=Objective("maximize", (1, 1), ("x", "y")))


def test_the_engines_with_all_their_options_have_the_solutions_of_brute_force() -> None:
    quick = specs(quick=True)
    assert {"cp-sat", "cp-sat:form=booleans", "cp-sat:presolve=false", "pycosat", "backtracking"} <= set(quick)
    assert len(set(quick)) == len(quick) and set(quick) <= set(specs())
    subjects = [Subject.of(spec) for spec in quick]
    found = [doubt for number in range(100) for _, doubt in asked(2026, number, subjects, ())]
    assert not any(found) and found.count("") > 75


@pytest.mark.parametrize("claim", MODELS)
def test_an_honest_refuter_proves_what_is_true_and_raises_no_doubt(claim: str) -> None:
    found = {what.partition(": ")[2]: doubt for what, doubt in refuter_on("cdcl", MODELS[claim])}
    assert set(found.values()) == {""}
    assert {claim, "without hints", "by dratify"} <= set(found)
    assert ("what is false" in found) == (claim == "count")


def test_a_checker_that_refuses_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    opinions = Opinion("strict", False, "no"), Opinion("slow", None, "not within 1 s")
    monkeypatch.setattr(long_search, "outside_opinions", lambda *_, **__: opinions)
    found = dict(refuter_on("cdcl", MODELS["optimal"]))
    assert found["certificates of cdcl: by strict"] == "it refuses the proof of optimal: no"
    assert found["certificates of cdcl: by slow"] is None


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


def test_a_disagreement_says_how_to_repeat_it_and_a_table_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lossy = next(fault for fault in FAULTS if fault.name == "loses-the-last-solution")
    wrong = [any(doubt for _, doubt in asked(7, number, [Subject.of(lossy)], ())) for number in range(20)]
    monkeypatch.setattr(long_search, "specs", lambda: [lossy])
    monkeypatch.setattr(long_search, "installed", lambda _: ())
    for code in (False, True):
        case = wrong.index(code)
        with pytest.raises(SystemExit) as ended:
            main(["--seed", "7", "--case", str(case)])
        lines = capsys.readouterr().out.splitlines()
        assert ended.value.code == code
        assert (f"again: python -m tests.testing.long_search --seed 7 --case {case}" in lines) == code
        assert lines[-2].startswith(lossy.name) and lines[-1].startswith(f"seed 7: {int(code)} disagreements")
