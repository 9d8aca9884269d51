"""What readers of exported files trip over is kept out of them."""

from __future__ import annotations

import pytest

from sudoku_models.model import InDomain, Model, Objective, Variable
from sudoku_models.verbs.model_file import export


@pytest.mark.parametrize("name", ["E", "PI", "pi", "fdiv", "notin", "card", "sqrt"])
def test_names_that_mean_something_in_expressions_of_xcsp3_are_not_used(name: str) -> None:
    x = Variable(name, (0, 1))
    text = str(export(Model([x], [InDomain(x, [1])]), "xcsp3"))
    assert f'id="{name}"' not in text
    assert f'note="{name}"' in text


@pytest.mark.parametrize("constant", [0, 5])
def test_a_goal_without_variables_is_written_with_one_in_xcsp3(constant: int) -> None:
    model = Model([Variable("x", (0, 1))], [], Objective("minimize", [], [], constant))
    goal = "add(mul(0,x),5)" if constant else "mul(0,x)"
    assert f"<minimize> {goal} </minimize>" in str(export(model, "xcsp3"))
