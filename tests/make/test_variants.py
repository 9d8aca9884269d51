"""Variants with one solution, made as wanted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sudoku_models import Shape, is_unique
from sudoku_models.make import PLACES, generate, generating, grids, redundant
from sudoku_models.make.places import placed
from sudoku_models.puzzle import Puzzle
from sudoku_models.puzzle import rules as r


@pytest.mark.parametrize("kind", PLACES)
def test_rules_are_put_where_the_grid_keeps_them(kind: str) -> None:
    shape = Shape.square(9)
    values = grids(1, shape, seed=3, fast=True)[0].tolist()
    rules = placed({kind: 3}, shape, values, Random(1))[kind]
    assert len(rules) >= 2
    assert Puzzle.empty(shape).with_rules(*rules).violated(values) == []


def test_cages_do_not_overlap() -> None:
    values = grids(1, seed=3, fast=True)[0].tolist()
    rules = placed({"KillerCage": 15}, Shape.square(9), values, Random(2))["KillerCage"]
    cells = [x for rule in rules for x in rule.scope]
    assert len(cells) == len(set(cells))


def test_a_variant_has_one_solution_and_needs_each_given() -> None:
    made = generate(2, shape=Shape.square(6), place={"Thermo": 2, "KillerCage": 3}, seed=1)
    for puzzle in made:
        assert is_unique(puzzle)
        assert redundant(puzzle, kinds=["given"]) == ()
        assert puzzle.stated is not None and puzzle.violated(puzzle.stated) == []


def test_rules_of_the_whole_grid_hold() -> None:
    puzzle = generate(1, shape=Shape.square(6), rules=(r.AntiKnight(),), seed=1).puzzles[0]
    assert puzzle.rules == (r.AntiKnight(),) and is_unique(puzzle)


def test_rules_that_are_not_needed_may_go() -> None:
    wish = {"shape": Shape.square(4), "place": {"Greater": 12}, "seed": 2}
    whole, fewer = (generate(1, drop=drop, **wish).puzzles[0] for drop in ("given", ("given", "rule")))
    assert set(fewer.rules) < set(whole.rules) and fewer.givens == whole.givens
    assert is_unique(fewer) and redundant(fewer) == ()


def test_the_same_seed_makes_the_same_variants() -> None:
    wish = {"shape": Shape.square(4), "place": {"Arrow": 2}}
    first, again = (generate(3, seed=5, **wish).puzzles for _ in range(2))
    assert first == again != generate(3, seed=6, **wish).puzzles


def test_a_limit_ends_with_what_there_is() -> None:
    made = generate(1, shape=Shape.square(4), place={"Greater": 2}, clues=(16, 16), tries=3)
    assert (len(made), made.tried, made.complete) == (0, 3, False)
    assert made.reason.startswith("3 candidates were tried; ")
    assert made.nearest is not None and f"it has {made.nearest.puzzle.clues} clues" in made.nearest.missed


@pytest.mark.parametrize("seed", range(4))
def test_a_rule_for_which_a_grid_has_no_room_is_placed_on_another_grid(seed: int) -> None:
    """On half of all grids, 2,000 random places have none for these circles."""
    (puzzle,) = generate(1, place={"CountingCircles": 1}, seed=seed)
    assert [type(rule) for rule in puzzle.rules] == [r.CountingCircles]


@pytest.mark.parametrize(
    ("wish", "reason"),
    [({}, "30 grids in a row had no room for all rules"), ({"tries": 40}, "40 candidates were tried")],
)
def test_more_rules_than_there_is_room_for_are_a_wish_that_is_missed(wish: dict[str, Any], reason: str) -> None:
    small = Shape.square(4)
    made = generate(1, shape=small, place={"KillerCage": (60, 70), "Greater": 2}, seed=1, **wish)
    assert not made.complete and len(made) == 0 and made.reason.startswith(reason)
    assert made.nearest is not None
    cages = [rule for rule in made.nearest.puzzle.rules if isinstance(rule, r.KillerCage)]
    text = f"{len(cages)} of 60 to 70 rules of the kind KillerCage found room"
    assert made.nearest.missed == text
    assert is_unique(made.nearest.puzzle) and redundant(made.nearest.puzzle, kinds=["given"]) == ()
    fewer = generate(1, shape=small, place={"KillerCage": (1, 60)}, seed=1)
    assert fewer.complete


def test_of_marks_that_must_all_be_there_the_grid_has_as_many_as_it_has() -> None:
    (puzzle,) = generate(1, shape=Shape.square(4), rules=(r.StrictXV(),), place={"XV": 99}, seed=1)
    assert is_unique(puzzle) and any(isinstance(rule, r.XV) for rule in puzzle.rules)


@pytest.mark.parametrize("kind", PLACES)
def test_a_board_that_is_too_small_for_a_rule_has_no_room_for_it(kind: str) -> None:
    made = generate(1, shape=Shape.latin(2), place={kind: 9}, seed=1)
    assert made.complete or (
        made.nearest is not None and f"of 9 rules of the kind {kind} found room" in made.nearest.missed
    )


def test_a_search_without_a_limit_gives_up_some_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "FEWEST", 2)
    made = generate(1, shape=Shape.square(4), place={"Greater": 2}, clues=(16, 16))
    assert (len(made), made.tried) == (0, 2)
    assert made.reason.startswith("2 candidates in a row were unsuitable")


@pytest.mark.parametrize("wish", [{"place": {"Greater": 2}}, {"rules": (r.AntiKnight(),)}])
def test_a_limit_of_time_holds_within_a_puzzle(wish: dict[str, Any]) -> None:
    made = generate(1, shape=Shape.square(4), time_limit=0.0, **wish)
    assert (len(made), made.tried, made.reason) == (0, 0, "time limit")


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"place": {"Thermo": -2}}, "-2 rules of the kind 'Thermo': a number of 0 or more is expected"),
        ({"clues": (9, 3)}, "the lower one first"),
        ({"n": -1}, "n=-1: 0 or more is expected"),
    ],
)
def test_wrong_numbers_are_refused(wish: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate(**wish)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'Snake' cannot be put on a board: one of Arrow, "):
        generate(1, place={"Snake": 2})
