"""A square of houses is recognised from the constraints, in whatever order they are stated."""

from __future__ import annotations

from random import Random

import pytest

from sudoku_models.model import (
    AllDifferent,
    Compare,
    Model,
    Objective,
    Variable,
    square_of,
)
from sudoku_models.puzzle import Shape
from sudoku_models.testing.examples import structure


def shuffled(model: Model, rng: Random, groups: int) -> Model:
    """State the same houses with variables, groups of houses, houses in a group, and cells in a house in any order."""
    n = len(model.constraints) // groups
    parts = [list(model.constraints[i : i + n]) for i in range(0, len(model.constraints), n)]
    rng.shuffle(parts)
    for part in parts:
        rng.shuffle(part)
    houses = [AllDifferent(rng.sample(house.scope, len(house.scope))) for part in parts for house in part]
    return Model(rng.sample(model.variables, len(model.variables)), houses)


@pytest.mark.parametrize(("height", "width"), [(1, 1), (2, 2), (2, 3), (3, 2), (3, 3)])
def test_a_sudoku_is_recognised_in_any_order(height: int, width: int) -> None:
    rng = Random(height * 10 + width)
    stated = structure(height, width)
    for model in (stated, *(shuffled(stated, rng, groups) for groups in (1, 3) for _ in range(10))):
        square = square_of(model)
        assert square is not None
        assert square.n == height * width
        assert sorted(square.cells) == list(range(square.n**2))


@pytest.mark.parametrize("groups", [1, 2])
def test_a_latin_square_has_no_boxes(groups: int) -> None:
    square = square_of(shuffled(Shape.latin(5).model, Random(1), groups))
    assert square is not None
    assert square.boxes == ()


def changed(kind: str) -> Model:
    model = structure(2, 2)
    match kind:
        case "a house less":
            return Model(model.variables, model.constraints[:-1])
        case "a house twice":
            return Model(model.variables, [*model.constraints[:-1], model.constraints[0]])
        case "four groups":
            return model.with_(*model.constraints[:4])
        case "another kind":
            return model.with_(Compare("R1C1", "<", "R1C2"))
        case "a smaller domain":
            return Model([Variable("R1C1", range(1, 4)), *model.variables[1:]], model.constraints)
        case "a short house":
            return model.with_(AllDifferent(["R1C1", "R2C2"]))
        case "a further variable":
            return model.with_(variables=[Variable("z", range(1, 5))])
        case "an objective":
            return model.with_(objective=Objective("minimize", (1,), ("R1C1",)))
        case "rows twice and no columns":
            return Model(model.variables, [*model.constraints[:4]] * 2)
    raise AssertionError(kind)


KINDS = ("a house less", "a house twice", "four groups", "another kind", "a smaller domain", "a short house")


@pytest.mark.parametrize("kind", [*KINDS, "a further variable", "an objective", "rows twice and no columns"])
def test_what_is_no_square_is_not_taken_for_one(kind: str) -> None:
    assert square_of(changed(kind)) is None
