"""Arguments from uniqueness: only on request, true wherever there is one solution, and named as an assumption."""

from __future__ import annotations

import random

from sudoku_models import Puzzle
from sudoku_models.explain import Ladder, hint
from sudoku_models.explain.step_words import Teller
from sudoku_models.explain.steps import Reasoner
from sudoku_models.explain.uniqueness import ASSUMED, exchanged, rectangles
from sudoku_models.puzzle.rules.cages import KillerCage
from tests.puzzle.rules.boards import SUDOKU, latin_squares


def test_what_is_assumed_holds_for_every_puzzle_with_one_solution() -> None:
    rng, seen = random.Random(5), 0
    for _ in range(40):
        grid, left, givens = rng.choice(latin_squares(True)), latin_squares(True), dict[int, int]()
        for cell in rng.sample(range(16), 16):
            if len(left) > 1:
                givens[cell] = grid[cell]
                left = tuple(found for found in left if found[cell] == grid[cell])
        puzzle = Puzzle(SUDOKU, tuple(givens.get(c) for c in range(16)))
        for corners in rectangles(puzzle):
            seen += 1
            assert exchanged(corners).holds(dict(zip(SUDOKU.names, grid, strict=True)))
    assert seen > 20


def test_a_rectangle_has_no_givens_no_rules_and_lies_in_two_boxes() -> None:
    corners = list(rectangles(Puzzle.empty(SUDOKU)))
    assert ("R1C1", "R1C3", "R2C1", "R2C3") in corners and ("R1C1", "R1C3", "R3C1", "R3C3") not in corners
    stated = Puzzle.empty(SUDOKU).with_rules(KillerCage(("R1C1", "R1C2"), 5)).with_candidates({"R2C3": (1,)})
    assert not any({"R1C1", "R1C2", "R2C3"} & {*corners} for corners in rectangles(stated))


def test_a_unique_rectangle_is_named_with_its_assumption() -> None:
    ladder = Ladder(Puzzle.parse("." * 81), None, False, assume_unique=True)
    masks = list(ladder.full)
    for x in ("R1C1", "R1C4", "R2C1"):
        masks[ladder.index[x]] = 0b11
    stage = ladder.single(masks, [i for i, atom in enumerate(ladder.atoms) if atom.part == ASSUMED])
    assert stage is not None and stage.level == (1, 3)
    step = next(iter(Reasoner(ladder).steps(stage)))
    assert {ladder.names[c] for c, _ in step.facts} == {"R2C4"}
    text = Teller(ladder).text(step)
    assert text.startswith("Unique rectangle: by the assumption of one solution (R1C1 R1C4 R2C1 R2C4), because")
    assert text.endswith("R2C4 is not 1 or 2")


def test_nothing_is_assumed_unless_asked_for_or_of_several_solutions() -> None:
    assert not any(atom.part == ASSUMED for atom in Ladder(Puzzle.parse("." * 81)).atoms)
    assert "assumption" not in str(hint("1" + "." * 15, assume_unique=True))
