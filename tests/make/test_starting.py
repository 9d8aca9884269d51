"""Puzzles made from puzzles: completed, varied, and searched from neighbour to neighbour."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.make import generate, search
from sudoku_models.make.neighbours import near
from sudoku_models.make.thinning import Uniqueness

FOUR = Shape.square(4)


def minimal() -> Puzzle:
    return generate(1, shape=FOUR, seed=2).puzzles[0]


def test_all_neighbours_are_found() -> None:
    puzzle = minimal()
    values = np.array([value or 0 for value in puzzle.givens], np.uint8)
    found = {tuple(row) for row in near(values, Uniqueness(FOUR)).tolist()}
    expected = set()
    for gone in (cell for cell, given in enumerate(puzzle.givens) if given):
        for cell in range(16):
            for value in FOUR.values:
                givens = [None if i == gone else given for i, given in enumerate(puzzle.givens)]
                if givens[cell] is None:
                    givens[cell] = value
                    other = Puzzle(FOUR, tuple(givens))
                    if other.givens != puzzle.givens and is_unique(other):
                        expected.add(tuple(v or 0 for v in givens))
    assert found == expected


def test_a_search_that_was_killed_finds_the_same(tmp_path: Path) -> None:
    whole = search([minimal()], tmp_path / "whole")
    assert whole.complete and whole.fewest <= minimal().clues and len(whole.forms) > 3
    assert search([minimal()], tmp_path / "parts", looks=2).done == 2
    journal = tmp_path / "parts" / "journal.jsonl"
    with journal.open("a") as file:
        file.write('{"puzzle": "1..')  # a kill in the middle of a line
    assert search([minimal()], tmp_path / "parts") == whole
    assert journal.read_bytes() == (tmp_path / "whole" / "journal.jsonl").read_bytes()


def test_a_search_that_cannot_begin_says_why(tmp_path: Path) -> None:
    marked = Puzzle.parse("1" + "." * 15).with_candidates({"R1C2": (2, 3)})
    for start, changed, said in (([minimal()], 3, "changed=3: 1 or 2"), ([marked], 1, "without rules and candidates")):
        with pytest.raises(ValueError, match=said):
            search(start, tmp_path / "none", changed=changed)
    assert not (tmp_path / "none").exists()


def test_the_time_limit_holds_while_a_start_is_looked_at(tmp_path: Path) -> None:
    found = generate(1, start=minimal(), time_limit=0.0)
    assert (len(found), found.reason) == (0, "time limit")
    cut = search([minimal()], tmp_path / "cut", changed=2, time_limit=0.0)
    assert (cut.done, cut.forms, cut.complete) == (0, [minimal().to_line()], False)
    assert not (tmp_path / "cut").exists()  # not even the start was checked
