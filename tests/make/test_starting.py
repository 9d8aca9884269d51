"""Puzzles made from puzzles: completed, varied, and searched from neighbour to neighbour."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.errors import NotOneSolution, Unusable
from sudoku_models.make import complete, generate, search
from sudoku_models.make.neighbours import near

FOUR = Shape.square(4)
MINIMAL = "1....2....3....."  # no more than a start: it has several solutions


def minimal() -> Puzzle:
    return generate(1, shape=FOUR, seed=2).puzzles[0]


def test_a_puzzle_gets_the_fewest_further_clues() -> None:
    made = complete(Puzzle.parse(MINIMAL), seed=1)
    assert made.proved and is_unique(made.puzzle)
    assert made.puzzle.clues == 3 + len(made.added)
    for name in made.added:
        cell = FOUR.cell(name)
        fewer = tuple(None if i == cell else given for i, given in enumerate(made.puzzle.givens))
        assert not is_unique(Puzzle(FOUR, fewer))


def test_the_fewest_clues_of_a_board_with_few_givens_are_proved() -> None:
    made = complete("53..7....6..195....98....6.8...6...34..8.3..1" + "." * 36, seed=1)
    assert made.proved and is_unique(made.puzzle)


def test_a_puzzle_without_a_solution_is_not_completed() -> None:
    with pytest.raises(NotOneSolution, match="adding clues cannot"):
        complete(Puzzle.parse("123....4........"))


def test_puzzles_are_generated_from_one_with_too_few_clues() -> None:
    made = generate(3, start=MINIMAL, seed=4)
    assert made.complete and all(is_unique(puzzle) for puzzle in made)
    for puzzle in made:
        assert [puzzle.givens[cell] for cell in (0, 5, 10)] == [1, 2, 3]


def test_all_neighbours_are_found() -> None:
    puzzle = minimal()
    found = {tuple(row) for rows in near(puzzle) for row in rows.tolist()}
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


def test_the_journal_of_another_search_is_left_alone(tmp_path: Path) -> None:
    search([minimal()], tmp_path, looks=1)
    with pytest.raises(Unusable, match=r"journal.jsonl is the journal of another search: choose another folder"):
        search([minimal()], tmp_path, changed=2)
