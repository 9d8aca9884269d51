"""Boards up to symmetry: least forms, automorphisms, and the transformations between them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.engine.machine_code.library import Library
from sudoku_models.make import (
    augment,
    board_forms,
    canonical,
    canonical_arrays,
    generate,
    grid_forms,
    grids,
    morph,
    same,
)
from sudoku_models.puzzle import rules as r

from .known import CLASSES_OF_ORDER


def test_a_grid_and_its_relabellings_have_one_form() -> None:
    made = grids(500, seed=5, fast=True)
    forms = canonical_arrays(made)
    others = canonical_arrays(augment(made, seed=6)[0])
    assert (forms.boards == others.boards).all()
    assert (forms.automorphisms == others.automorphisms).all()
    assert (forms.boards[:, :9] == np.arange(1, 10)).all()


def all_forms() -> list[np.ndarray]:
    """Return forms, automorphisms and transformations of full grids, of puzzles and of boards without boxes."""
    six, latin = grids(2, Shape.square(6), seed=3), grids(2, Shape.latin(4), seed=3)
    return [
        *grid_forms.grid_forms(grids(2, seed=3, fast=True)),
        *board_forms.board_forms(np.where(np.arange(36) % 3, 0, six), 2, 3),
        *board_forms.board_forms(np.where(np.arange(16) % 5, latin, 0), 4, 4),
    ]


def test_forms_are_the_same_from_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = all_forms()
    for module in (grid_forms, board_forms):
        monkeypatch.setattr(module, "machine", Library.plain)
    for one, other in zip(all_forms(), compiled, strict=True):
        assert (one == other).all()


def test_the_transformation_leads_to_the_form() -> None:
    puzzle = generate(1, seed=2).puzzles[0]
    found = canonical(puzzle)
    assert found.transformation(puzzle).givens == found.board.givens
    assert found.transformation.inverse(puzzle.shape)(found.board).givens == puzzle.givens


@pytest.mark.parametrize("shape", [Shape.square(4), Shape.square(6), Shape.square(9), Shape.latin(5)])
def test_a_puzzle_and_its_morphs_are_the_same(shape: Shape) -> None:
    for puzzle in generate(4, shape=shape, seed=3):
        other = morph(puzzle, seed=9)
        found = same(puzzle, other)
        assert found is not None and found(puzzle).givens == other.givens
        assert canonical(puzzle).board == canonical(other).board


def test_grids_of_every_order_have_their_automorphisms_counted_in_two_ways() -> None:
    """Where the exact table has few classes of an order they are all there: 27, 54, 72, 108, 162 and 648."""
    rows = [line.split() for line in Path(__file__).with_name("symmetric_grids.txt").read_text().split("\n") if line]
    boards = np.array([[int(digit) for digit in line] for _, line in rows], np.uint8)
    found = canonical_arrays(augment(boards, seed=1)[0])
    orders = [int(order) for order, _ in rows]
    assert found.automorphisms.tolist() == orders
    assert set(orders) == set(CLASSES_OF_ORDER) and sum(CLASSES_OF_ORDER.values()) == 5_472_730_538
    assert len({board.tobytes() for board in found.boards}) == len(rows)
    counts = Counter(orders)
    assert all(counts[order] == CLASSES_OF_ORDER[order] for order in (27, 54, 72, 108, 162, 648))
    _, ways, _, _ = board_forms.board_forms(boards, 3, 3)
    assert ways.tolist() == orders


def test_the_classes_of_small_grids_add_up_to_all_grids() -> None:
    every = canonical_arrays(_all_small(), Shape.square(4))
    classes = {bytes(board): int(count) for board, count in zip(every.boards, every.automorphisms, strict=True)}
    assert len(classes) == 2
    assert sum(128 * 24 // count for count in classes.values()) == 288


def _all_small() -> np.ndarray:
    return np.unique(grids(4000, Shape.square(4), seed=1), axis=0)


@pytest.mark.parametrize(
    "rules",
    [
        (r.Diagonal(True), r.Diagonal(False)),
        (r.KillerCage("R1C1 R1C2 R2C1", total=9), r.Thermo("R3C3 R4C4 R4C5")),
        (r.AntiKnight(), r.Palindrome("R1C1 R2C2 R3C3")),
    ],
)
def test_variants_move_with_their_rules(rules: tuple[r.Rule, ...]) -> None:
    givens = (None, 3, None, 4, 5, *[None] * 31)
    puzzle = Puzzle(Shape.square(6), givens, rules=rules)
    for seed in range(4):
        other = morph(puzzle, seed)
        assert canonical(other).board == canonical(puzzle).board
        assert same(puzzle, other) is not None
