"""Whatever is stated can be pickled, copied and written as text: it travels to other processes and comes back equal."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from random import Random
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.formats import write
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import LATIN, SUDOKU
from .making import BESIDE, OURS, rules_of

WAYS: list[Callable[[Any], Any]] = [lambda one: pickle.loads(pickle.dumps(one)), copy, deepcopy]
SHAPES = [SUDOKU, LATIN, Shape(4, 4, (0, 1, 2, 3, 4), SUDOKU.regions)]


@pytest.mark.parametrize("kind", OURS.values(), ids=OURS)
def test_every_kind_of_rule_comes_back(kind: type[Rule]) -> None:
    made = [(s, (*BESIDE.get(kind, ()), rule)) for s in SHAPES for rule in rules_of(kind, s, Random("copies"), 2)]
    assert made
    for shape, rules in made:
        puzzle = Puzzle(shape, (None,) * shape.cells, rules=rules)
        for _ in range(2):
            for rule in rules:
                assert [way(rule) for way in WAYS] == [rule] * len(WAYS)
                assert {hash(way(rule)) for way in WAYS} == {hash(rule)}
            assert [way(puzzle) for way in WAYS] == [puzzle] * len(WAYS)
            assert Puzzle.parse("".join(write([puzzle], "json"))) == puzzle
            used(shape, rules)


def used(shape: Shape, rules: tuple[Rule, ...]) -> None:
    """Read all that the rules keep once it was computed."""
    board = Board(shape, rules)
    filled = Filled(board, {name: board.domain(name)[0] for name in board.names})
    for rule in rules:
        hash(rule), str(rule), list(rule.constraints(board)), rule.judge(filled)
