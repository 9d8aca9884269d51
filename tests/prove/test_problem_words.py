"""A check says all that the certified puzzle states, and refuses a certificate of another one where it is named."""

from __future__ import annotations

from dataclasses import replace

from sudoku_models import Puzzle
from sudoku_models.prove import certify, certify_many, check, check_many

from .boards import SMALL

FULL = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]


def blank_with_candidates() -> Puzzle:
    """Return a puzzle without givens whose candidates leave one solution."""
    blank = Puzzle.parse("." * 16)
    return blank.with_candidates({name: (value,) for name, value in zip(blank.names, FULL, strict=True)})


def test_a_blank_puzzle_is_unique_by_its_candidates_and_the_check_says_so() -> None:
    made = certify(blank_with_candidates())
    assert "16 cells with candidates of their own" in str(check(made))
    assert not check(made, problem="." * 16)
    assert "checked: the problem is the one that you asked about" in str(check(made, problem=blank_with_candidates()))


def test_certificates_of_many_are_of_the_puzzles_asked_about_by_their_numbers() -> None:
    several = "1" + "." * 15
    made = certify_many([SMALL, several, SMALL])
    assert made.numbers == (1, 3)
    assert check_many(made, problems=[SMALL, several, SMALL])
    changed = replace(made, numbers=(2, 3))
    assert check_many(changed)
    assert list(check_many(changed, problems=[SMALL, several, SMALL]).refused) == [2]
    assert "asked about 2 puzzles" in str(check_many(made, problems=[SMALL, several]))
