"""Models are frozen data: text, equality, hash, pickle and digest agree, in every process."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.model import (
    Compare,
    Givens,
    Model,
    Objective,
    TextError,
    Variable,
)
from tests import strategies

X, Y = Variable("x", range(1, 4)), Variable("y", (1, 3, 9))
TEXT = """variable x in 1..3
variable y in {1, 3, 9}
variable "a name" in {}
AllDifferent([x, y])
Linear([2, -1], [x, y], <=, 5)
Table([x, "a name"], [[1, -2]], false)
maximize([1, 1], [x, y], 4)"""


@settings(max_examples=60, deadline=None)
@given(strategies.models())
def test_text_and_pickle_lead_back_to_the_same_model(model: Model) -> None:
    for again in (Model.parse(str(model)), pickle.loads(pickle.dumps(model))):
        assert again == model
        assert hash(again) == hash(model)
        assert again.digest == model.digest
        assert str(again) == str(model)


def test_the_text_is_one_line_each() -> None:
    assert str(Model.parse(TEXT)) == TEXT


def test_blank_lines_and_comments_are_skipped() -> None:
    assert Model.parse("\n# a comment\n" + TEXT.replace("\n", "\n\n  # more\n")) == Model.parse(TEXT)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("variable", "variable NAME in 1..9, or in {1, 3}, is expected"),
        ("variable z on 1..3", "is expected, not 'variable z on 1..3'"),
        ("variable z in 1..3 4", "is expected, not 'variable z in 1..3 4'"),
        ("variable z in 1..99999999999", "at most 2000000 values"),
        ("variable z in {1, 1.5}", "1.5 is not a whole number"),
        ('variable "z in 1..3', "is expected, not 'variable \"z in 1..3'"),
        ("Sum([x], 3)", "Sum is not a kind of constraint: one of"),
        ("AllDifferent([x, y", "ends too early"),
        ("AllDifferent([x y])", "column 17: 'y])' cannot be read"),
        ("AllDifferent([x, y]) 4", "column 22: '4' cannot be read"),
        ("AllDifferent([x, x])", "appears twice"),
        ("[x, y]", "a constraint or an objective is expected"),
        ("InDomain(x)", "argument"),
        ("Linear([1], [x], =, 5)", "column"),
        ("InDomain(x, {1})", "column 13: '{1})' cannot be read"),
        ("AllDifferent([x, y]]}", "column 21: '}' cannot be read"),
        ('AllDifferent([x]], "Or": [[])', "column 24: ': [[])' cannot be read"),
        ("variable w in {1, a}", "the values {1, a} cannot be read"),
        ("Compare(x, true, y)", "operator"),
        ("maximize([1], [x, y], 4)\nminimize([1], [x], 0)", "coefficients"),
        ("minimize([1], [x], 0)\nminimize([1], [x], 0)", "a second objective"),
        ("__import__('os')", "column"),
        ("Not(" * 5_000, "nested deeper"),
        ("Linear([" + "9" * 5_000 + "], [x], <=, 5)", "digits"),
    ],
)
def test_a_line_that_cannot_be_read_is_reported(line: str, expected: str) -> None:
    with pytest.raises(TextError, match=r"^line \d+: ") as caught:
        Model.parse("variable x in 1..3\nvariable y in 1..3\n" + line)
    assert expected in str(caught.value)
    assert len(str(caught.value)) < 400


@settings(max_examples=150, deadline=None)
@given(st.text('variable x in{}()[],.0123 "\\<>=!-AllDifferentTableOrNot\n', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        model = Model.parse(text)
    except ValueError:
        return
    assert Model.parse(str(model)) == model


def test_mistakes_in_a_model_are_reported() -> None:
    with pytest.raises(ValueError, match="variable x appears twice"):
        Model([X, X])
    with pytest.raises(ValueError, match="names y, which is not a variable"):
        Model([X], [Compare(X, "<", Y)])
    with pytest.raises(TypeError, match="is not a constraint"):
        Model([X], [True])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="objective names y"):
        Model([X], [], Objective("minimize", (1,), (Y,)))
    with pytest.raises(ValueError, match="not the sense of an objective"):
        Objective("best", (1,), (X,))
    with pytest.raises(ValueError, match="1 coefficients for 2"):
        Objective("minimize", (1,), (X, Y))


@pytest.mark.parametrize(
    ("narrow", "left"),
    [
        ({}, (1, 2, 3)),
        ({"x": [3, 1]}, (1, 3)),
        ({X: (2,)}, (2,)),
        ({"x": (9,)}, ()),
        ({"x": ()}, ()),
        ({"x": range(10)}, (1, 2, 3)),
        ({"x": (2, 9)}, (2,)),
    ],
)
def test_domains_are_narrowed_to_what_is_in_both(narrow: dict[object, object], left: tuple[int, ...]) -> None:
    assert Model([X, Y]).narrowed(narrow).domains == {"x": left, "y": (1, 3, 9)}  # type: ignore[arg-type]


def test_the_digest_is_the_same_in_another_process() -> None:
    model = Model.parse(TEXT)
    root = Path(__file__).parents[2]
    statement = f"from sudoku_models.model import Model\nprint(Model.parse({TEXT!r}).digest)"
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", statement]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == model.digest


def test_minimise_and_maximise_make_new_models_with_one_objective() -> None:
    model = Model([X, Y], [X != Y])
    least, most = model.minimise(2 * X - Y + 3), model.maximise(X)
    assert least.objective == Objective("minimize", (2, -1), ("x", "y"), 3)
    assert least.maximise(X) == most != model == most.without_objective()
    assert Model.parse(str(least)) == least
    assert hash(Model.parse(str(most))) == hash(most) and pickle.loads(pickle.dumps(least)) == least
    assert model.without_objective() is model


@pytest.mark.parametrize("attribute", ["variables", "constraints", "objective", "memo", "other"])
def test_a_model_is_immutable(attribute: str) -> None:
    with pytest.raises(AttributeError, match="immutable"):
        setattr(Model(), attribute, ())


@pytest.mark.parametrize("line", ["Table([x], [[1]], maybe)", "LexLess([x], [x], no)"])
def test_a_word_is_no_truth_value(line: str) -> None:
    with pytest.raises(ValueError, match=r"line 2: .*True or False is expected"):
        Model.parse("variable x in 1..2\n" + line)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AllDifferent([x])", "line 1: the constraint names x, which is not a variable"),
        ("# made\n\nAllDifferent([x])\nvariable y in 1..2", "line 3: the constraint names x, which is not a variable"),
        ("variable x in 1..2\n\nvariable x in 1..2", "line 3: the variable x appears twice, first in line 1"),
        ("variable x in 1..2\nmaximize([1], [y], 0)", "line 2: the objective names y, which is not a variable"),
        ("variable x in 0..9999999", "at most 2000000 values"),
        ("\n".join(f"variable x{i} in {i}..999999" for i in range(3)), "line 3: .*at most 2000000 values"),
        ('variable "\\ud800" in 1..2', "surrogate"),
    ],
)
def test_what_is_wrong_with_the_whole_text_is_a_text_error_in_bounded_memory(text: str, expected: str) -> None:
    with pytest.raises(TextError, match=expected):
        Model.parse(text)


@pytest.mark.parametrize("parts", [(X, []), ([X, Y], X < Y)])
def test_one_variable_or_constraint_is_given_as_a_list(parts: tuple[Any, Any]) -> None:
    with pytest.raises(
        TypeError, match="a list of variables and a list of constraints are expected, even if there is only one"
    ):
        Model(*parts)


GIVENS = Givens(("a", "b", "c"), (3, None, 1))
SAME = {"a": (3,), "c": (1,)}


def test_givens_are_equal_to_the_mapping_and_read_as_it() -> None:
    assert GIVENS == SAME
    assert (dict(GIVENS), len(GIVENS), repr(GIVENS)) == (SAME, 2, repr(SAME))
    assert (GIVENS["a"], GIVENS.get("b"), GIVENS.get("b", ())) == ((3,), None, ())
    assert ("b" in GIVENS, "c" in GIVENS) == (False, True)
    assert (list(GIVENS.keys()), list(GIVENS.values()), list(GIVENS.items())) == (
        list(SAME), list(SAME.values()), list(SAME.items()),
    )  # fmt: skip
