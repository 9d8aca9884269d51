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
from tests.testing.long_search import Truth, main
from tests.testing.proving import proved


class Proves:
    """A refuter that claims to have refuted every formula."""

    requires = programs = ()
    install = ""

    def refute(self, cnf: Any, clock: Any) -> list[Lemma]:
        return [Lemma(cnf.clauses + 1, (), (1,))]


class Gives(Proves):
    """A refuter that says of every formula that it is satisfiable."""

    def refute(self, cnf: Any, clock: Any) -> Any:
        return None


@pytest.fixture
def refuters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refutation, "chosen", lambda name: (name, Proves() if name == "proves" else Gives()))


def some(op: str, k: int) -> Model:
    x, y = Variable("x", range(3)), Variable("y", range(3))
    return Model([x, y], [Compare(x, op, y, k)])


def best() -> Model:
    model = some("<", 0)
    return model.with_(objective=Objective("maximize", (1, 1), model.names))


TRUE = {
    "unsatisfiable": some(">", 5),
    "unique": some(">", 1),
    "count": some("<", 0),
    "optimal": best(),
}


@pytest.mark.parametrize("claim", TRUE)
def test_an_honest_refuter_proves_what_is_true_and_raises_no_doubt(claim: str) -> None:
    asked = {one.what: (one.doubt, one.declined) for one in proved(TRUE[claim], "cdcl")}
    assert set(asked.values()) == {("", False)}
    assert {claim, "without hints", "by dratify"} <= set(asked)
    assert ("what is false" in asked) == (claim == "count")


def test_a_checker_that_refuses_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Opinion("strict", False, "no"), Opinion("slow", None, "not within 1 s")
    monkeypatch.setattr("tests.testing.proving.outside_opinions", lambda *_, **__: found)
    asked = {one.what: (one.doubt, one.declined) for one in proved(TRUE["optimal"], "cdcl")}
    assert asked["by strict"] == ("it refuses the proof of 'optimal': no", False)
    assert asked["by slow"] == ("", True)
    truth = Truth(1, [], ["cdcl"])
    assert list(truth.run(iter(range(3)), lambda: True))
    assert truth.table.disagreed["certificates of cdcl: by strict"] > 0
    assert truth.table.declined["certificates of cdcl: by slow"] > 0


@pytest.mark.parametrize(
    ("model", "refuter", "why"),
    [
        (some(">", 5), "proves", "'unsatisfiable' is true, and its certificate is refused"),
        (some(">", 1), "gives up", "'unique' is true: ClaimFalse"),
        (some("<", 0), "proves", "proves that there is one solution, and there are several"),
    ],
)
@pytest.mark.usefixtures("refuters")
def test_a_refuter_that_is_wrong_is_found_out(model: Model, refuter: str, why: str) -> None:
    assert why in "".join(one.doubt for one in proved(model, refuter))


@pytest.mark.usefixtures("refuters")
def test_each_disagreement_says_how_to_repeat_it() -> None:
    truth = Truth(7, ["backtracking"], ["gives up"])
    said = list(truth.run(iter(range(20)), lambda: True))
    assert said
    assert truth.table.disagreed.total() == len(said)
    assert all(name.startswith("certificates of gives up: ") for name in truth.table.disagreed)
    case = said[0].split()[1].rstrip(",")
    assert said[0].endswith(f"--seed 7 --case {case} --refuter gives up\n")
    assert list(Truth(7, [], ["gives up"]).run(iter([int(case)]), lambda: True)) == said[:1]


def test_it_goes_on_until_the_time_is_over() -> None:
    ticks = iter([True] * 10 + [False])
    truth = Truth(3, ["backtracking", "backtracking:strategy=general"], ["cdcl"])
    assert list(truth.run(count(), lambda: next(ticks))) == []
    table = truth.table
    assert sum(n for name, n in (table.compared + table.declined).items() if name.startswith("backtracking")) == 10
    claims = ("unsatisfiable", "unique", "count", "optimal")
    assert 5 < sum(table.compared[f"certificates of cdcl: {claim}"] for claim in claims) <= 10


def test_a_table_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--seed", "5", "--case", "3", "--backend", "backtracking"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seed 5, engines with their options: 1, ")
    assert [line.split()[0] for line in lines[1:4]] == ["engine", "backtracking", "all"]
    assert lines[-1].startswith("seed 5: 0 disagreements")
