"""The long search for disagreements: it finds planted ones, repeats a case alone, and ends with a table."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from sudoku_models import Model, Variable
from sudoku_models.engine import refutation
from sudoku_models.engine.refutation import Lemma
from sudoku_models.model import Compare
from sudoku_models.testing.truth import Truth, doubt, main


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


@pytest.mark.parametrize("model", [some(">", 5), some(">", 1), some("<", 0)], ids=["none", "one", "several"])
def test_an_honest_refuter_raises_no_doubt(model: Model) -> None:
    assert doubt(model, "cdcl") is None


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
    assert why in (doubt(model, refuter) or "")


@pytest.mark.usefixtures("refuters")
def test_each_disagreement_says_how_to_repeat_it() -> None:
    truth = Truth(7, ["backtracking"], ["gives up"])
    told = list(truth.run(iter(range(20)), lambda: True))
    assert told
    assert truth.table.disagreed == {"certificates of gives up": len(told)}
    case = told[0].split()[1].rstrip(",")
    assert told[0].endswith(f"--seed 7 --case {case} --refuter gives up\n")
    assert list(Truth(7, [], ["gives up"]).run(iter([int(case)]), lambda: True)) == told[:1]


def test_it_goes_on_until_the_time_is_over() -> None:
    ticks = iter([True] * 10 + [False])
    truth = Truth(3, ["backtracking", "backtracking:strategy=general"], ["cdcl"])
    assert list(truth.run(count(), lambda: next(ticks))) == []
    table = truth.table
    assert sum(n for name, n in (table.compared + table.declined).items() if name.startswith("backtracking")) == 10
    assert table.compared["certificates of cdcl"] + table.declined["certificates of cdcl"] == 10


def test_a_table_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--seed", "5", "--case", "3", "--backend", "backtracking"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seed 5, engines with their options: 1, ")
    assert [line.split()[0] for line in lines[1:4]] == ["engine", "backtracking", "all"]
    assert lines[-1].startswith("seed 5: 0 disagreements")
