"""``generate``, ``grids``, ``minimise`` and ``canonical`` on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.cli.codes import Code
from sudoku_models.make import generate, grids
from sudoku_models.puzzle.rules import Greater

Program = Callable[..., Any]


def test_puzzles_are_made_as_in_python(program: Program) -> None:
    result = program("generate", "--side", "6", "-n", "3", "--seed", "5", "--symmetry", "half-turn")
    made = generate(3, shape=Shape.square(6), seed=5, symmetry="half-turn")
    assert result.exit_code == Code.SOLVED
    assert result.stdout.split() == [puzzle.to_line() for puzzle in made]
    assert result.stderr == f"made 3, tried {made.tried}\n"


def test_rules_are_put_and_kept(program: Program) -> None:
    wishes = ("--side", "4", "--place", "Greater=3", "--rule", "AntiKnight", "--seed", "1")
    puzzle = Puzzle.parse(program("generate", *wishes, "--to", "iss").stdout.strip())
    assert [type(rule).__name__ for rule in puzzle.rules].count("Greater") == 3
    assert is_unique(puzzle)
    again = program("generate", "--like", program("generate", *wishes, "--to", "iss").stdout.strip(), "--to", "iss")
    assert len([rule for rule in Puzzle.parse(again.stdout.strip()).rules if isinstance(rule, Greater)]) == 3


def test_what_is_not_found_is_a_limit(program: Program) -> None:
    result = program("generate", "--side", "4", "--clues", "16", "--tries", "1")
    assert (result.exit_code, result.stdout) == (Code.LIMIT, "")
    assert "candidates were tried" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--clues", "many"), "--clues many: a number, or two"),
        (("--place", "KillerCage"), "--place KillerCage: a kind and a number"),
        (("--place", "Snake=3"), "'Snake' cannot be put on a board"),
        (("--rule", "Thermo"), "--rule Thermo: a rule about the whole grid"),
        (("--symmetry", "spiral"), "the symmetry 'spiral'"),
        (("--side", "7"), "has no boxes"),
        (("--place", "Greater=1", "--pattern", "1"), "for puzzles without rules"),
        (("--side", "4", "--to", "nothing"), "--to nothing: one of"),
    ],
)
def test_a_wrong_wish_is_said_in_one_line(program: Program, options: tuple[str, ...], message: str) -> None:
    result = program("generate", *options)
    assert result.exit_code == Code.USAGE
    assert message in result.stderr and len(result.stderr.splitlines()) == 1


def test_grids_are_made_as_in_python(program: Program) -> None:
    lines = program("grids", "-n", "2", "--side", "4", "--seed", "3").stdout.split()
    assert lines == ["".join(map(str, row)) for row in grids(2, Shape.square(4), seed=3).tolist()]


def test_clues_that_are_not_needed_go(program: Program) -> None:
    full = "1234341221434321"
    puzzle = Puzzle.parse(program("minimise", full).stdout.strip(), shape=Shape.square(4))
    assert is_unique(puzzle) and puzzle.clues < 9
    result = program("minimise", "--smallest", full)
    assert result.stderr == "4 clues: proved to be the fewest\n"
    assert program("minimise", "--redundant", full).stdout.count("given") == 16


def test_a_puzzle_that_cannot_be_minimised_is_named_and_the_others_go_on(program: Program) -> None:
    result = program("minimise", "-", input="1...............\n1234341221434321\n")
    assert result.exit_code == Code.NO_SOLUTION
    assert len(result.stdout.split()) == 1
    assert "line 1: the puzzle has several solutions" in result.stderr


def test_boards_that_are_the_same_have_one_form(program: Program) -> None:
    lines = program("canonical", "-", input="1234341221434321\n4321214334121234\n").stdout.split()
    assert lines == ["1234341221434321"] * 2
