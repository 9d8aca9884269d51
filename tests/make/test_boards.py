"""Boards with rules: laid as wished, with one solution, and what is missed in words."""

from __future__ import annotations

import subprocess
import sys
from itertools import chain
from random import Random
from typing import Any

import pytest

from sudoku_models import Puzzle, Shape, is_unique
from sudoku_models.explain import rate
from sudoku_models.make import PLACES, generate, grids, redundant
from sudoku_models.make.laying import Ground, lay, some_rule
from sudoku_models.make.symmetry import images, orbits
from sudoku_models.make.wishes import level_of
from sudoku_models.puzzle import rules as r

FOUR, SIX, NINE = Shape.square(4), Shape.square(6), Shape.square(9)
THEME: dict[str, Any] = {"shape": FOUR, "place": {"Greater": 4, "KillerCage": 2}}
GRID = grids(1, NINE, seed=3, fast=True)[0].tolist()


def made(**wish: Any) -> Puzzle:
    """Make one puzzle, and check it."""
    found = generate(1, **wish)
    assert found.complete, found.reason
    (puzzle,) = found.puzzles
    assert puzzle.stated is not None and not puzzle.violated(puzzle.stated) and is_unique(puzzle)
    return puzzle


def cells_of(puzzle: Puzzle) -> list[list[int]]:
    """Return the cells of each rule, by number."""
    numbers = {name: cell for cell, name in enumerate(puzzle.shape.names)}
    return [[numbers[x] for x in rule.scope] for rule in puzzle.rules]


@pytest.mark.parametrize("kind", PLACES)
def test_each_kind_is_laid_where_the_grid_keeps_it_and_has_an_example(kind: str) -> None:
    ground = Ground(NINE, (), Random(1), values=GRID)
    lay(ground, kind, 2)
    assert len(ground.rules) == 2 or kind == "CountingCircles"
    assert Puzzle.empty(NINE).with_rules(*ground.rules).violated(GRID) == []
    rule = some_rule(kind, NINE)
    assert rule is not None and PLACES[kind].size[0] <= max(1, len(rule.scope))


@pytest.mark.parametrize("kind", [name for name, kind in PLACES.items() if kind.bare][::3])
def test_what_states_no_number_is_laid_before_there_is_a_solution(kind: str) -> None:
    puzzle = made(shape=SIX, place={kind: 1}, sizes={kind: (2, 4)}, seed=1)
    assert len(puzzle.rules) == 1 and 2 <= len(puzzle.rules[0].scope) <= 4


@pytest.mark.parametrize(
    ("shape", "symmetry", "place", "sizes"),
    [
        (NINE, "half-turn", {"Thermo": 6, "KillerCage": 4}, {"Thermo": (4, 6)}),
        (SIX, "vertical", {"Whisper": 2, "Greater": 2}, {"Whisper": 3}),
        (NINE, "vertical", {"Whisper": 5, "Renban": 1}, {}),  # one of each is its own image
        (NINE, "quarter-turn", {"Skyscraper": 8, "Quadruple2": 4}, {}),
    ],
)
def test_rules_and_givens_keep_the_symmetry(shape: Shape, symmetry: str, place: Any, sizes: Any) -> None:
    puzzle = made(shape=shape, symmetry=symmetry, place=place, sizes=sizes, seed=2)
    assert len(puzzle.rules) == sum(place.values())
    places = {(type(rule), frozenset(cells)) for rule, cells in zip(puzzle.rules, cells_of(puzzle), strict=True)}
    given = [value is not None for value in puzzle.givens]
    for image in images(shape, symmetry):
        assert {(kind, frozenset(image[c] for c in cells)) for kind, cells in places} == places
        assert all(given[cell] == given[image[cell]] for cell in range(shape.cells))
    for kind, size in sizes.items():
        low, high = size if isinstance(size, tuple) else (size, size)
        assert all(low <= len(rule.scope) <= high for rule in puzzle.rules if type(rule).__name__ == kind)


def test_no_circle_covers_a_line() -> None:
    puzzle = made(place={"Palindrome": 6, "Quadruple": 12}, seed=3)
    ground = Ground(NINE, (), Random(1))
    corners = [corner for cells in cells_of(puzzle) for corner in ground.corners_of(cells)]
    assert len(corners) > 12 and len({*corners}) == len(corners)


@pytest.mark.parametrize(
    ("shape", "symmetry", "size"), [(NINE, "none", (2, 4)), (NINE, "half-turn", (2, 5)), (SIX, "none", 2)]
)
def test_cages_cover_the_board_without_givens(shape: Shape, symmetry: str, size: Any) -> None:
    puzzle = made(shape=shape, cover=size, symmetry=symmetry, clues=0, seed=1)
    low, high = size if isinstance(size, tuple) else (size, size)
    cells = cells_of(puzzle)
    assert puzzle.clues == 0 and sorted([*chain(*cells)]) == list(range(shape.cells))
    sizes = sorted(map(len, cells))
    assert all(low <= size <= high for size in (sizes[1:] if symmetry == "half-turn" else sizes))
    if symmetry == "half-turn":
        last = shape.cells - 1
        assert {frozenset(last - c for c in cage) for cage in cells} == {*map(frozenset, cells)}


