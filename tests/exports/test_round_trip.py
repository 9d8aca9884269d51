"""What is exported is read by programs of others, and has the solutions that the model has: each one, once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from sudoku_models import Model, Puzzle, export
from sudoku_models.exports.common import settled
from sudoku_models.model import AllDifferent, Constraint, Count, Element, NValue, Regular, brute_force

from ..strategies import models
from . import cases, readers

FORMATS = sorted(readers.here(cases.READERS))
BOARDS = cases.boards()


def read_back(model: Model | Puzzle, to: str) -> list[tuple[int, ...]]:
    text = export(model, to)
    assert isinstance(text, str)
    names = model.names if isinstance(model, Model) else model.shape.names
    return sorted(cases.READERS[to](text, names))


@pytest.mark.parametrize("kind", cases.every_kind(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("to", FORMATS)
def test_every_kind_of_constraint_survives(to: str, kind: type[Constraint]) -> None:
    for model in cases.small_models(kind, 2):
        assert read_back(model, to) == sorted(brute_force(model)), model


@pytest.mark.parametrize("name", sorted(BOARDS))
@pytest.mark.parametrize("to", FORMATS)
def test_puzzles_have_the_solutions_that_we_find(to: str, name: str) -> None:
    assert read_back(BOARDS[name], to) == cases.own(BOARDS[name])


@pytest.mark.parametrize("to", FORMATS)
def test_no_name_breaks_out_of_its_place(to: str) -> None:
    model = cases.hostile()
    expected = sorted(cases.own_values(model))
    assert len(expected) > 10
    assert read_back(model, to) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "variable x in {}",
        "variable x in {5}",
        "variable x in {5}\nInDomain(x, [4])",
        "variable x in 1..3\nTable([], [])",
        "variable x in 1..2\nTable([x, x], [[1, 2]])",
        "variable x in 1..3\nOr([])",
        "variable x in 1..3\nNot(Or([]))",
        "variable x in -3..-1\nMinMax([x], none, none)",
        "variable x in -3..-1\nvariable y in 0..1\nMinMax([x, x], -2, none)\nLinear([2, -2], [x, x], !=, 1)",
        "variable x in 0..2\nvariable y in 0..2\nElement([x, y], x, y)\nNot(Element([x, y], y, 1))",
        "variable x in 0..2\nRegular([x], Automaton(1, 0, [], []))",
        "variable x in 0..2\nNot(Regular([x], Automaton(2, 0, [1], [[0, 1, 1]])))",
    ],
)
def test_models_at_the_edge(text: str) -> None:
    model = Model.parse(text)
    expected = sorted(brute_force(model))
    assert {to: read_back(model, to) for to in FORMATS} == dict.fromkeys(FORMATS, expected)


@given(models())
@settings(max_examples=60, deadline=None)
def test_xcsp3_that_is_read_is_written_again_the_same(model: Model) -> None:
    text = export(model, "xcsp3")
    assert isinstance(text, str)
    assert export(readers.read(text, ".xml"), "xcsp3") == text


@pytest.mark.parametrize("kind", [AllDifferent, Count, Element, NValue, Regular], ids=lambda kind: kind.__name__)
def test_what_xcsp3_states_itself_is_read_back_equal(kind: type[Constraint]) -> None:
    for model in [*cases.small_models(kind, 6), cases.hostile()]:
        text = export(model, "xcsp3")
        assert isinstance(text, str)
        assert readers.read(text, ".xml") == settled(model)


def test_the_binary_form_of_cp_sat_says_what_its_text_says() -> None:
    data, text = export(cases.CLASSIC, "cp-sat"), export(cases.CLASSIC, "cp-sat-text")
    assert isinstance(data, bytes) and isinstance(text, str)
    assert readers.proto_of_bytes(data) == readers.proto_of_text(text)
    assert len(readers.proto_of_bytes(data).variables) == 81
