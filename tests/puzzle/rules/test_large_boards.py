"""Models of large boards stay small, or are refused where they are stated."""

from __future__ import annotations

import random

import pytest

from sudoku_models.model import Regular
from sudoku_models.puzzle import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import verdicts

WIDE = Shape(2, 8, tuple(range(1, 41)), lines=False)


def row(number: int, cells: int) -> tuple[str, ...]:
    return tuple(f"R{number}C{i}" for i in range(1, cells + 1))


@pytest.mark.parametrize("rule", [r.Lunchbox(row(1, 23), 150), r.Lunchbox(row(1, 7), 60), r.Sandwich(row(1, 25), 90)])
def test_automata_of_lunchboxes_grow_with_the_sum_only(rule: Rule) -> None:
    lines = [c for c in Board(Shape.square(25), [rule]).constraints() if isinstance(c, Regular)]
    assert len(lines) == 1
    assert lines[0].automaton.states <= 2 * 150 + 3


def test_a_lunchbox_of_many_values_is_met() -> None:
    chance, rule = random.Random(3), r.Lunchbox(row(1, 5), 40)
    for _ in range(60):
        inner = chance.sample(range(5, 20), 2)
        line = [chance.choice((31, 33)), *inner, 2, 20]
        chance.shuffle(line)
        grid = Filled(Board(WIDE, [rule]), dict.fromkeys(WIDE.names, 1) | dict(zip(rule.cells, line, strict=True)))
        between = line[min(i := line.index(2), j := line.index(max(line))) + 1 : max(i, j)]
        wanted = r.Lunchbox(rule.cells, sum(between))
        assert verdicts(wanted, grid) == (True, True)
        assert verdicts(rule, grid) == (sum(between) == 40,) * 2
