"""Which clues of a puzzle with one solution could be left out."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_models import Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled
from sudoku_models.puzzle.rules.composed import pieces

SMALL = Shape.square(4)


LINE = ("R1C1", "R1C2", "R2C3", "R2C4", "R4C4")


@pytest.mark.parametrize(
    ("rule", "number"),
    [
        (r.Thermo(LINE), 4),
        (r.SlowThermo(LINE), 4),
        (r.Whisper(LINE, difference=2), 4),
        (r.AlternatingParity(LINE), 4),
        (r.EqualParity(LINE), 4),
        (r.Progression(LINE), 3),
        (r.Progression(LINE, step=1), 4),
        (r.Entropic(LINE), 7),
        (r.Modular(LINE, modulus=2), 4),
        (r.Nabner(LINE), 10),
        (r.Palindrome(LINE), 2),
        (r.Zipper(LINE), 2),
        (r.Between(LINE), 3),
        (r.Lockout(LINE, difference=2), 3),
        (r.EqualSums((LINE[:2], LINE[2:3], LINE[3:])), 2),
        (r.Clone(LINE[:2], LINE[2:4]), 2),
        (r.Zipper(LINE[:4]), 1),
        (r.Arrow(LINE), 1),
    ],
)
def test_the_parts_of_a_rule_say_together_what_it_says(rule: r.Rule, number: int) -> None:
    parts, board = pieces((rule,)), Board(SMALL)
    assert len(parts) == number
    for values in product(SMALL.values, repeat=len(LINE)):
        grid = Filled(board, {**dict.fromkeys(SMALL.names, 1), **dict(zip(LINE, values, strict=True))})
        assert rule.judge(grid) == all(part.judge(grid) for part in parts)
