"""Which clues of a puzzle with one solution could be left out."""

from __future__ import annotations

from itertools import product

import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.make import minimise, redundant
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled
from sudoku_models.puzzle.rules.composed import pieces

SMALL = Shape.square(4)
FULL = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def test_a_minimal_puzzle_needs_each_clue() -> None:
    found = minimise(Puzzle(SMALL, FULL), seed=1)
    assert is_unique(found.puzzle)
    assert found.clues == found.puzzle.clues == 16 - len(found.dropped)
    assert redundant(found.puzzle) == ()


def test_all_minimal_puzzles_are_found_and_the_smallest_is_proved() -> None:
    puzzle = Puzzle(SMALL, (*FULL[:9], *[None] * 7), rules=(r.Greater("R3C1 R3C2"), r.Greater("R3C3 R3C4")))
    found = minimise(puzzle)
    every = {(subset.givens, subset.rules) for subset in found.subsets()}
    smallest = found.smallest(None)
    fewest = min(sum(v is not None for v in givens) + len(rules) for givens, rules in every)
    assert smallest.proved and smallest.clues == smallest.bound == fewest
    assert (found.puzzle.givens, found.puzzle.rules) in every
    assert all(is_unique(Puzzle(SMALL, givens, rules=rules)) for givens, rules in every)


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


def test_a_puzzle_without_one_solution_is_refused() -> None:
    with pytest.raises(ValueError, match="several solutions: exactly one"):
        minimise(Puzzle.empty(SMALL))
    with pytest.raises(ValueError, match="no solution: exactly one"):
        redundant(Puzzle(SMALL, (1, 1, *[None] * 14)))
    with pytest.raises(ValueError, match="'house': given and rule"):
        minimise(Puzzle(SMALL, FULL), kinds=["house"])
