"""Variants with one solution, made as wanted."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sudoku_models import Shape, is_unique
from sudoku_models.make import PLACES, generate, generating, grids, redundant
from sudoku_models.make.rule_places import placed
from sudoku_models.puzzle import Puzzle
from sudoku_models.puzzle import rules as r


@pytest.mark.parametrize("kind", PLACES)
def test_rules_are_put_where_the_grid_keeps_them(kind: str) -> None:
    shape = Shape.square(9)
    values = grids(1, shape, seed=3, fast=True)[0].tolist()
    rules = placed({kind: 3}, shape, values, Random(1))
    assert len(rules) >= 2
    assert Puzzle.empty(shape).with_rules(*rules).violated(values) == []


def test_cages_do_not_overlap() -> None:
    values = grids(1, seed=3, fast=True)[0].tolist()
    cells = [x for rule in placed({"KillerCage": 15}, Shape.square(9), values, Random(2)) for x in rule.scope]
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
    with pytest.raises(ValueError, match="'Snake' cannot be put on a board: one of KillerCage"):
        generate(1, place={"Snake": 2})
