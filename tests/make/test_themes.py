"""The wishes of ``generate`` hold for puzzles with rules, too."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sudoku_models import Grid, Puzzle, Shape, is_unique
from sudoku_models.explain import rate
from sudoku_models.make import generate, grids, redundant
from sudoku_models.make.places import placed
from sudoku_models.make.wishes import level_of, orbits
from sudoku_models.puzzle import rules as r

FOUR, SIX = Shape.square(4), Shape.square(6)
THEME: dict[str, Any] = {"shape": FOUR, "place": {"Greater": 4, "KillerCage": 1}}


def test_any_number_of_workers_makes_the_same() -> None:
    wish = {**THEME, "clues": (0, 2), "level": ("1.0", "2.2"), "seed": 3}
    alone, together = (generate(4, workers=workers, **wish) for workers in (1, 3))
    assert alone.puzzles == together.puzzles and alone.tried == together.tried


@pytest.mark.parametrize("minimal", [True, False])
def test_givens_keep_their_symmetry(minimal: bool) -> None:
    for puzzle in generate(2, symmetry="half-turn", minimal=minimal, clues=None if minimal else 6, seed=1, **THEME):
        given = [value is not None for value in puzzle.givens]
        assert all(len({given[cell] for cell in cells}) == 1 for cells in orbits(FOUR, "half-turn"))
        assert is_unique(puzzle) and (minimal or puzzle.clues == 6)


def test_no_group_of_givens_could_go() -> None:
    (puzzle,) = generate(1, shape=SIX, place={"Thermo": 2}, symmetry="half-turn", seed=1)
    for cells in orbits(SIX, "half-turn"):
        fewer = [None if cell in cells else value for cell, value in enumerate(puzzle.givens)]
        same = fewer == list(puzzle.givens)
        assert same or not is_unique(Puzzle(SIX, tuple(fewer), rules=puzzle.rules))


def test_givens_keep_to_a_pattern() -> None:
    pattern = "11.. 11.. ..11 ..11"
    (whole,) = generate(1, pattern=pattern, minimal=False, seed=1, **THEME)
    assert "".join("1" if value else "." for value in whole.givens) == pattern.replace(" ", "")
    (fewer,) = generate(1, pattern=pattern, seed=1, **THEME)
    assert fewer.clues < whole.clues and is_unique(fewer) and is_unique(whole)
    assert all(value in (None, there) for value, there in zip(fewer.givens, whole.givens, strict=True))


def test_clues_are_as_many_as_wished() -> None:
    assert {puzzle.clues for puzzle in generate(3, clues=9, minimal=False, seed=1, **THEME)} == {9}


def test_a_kind_of_rules_may_go_and_others_stay() -> None:
    wish = {"shape": FOUR, "place": {"Greater": 8, "KillerCage": 3}, "seed": 2}
    (whole,), (fewer,) = (generate(1, drop=drop, **wish) for drop in ("given", ("given", "Greater")))
    cages = [[rule for rule in puzzle.rules if isinstance(rule, r.KillerCage)] for puzzle in (whole, fewer)]
    assert cages[0] == cages[1] and len(fewer.rules) < len(whole.rules)
    needless = redundant(fewer, kinds=["rule"])
    assert is_unique(fewer) and all(isinstance(stated.what, r.KillerCage) for stated in needless)


def test_the_number_of_rules_may_be_a_range() -> None:
    made = generate(12, shape=FOUR, place={"Greater": (1, 3)}, seed=1)
    assert {len(puzzle.rules) for puzzle in made} == {1, 2, 3}


def test_a_grid_and_its_rules_go_together() -> None:
    grid = Grid(FOUR, tuple(map(int, "1234341221434321")))
    (puzzle,) = generate(1, start=grid, seed=1, **THEME)
    assert puzzle.stated == grid.values
    with pytest.raises(ValueError, match="the starting grid breaks a rule"):
        generate(1, start=grid, shape=FOUR, rules=(r.Thermo(("R1C2", "R1C1")),))


def test_a_puzzle_with_rules_is_completed() -> None:
    rule = r.Thermo(("R1C1", "R1C2", "R1C3"))
    made = generate(3, start=Puzzle.empty(FOUR).with_rules(rule), seed=1)
    assert made.complete and all(is_unique(puzzle) and puzzle.rules == (rule,) for puzzle in made)


def test_a_clue_of_a_puzzle_with_rules_is_changed() -> None:
    (puzzle,) = generate(1, seed=1, **THEME)
    made = generate(12, start=puzzle, seed=2)
    assert made.complete and len(set(made.puzzles)) == 12
    for other in made:
        givens = sum(a != b for a, b in zip(puzzle.givens, other.givens, strict=True))
        rules = set(puzzle.rules) ^ set(other.rules)
        assert is_unique(other) and (givens, len(rules)) in {(1, 0), (2, 0), (0, 2)}
    assert {bool(set(puzzle.rules) ^ set(other.rules)) for other in made} == {True, False}


@pytest.mark.parametrize(
    ("wish", "missed"),
    [
        ({"clues": 16, "shape": FOUR}, "instead of 16"),
        ({"clues": 16, **THEME}, "instead of 16"),
        ({"rating": (11.0, 12.0)}, "11 to 12 is wanted"),
        ({"techniques": "jellyfish", "rating": (1.0, 2.0)}, "its path has no jellyfish"),
        ({"level": "4.any", "shape": FOUR}, "level 4.any is wanted"),
        ({"accept": lambda puzzle: False, "shape": FOUR}, "accept rejects it"),
    ],
)
def test_the_nearest_is_there_where_none_is_as_wanted(wish: dict[str, Any], missed: str) -> None:
    made = generate(1, tries=256 if "shape" not in wish else 3, seed=1, **wish)
    assert not made.complete and len(made) == 0
    assert made.nearest is not None and missed in made.nearest.missed
    assert is_unique(made.nearest.puzzle) and made.nearest.puzzle.stated is not None


def test_no_other_candidate_is_nearer() -> None:
    wish = {"shape": FOUR, "seed": 5, "tries": 12}
    made = generate(1, clues=16, **wish)
    seen = [puzzle.clues for puzzle in generate(12, **wish)]
    assert made.nearest is not None and made.nearest.puzzle.clues == max(seen) > min(seen)
    level = generate(1, level="4.any", **wish).nearest
    assert level is not None
    assert rate(level.puzzle).level == max(rate(p).level for p in generate(12, **wish)) < level_of("4.any")


def test_easy_puzzles_have_small_cages() -> None:
    wish = {"shape": SIX, "place": {"KillerCage": 4}, "seed": 1}
    (easy,), (other,) = (generate(1, level=level, **wish) for level in (("1.0", "1.all"), ("1.0", "4.any")))
    sizes = [[len(rule.scope) for rule in puzzle.rules] for puzzle in (easy, other)]
    assert sizes[0] == [2, 2, 2, 2] and max(sizes[1]) > 2
    assert rate(easy).level < (2, 0)


def test_easy_puzzles_have_sandwiches_that_few_sets_fill() -> None:
    values, sums = grids(1, seed=1)[0].tolist(), []
    for easy in (True, False):
        rules = placed({"Sandwich": 5}, Shape.square(9), values, Random(1), easy=easy)["Sandwich"]
        assert len(rules) == 5 and Puzzle.empty(Shape.square(9)).with_rules(*rules).violated(values) == []
        sums.append(sum(min(rule.total, 35 - rule.total) for rule in rules if isinstance(rule, r.Sandwich)))
    assert sums[0] < sums[1]


def test_with_enough_puzzles_there_is_no_nearest() -> None:
    assert generate(1, shape=FOUR, clues=(4, 5), seed=1).nearest is None


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"rating": 8.0}, "with rules: SE-like ratings and techniques are those of classic"),
        ({"drop": "Snake"}, "'Snake' is not a kind of clues: one of given, rule"),
        ({"drop": "rule"}, "givens stay, so"),
        ({"place": {"Thermo": (3, 1)}}, "the lower one first"),
        ({"rules": (r.AntiKnight(),), "uniform": True}, "cannot be drawn evenly"),
        ({"start": "1....2....3.....", "shape": FOUR}, "the starting puzzle has its own rules"),
        ({"place": {}, "drop": "rule"}, "there are no rules to leave out"),
    ],
)
def test_wishes_that_do_not_go_together_are_refused(wish: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate(1, **{"place": {"Thermo": 1}, **wish})