@pytest.mark.parametrize("level", [("1.0", "1.all"), ("2.1", "2.3")])
def test_a_killer_has_the_wanted_level(level: tuple[str, str]) -> None:
    found = rate(made(cover=(2, 4), level=level, seed=3))
    assert level_of(level[0]) <= found.level <= level_of(level[1])


def test_numbers_of_rules_fit_the_symmetry() -> None:
    for kind, number, symmetry, near in (
        ("Thermo", 5, "half-turn", "4 or 6"),
        ("Renban", (5, 6), "quarter-turn", "4 or 8"),
        ("LittleKiller", 10, "quarter-turn", "8 or 12"),
        ("Difference", 7, "half-turn", "6 or 8"),
    ):
        with pytest.raises(ValueError, match=f"rules of the kind {kind}: with the symmetry '{symmetry}'.* {near}"):
            generate(1, place={kind: number}, symmetry=symmetry)
    assert len(made(place={"Thermo": "some"}, symmetry="half-turn", seed=3).rules) == 6
    assert len(made(place={"Renban": 5}, symmetry="half-turn", seed=24).rules) == 5  # one is its own image
    assert all(
        len(puzzle.rules) in (4, 6) for puzzle in generate(4, place={"Thermo": (3, 7)}, symmetry="half-turn", seed=2)
    )


def test_lines_alone_may_be_enough_but_not_if_their_symmetry_makes_a_second_solution() -> None:
    lines = {"Thermo": (8, 12)}
    assert made(place=lines, clues=0, seed=1).clues == 0
    found = generate(1, place=lines, clues=0, symmetry="half-turn", seed=1)
    assert (len(found), found.tried) == (0, 1) and found.nearest is not None
    assert "the symmetry half-turn makes another solution out of its solution" in found.nearest.missed
    assert found.reason.startswith("no other candidate is better") and is_unique(found.nearest.puzzle)


def test_the_same_seed_makes_the_same_board_in_any_process_with_any_number_of_workers() -> None:
    wish = {**THEME, "clues": (0, 2), "level": ("1.0", "2.2"), "seed": 3}
    alone, together = (generate(4, workers=workers, **wish) for workers in (1, 3))
    assert alone.puzzles == together.puzzles and alone.tried == together.tried
    code = "import sudoku_models as sm; from sudoku_models.make import generate; "
    code += "print(generate(1, place={'Thermo': 2}, shape=sm.Shape.square(6), seed=5).puzzles)"
    command, plain = [sys.executable, "-c", code], {"PYTHONHASHSEED": "1"}
    said = subprocess.run(command, env=plain, capture_output=True, check=True, text=True).stdout
    assert said == f"{generate(1, place={'Thermo': 2}, shape=SIX, seed=5).puzzles}\n"


@pytest.mark.parametrize("minimal", [True, False])
def test_givens_keep_their_symmetry_and_their_number(minimal: bool) -> None:
    for puzzle in generate(2, symmetry="half-turn", minimal=minimal, clues=None if minimal else 6, seed=1, **THEME):
        given = [value is not None for value in puzzle.givens]
        assert is_unique(puzzle) and (minimal or puzzle.clues == 6)
        for cells in orbits(FOUR, "half-turn"):
            assert len({given[cell] for cell in cells}) == 1
            fewer = tuple(None if cell in cells else value for cell, value in enumerate(puzzle.givens))
            assert not minimal or not given[cells[0]] or not is_unique(Puzzle(FOUR, fewer, rules=puzzle.rules))


@pytest.mark.parametrize(("drop", "kept"), [("rule", ()), ("Greater", (r.KillerCage,))])
def test_rules_that_are_not_needed_may_go(drop: str, kept: tuple[type, ...]) -> None:
    wish = {"shape": FOUR, "place": {"Greater": 8, "KillerCage": 3}, "seed": 2}
    whole, fewer = made(**wish), made(drop=("given", drop), **wish)
    assert set(fewer.rules) < set(whole.rules) and fewer.givens == whole.givens
    assert all(isinstance(stated.what, kept) for stated in redundant(fewer, kinds=["rule"]))


def test_a_clue_of_a_puzzle_with_rules_is_changed() -> None:
    puzzle = made(seed=1, shape=FOUR, place={"Greater": 2, "KillerCage": 1})
    found = generate(12, start=puzzle, seed=2)
    assert found.complete and len(set(found.puzzles)) == 12
    for other in found:
        givens = sum(a != b for a, b in zip(puzzle.givens, other.givens, strict=True))
        rules = set(puzzle.rules) ^ set(other.rules)
        assert is_unique(other) and (givens, len(rules)) in {(1, 0), (2, 0), (0, 2)}
    assert {bool(set(puzzle.rules) ^ set(other.rules)) for other in found} == {True, False}


def test_more_rules_than_a_board_can_hold_are_refused_by_their_number() -> None:
    with pytest.raises(ValueError, match=r"1000 rules of the kind Thermo: .* has no room for so many"):
        generate(1, shape=Shape.square(4), place={"Thermo": 1000})


def test_long_lines_that_find_no_room_before_the_solution_are_laid_along_it() -> None:
    puzzle = made(seed=1, place={"Thermo": 10}, sizes={"Thermo": (5, 8)}, overlap=True)
    lines = [rule.cells for rule in puzzle.rules if isinstance(rule, r.Thermo)]
    assert len(set(lines)) == 10 and all(5 <= len(line) <= 8 for line in lines)
