"""Every kind of rule on the ladder: paths end in the one board that its judge accepts, whatever is turned or reordered.

The boards have 4 x 4 cells, so that the judge of a rule finds all that there are. Not met here are the kinds ``UNMET``,
of which no such board exists, and those with extra cells (ChaosConstruction, FullRank, ...). Their paths are proved on
published puzzles (``tests.explain.proofs``), and compared compiled and plain.

``python -m tests.explain.test_conformance 20`` is the long run: so many changed puzzles of each kind, and each step
proved by another engine.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from sudoku_models import Puzzle
from sudoku_models.explain import Ladder, path
from sudoku_models.explain.steps import Reasoner
from sudoku_models.make.moving import images, is_about_difference
from sudoku_models.puzzle.rules import Rule
from tests.explain.test_every_rule import ONE_OF_A_KIND, accepted
from tests.explain.test_ladder import Proof
from tests.puzzle.rules.boards import SUDOKU

SOLVABLE = [rule for rule in ONE_OF_A_KIND if accepted(rule)]
UNMET = {
    *("AntiKing", "AntiTaxicab", "Balance", "DigitalRoot", "GlobalEntropy", "GlobalMod", "MachineLine"),
    *("NonConsecutive", "Quadruple", "SameValues", "Singles", "StrictKropki", "StrictRatio", "Unused"),
}
"""Kinds without extra cells of which no example has a 4 x 4 board with boxes."""
Log = list[tuple[tuple[int, int], set[tuple[int, int]]]]


def generated(rule: Rule, rng: random.Random) -> tuple[Puzzle, tuple[int, ...]]:
    """Return a puzzle with one solution by the word of the rule's judge, and that solution: givens as far as needed."""
    grids = accepted(rule)
    grid = rng.choice(grids)
    left, givens = grids, dict[int, int]()
    for cell in rng.sample(range(16), 16):
        fewer = [found for found in left if found[cell] == grid[cell]]
        if len(fewer) < len(left):
            givens[cell], left = grid[cell], fewer
    return Puzzle(SUDOKU, tuple(givens.get(c) for c in range(16)), rules=(rule,)), grid


def plain_log(puzzle: Puzzle) -> Log:
    """Return level and facts of each stage."""
    ladder = Ladder(puzzle, None, True)
    return [(stage.level, set(stage.facts)) for stage in ladder.stages(ladder.start())]


def turned(puzzle: Puzzle) -> Iterator[Log]:
    """Yield the logs of all turns and reflections that carry the rules along, in terms of the puzzle itself."""
    for cells, shape, rules in images(puzzle):
        made = Puzzle(shape, tuple(puzzle.givens[c] for c in cells), rules=rules)
        yield [(level, {(cells[c], b) for c, b in facts}) for level, facts in plain_log(made)]


def relabelled(puzzle: Puzzle, rng: random.Random) -> Log:
    """Return the log with other names of the values, in terms of the puzzle itself."""
    values = rng.sample(range(1, 5), 4)
    made = replace(puzzle, givens=tuple(None if v is None else values[v - 1] for v in puzzle.givens))
    back = {value - 1: i for i, value in enumerate(values)}
    return [(level, {(c, back[b]) for c, b in facts}) for level, facts in plain_log(made)]


def reordered(puzzle: Puzzle, rng: random.Random, compiled: bool) -> Log:
    """Return the log with the cells numbered and the atoms listed in another order, in terms of the puzzle itself."""
    ladder = copy.copy(Ladder(puzzle, None, compiled))
    n = len(ladder.names)
    number = rng.sample(range(n), n)
    atoms = [replace(atom, cells=tuple(number[c] for c in atom.cells)) for atom in ladder.atoms]
    back = {new: old for old, new in enumerate(number)}
    start, full = ladder.start(), ladder.full
    ladder.take(rng.sample(atoms, len(atoms)), tuple(full[back[c]] for c in range(n)))
    found = ladder.stages([start[back[c]] for c in range(n)])
    return [(stage.level, {(back[c], b) for c, b in stage.facts}) for stage in found]


def changed(puzzle: Puzzle, rng: random.Random, number: int) -> Iterator[Log]:
    """Yield so many logs of changed puzzles, as different as can be; most of them where there are turns."""
    turns = list(turned(puzzle)) if number > 4 else list(islice(turned(puzzle), rng.randrange(8), 8))[:1]
    yield from turns[:number]
    for i in range(number - len(turns)):
        if i % 2 and is_about_difference(puzzle):
            yield relabelled(puzzle, rng)
        else:
            yield reordered(puzzle, rng, i % 8 != 6)


def check(rule: Rule, rng: random.Random, number: int) -> Puzzle:
    """Walk a puzzle of a rule to the solution of its judge, and so for changed ones, stage by stage."""
    puzzle, grid = generated(rule, rng)
    way = path(puzzle)
    names = SUDOKU.names
    assert way.end == "solved", way.end
    assert tuple(way.left[x] for x in names) == tuple((value,) for value in grid)
    want = [(stage.level, set(stage.facts)) for stage in way.stages]
    for found in changed(puzzle, rng, number):
        assert found == want
    return puzzle


def proved(puzzle: Puzzle, stages: int) -> int:
    """Prove the first step of stages by another engine, and that it needs all that it names; return their number."""
    way = path(puzzle)
    proof, reasoner = Proof(way.ladder), Reasoner(way.ladder)
    hardest = sorted(way.stages, key=lambda stage: stage.level, reverse=True)[:stages]
    for stage in hardest:
        step = next(iter(reasoner.steps(stage)))
        fact = min(step.facts)
        assert proof.follows(step, fact)
        assert not any(proof.follows(step, fact, without=a) for a in step.atoms)
        assert not any(proof.follows(step, fact, unread=c) for c in step.reads)
    return len(hardest)


def test_all_kinds_are_met_but_those_that_no_board_satisfies() -> None:
    assert {type(rule).__name__ for rule in ONE_OF_A_KIND} - {type(rule).__name__ for rule in SOLVABLE} == UNMET


@pytest.mark.parametrize("rule", SOLVABLE, ids=lambda rule: type(rule).__name__)
def test_a_path_ends_in_the_solution_and_every_stage_is_the_same_for_changed_puzzles(rule: Rule) -> None:
    check(rule, random.Random(type(rule).__name__), 3)


@pytest.mark.parametrize("rule", SOLVABLE[::3], ids=lambda rule: type(rule).__name__)
def test_the_hardest_step_follows_and_needs_all_that_it_names(rule: Rule) -> None:
    puzzle, _ = generated(rule, random.Random(type(rule).__name__))
    assert proved(puzzle, 1)


def main(number: int) -> None:
    """Check every kind of rule at length, and print what was checked."""
    steps = 0
    for rule in SOLVABLE:
        rng = random.Random(type(rule).__name__)
        steps += proved(check(rule, rng, number), 1000)
        print(f"{type(rule).__name__}: {number} changed puzzles alike, {steps} steps proved so far", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
