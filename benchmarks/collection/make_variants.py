"""Make the variant puzzles: ``python -m benchmarks.collection.make_variants --seed N --out FILE``.

Every puzzle begins as a random full grid that keeps the rules about the whole grid. The other rules are stated in
random places where the grid keeps them, as they judge it themselves. Then givens are taken away while one solution is
left. The solutions are counted by two backends that share no code, on the puzzle as it is read again from its text.
The same seed gives the same file, whatever solution an engine finds first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from sudoku_models.collection.variant_items import Variant
from sudoku_models.errors import WrongAnswer
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Grid, Puzzle, Shape
from sudoku_models.puzzle.rules import Board, ExtraRegion, Filled, KillerCage, Rule
from sudoku_models.verbs.solving import is_unique, solve

from .program import prove, run, wanted
from .variant_recipes import Part, Recipe, recipes

SEED = 2027
ENGINE = "auto"
PROVERS = ("pycosat", "cp-sat")
MOST = 2000
"""The most solutions of a puzzle."""
PIECES = 5
"""In how many pieces givens are tried first: an empty board may be hard to decide."""
TRIES = 3000
"""How many random places are tried for one rule."""


def make_one(recipe: Recipe, seed: int) -> Variant:
    """Make the puzzle of a recipe."""
    rng = Random(f"{seed}/{recipe.name}")
    shape = Shape.latin(recipe.side) if recipe.latin else Shape.square(recipe.side)
    fixed = [rule for part in recipe.parts if part.place is None for rule in part.choices((), recipe.side)]
    grid = full(Puzzle.empty(shape).with_rules(*(rule for rule in fixed if not _settled_later(rule))), rng)
    rules = [*placed(recipe, shape, grid, rng), *fixed]
    puzzle = dug(Puzzle(shape, grid.values, rules=tuple(rules)), rng)
    given = [i for i, value in enumerate(puzzle.givens) if value is not None]
    puzzle = without(puzzle, rng.sample(given, min(recipe.more, len(given))))
    return proved(recipe, puzzle, grid, seed)


def _settled_later(rule: Rule) -> bool:
    """Tell whether a rule is about what bears no mark: all marks are set where they can be."""
    return type(rule).__name__.startswith("Strict")


def full(puzzle: Puzzle, rng: Random) -> Grid:
    """Return a random solution: each cell in turn gets a random value that leaves one."""
    known = _solution(puzzle)
    for cell in rng.sample(range(puzzle.shape.cells), puzzle.shape.cells):
        for value in rng.sample(puzzle.shape.values, len(puzzle.shape.values)):
            trial = replace(puzzle, givens=(*puzzle.givens[:cell], value, *puzzle.givens[cell + 1 :]))
            found = known if known is not None and known.values[cell] == value else _solution(trial)
            if found is not None:
                puzzle, known = trial, found
                break
    return puzzle.grid


def _solution(puzzle: Puzzle) -> Grid | None:
    return solve(puzzle, ENGINE).grid


def placed(recipe: Recipe, shape: Shape, grid: Grid, rng: Random) -> list[Rule]:
    """Return rules in random places, each as the grid keeps it; no two of a kind share a cell where they are areas."""
    board = Board(shape)
    filled = Filled(board, {name: value for name, value in zip(shape.names, grid.values, strict=True) if value})
    rules: list[Rule] = []
    for part in recipe.parts:
        if part.place is not None:
            rules += _some(part, board, filled, recipe.side, rng, rules)
    return rules


def _some(part: Part, board: Board, filled: Filled, side: int, rng: Random, before: Sequence[Rule]) -> list[Rule]:
    found: list[Rule] = []
    for _ in range(TRIES):
        if len(found) == part.amount:
            break
        assert part.place is not None
        cells = part.place(board, rng)
        rule = next((rule for rule in part.choices(cells, side) if rule.judge(filled)), None)
        if rule is not None and not any(_collide(rule, other) for other in (*before, *found)):
            found.append(rule)
    return found


def _collide(one: Rule, other: Rule) -> bool:
    """Tell whether two rules would stand on one another: areas and lines of a kind share no cell, others no place."""
    mine, theirs = set(one.scope), set(other.scope)
    small = min(len(mine), len(theirs)) == 2 or isinstance(one, KillerCage | ExtraRegion)
    alike = type(one) is type(other)
    along = len(mine) > 2 and not (one.scope[0] in theirs and one.scope[-1] in theirs)
    if alike and not small and along:
        return len(mine & theirs) > 1
    return mine == theirs or (alike and isinstance(one, KillerCage | ExtraRegion) and bool(mine & theirs))


def dug(puzzle: Puzzle, rng: Random) -> Puzzle:
    """Take givens away while one solution is left: by many at once, and where that fails by halves."""
    order = rng.sample(range(puzzle.shape.cells), puzzle.shape.cells)
    waiting = [order[i::PIECES] for i in range(PIECES)]
    while waiting:
        cells = waiting.pop()
        trial = without(puzzle, cells)
        if is_unique(trial, ENGINE):
            puzzle = trial
        elif len(cells) > 1:
            half = len(cells) // 2
            waiting += [cells[half:], cells[:half]]
    return puzzle


def without(puzzle: Puzzle, cells: Sequence[int]) -> Puzzle:
    """Return the puzzle without the givens of these cells."""
    gone = set(cells)
    return replace(puzzle, givens=tuple(None if i in gone else value for i, value in enumerate(puzzle.givens)))


def proved(recipe: Recipe, puzzle: Puzzle, grid: Grid, seed: int) -> Variant:
    """Count the solutions of the puzzle as its text is read; WrongAnswer when the backends disagree."""
    text = next(write([puzzle], "iss")).strip()
    read = parse(text)
    if {type(rule) for rule in read.rules} != {type(rule) for rule in puzzle.rules}:
        raise WrongAnswer(f"{recipe.name}: not all rules are read again from {text}")
    solutions = prove(read, PROVERS, MOST, text)
    solution = grid.to_line() if solutions == 1 else None
    if solution is not None and solve(read, PROVERS[1]).grid != grid:
        raise WrongAnswer(f"{recipe.name}: the full grid is expected as the only solution")
    return Variant(recipe.name, read, solutions, read.clues, solution, text, seed, PROVERS)


def make(seed: int, only: Sequence[str] = ()) -> Iterator[Variant]:
    """Yield the variant puzzles, or those whose names begin with one of ``only``."""
    return (make_one(recipe, seed) for recipe in chosen(only))


def chosen(only: Sequence[str]) -> Iterator[Recipe]:
    """Yield the recipes whose names begin with one of ``only`` (without any: all)."""
    return (recipe for recipe in recipes() if wanted(recipe.name, only))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    return run("benchmarks.collection.make_variants", SEED, make, (recipe.name for recipe in recipes()), arguments)


if __name__ == "__main__":
    sys.exit(main())
