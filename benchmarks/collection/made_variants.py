"""The variant puzzles of the collection, made anew from their recipes."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random

from sudoku_models.collection import Variant
from sudoku_models.errors import NotOneSolution
from sudoku_models.formats import parse, write
from sudoku_models.make import generate
from sudoku_models.puzzle import Puzzle
from sudoku_models.verbs.solving import count as counted

from .flawed import without
from .proofs import PROVERS, chance, form_of, level_of, proved
from .variant_recipes import Recipe

MOST = 2_000
"""The most solutions of a puzzle."""


def made(recipe: Recipe, name: str, seed: int) -> Variant:
    """Make the puzzle with a name, attempt after attempt, until all rules could be placed and the puzzle could be
    rated.
    """
    for attempt in count():
        item = _attempt(recipe, name, seed, chance(seed, name, attempt))
        if item is not None:
            return item
    raise AssertionError


def _attempt(recipe: Recipe, name: str, seed: int, number: int) -> Variant | None:
    try:
        wishes = {"shape": recipe.shape, "rules": recipe.rules, "place": recipe.place}
        (puzzle,) = generate(1, seed=number, **wishes)  # type: ignore[arg-type]
    except NotOneSolution:  # not all marks were put
        return None
    if recipe.more:
        return _several(puzzle, recipe, name, seed, number)
    text = next(write([puzzle], "iss")).strip()
    read = parse(text)
    if {type(rule) for rule in read.rules} != {type(rule) for rule in puzzle.rules}:
        return None  # a clue that is read as another rule: a sum along a diagonal
    level = level_of(read)
    if level is None:
        return None
    proved(read, text, puzzle.stated)
    assert puzzle.stated is not None
    solution = Puzzle(puzzle.shape, puzzle.stated).to_line()
    read = replace(read, title=name, stated=puzzle.stated)
    return Variant(name, read, 1, read.clues, solution, text, seed, PROVERS, level, form_of(read))


def _several(puzzle: Puzzle, recipe: Recipe, name: str, seed: int, number: int) -> Variant | None:
    """Leave out more givens; None if there are none, or too many solutions."""
    given = [cell for cell, value in enumerate(puzzle.givens) if value is not None]
    if len(given) < recipe.more:
        return None
    text = next(write([without(puzzle, Random(number).sample(given, recipe.more))], "iss")).strip()
    read = replace(parse(text), title=name)
    if not counted(read, PROVERS[0], limit=MOST).exact:
        return None
    solutions = proved(read, text, most=MOST)
    return Variant(name, read, solutions, read.clues, None, text, seed, PROVERS, None, form_of(read))
