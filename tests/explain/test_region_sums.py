"""Sums that houses and cages imply: what a hint says of them, that they are true, and that no rating counts them."""

from __future__ import annotations

import pytest

from sudoku_models import solutions
from sudoku_models.explain import Ladder, hint
from sudoku_models.explain.stating import RegionSum
from sudoku_models.make import generate
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import KillerCage, Windoku

SIX = Puzzle.empty(Shape.square(6)).with_rules(
    KillerCage(("R1C1", "R1C2"), 7), KillerCage(("R1C3", "R1C4", "R1C5"), 10), KillerCage(("R1C6", "R2C6"), 7)
)


def test_the_cell_that_cages_leave_of_a_row_and_the_cell_that_sticks_out_are_told_with_their_sums() -> None:
    found = {str(atom.label) for atom in Ladder(SIX, for_hints=True).atoms if isinstance(atom.part, RegionSum)}
    assert found == {"row 1 without its cages (R1C6: 21 - 17 = 4)", "the cages of row 1 outside it (R2C6: 24 - 21 = 3)"}
    assert str(hint(SIX)) == "Innies: in row 1 without its cages (R1C6: 21 - 17 = 4), R1C6 is 4."
    assert str(hint(SIX, {"R1C6": 4})) == "Outies: in the cages of row 1 outside it (R2C6: 24 - 21 = 3), R2C6 is 3."


def test_sums_are_told_of_houses_with_long_names_and_of_values_below_0() -> None:
    shape = Shape(4, 4, (-2, -1, 1, 2))
    small = Puzzle.empty(shape).with_rules(KillerCage(("R1C1", "R1C2", "R1C3"), -1))
    first, *others = (f"R{r}C{c}" for r in (2, 3, 4) for c in (2, 3, 4))
    windoku = Puzzle.empty(9).with_rules(Windoku(), KillerCage(tuple(others), 40))
    for puzzle, told in ((small, "(R1C4: 0 + 1 = 1)"), (windoku, f"({first}: 45 - 40 = 5)")):
        atoms = Ladder(puzzle, for_hints=True).atoms
        found = [str(atom.label) for atom in atoms if isinstance(atom.part, RegionSum)]
        assert any(label.endswith(f" without its cages {told}") for label in found), found


@pytest.mark.parametrize("seed", range(3))
def test_each_sum_holds_in_every_solution_and_is_not_part_of_a_rating(seed: int) -> None:
    (made,) = generate(1, shape=Shape.square(6), cover=(2, 3), seed=seed, tries=50)
    puzzle = made.without(made.rules[0]) if seed else made
    atoms = Ladder(puzzle, for_hints=True).atoms
    sums = [atom.part for atom in atoms if isinstance(atom.part, RegionSum)]
    assert sums and len(Ladder(puzzle).atoms) == len(atoms) - len(sums)
    for grid in solutions(puzzle, limit=100):
        values = dict(zip(puzzle.shape.names, grid.values, strict=True))
        assert all(one.sum.holds(values) for one in sums)
