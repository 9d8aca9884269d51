"""Steps of the SE-like scale that assume one solution: they keep it, and they are those of the patterns."""

from __future__ import annotations

import pytest

from sudoku_models.explain import rate
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.classic import rate_arrays, walked
from sudoku_models.explain.ladder import Ladder
from sudoku_models.explain.patterns.deadly import uniqueness
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.puzzle import Puzzle

from .reference import RECTANGLE, masks_of, solution

LOOP, GRAVE = "unique rectangle or loop", "bivalue universal grave"
BOARDS = {
    (LOOP, 45): RECTANGLE,
    (LOOP, 46): "2...1.........5..8.4.8..6.146.28.......9.....5...61.2...5.7.....2......4.7....8.2",
    (LOOP, 47): "..37...69........49.76..2....5367.2...1..8......52....3..8.....45....38..7.43.6..",
    (GRAVE, 56): ".6.1...48.8..345..9..6..2.12.......58.4....7....................1..78..9.2...56.7",
    (GRAVE, 57): ".2...47.6....7.........69..5.....624....98...4..........41...8..71.8..439..2.....",
}
SEEN = ("unique rectangle, type 1", "unique rectangle, type 2", "unique rectangle, type 4")


@pytest.mark.parametrize(("step", "line"), BOARDS.items(), ids=lambda value: str(value)[:40])
def test_a_step_that_assumes_one_solution_keeps_it(step: tuple[str, int], line: str) -> None:
    way = walked(masks_of(line), assume_unique=True)
    assert way.end == "solved" and step in {(stage.technique, stage.level) for stage in way.stages}
    assert all(solution(line)[x // 9] != x % 9 + 1 for stage in way.stages for x in stage.removed)
    assert not {stage.technique for stage in walked(masks_of(line)).stages} & {name for name, _ in BOARDS}


@pytest.mark.parametrize("line", BOARDS.values())
def test_a_stage_removes_what_rectangles_of_the_patterns_remove(line: str) -> None:
    finder, left = Finder(Ladder(Puzzle.parse(line), assume_unique=True)), masks_of(line)
    for stage in walked(masks_of(line), assume_unique=True).stages:
        state = finder.state(left, [c for c, mask in enumerate(left) if not mask & (mask - 1)])
        found = [p for p in uniqueness(state) if p.name in SEEN]
        if stage.level == 45:
            assert {(x % 81) * 9 + x // 81 for p in found for x in bits(p.out)} <= stage.removed
        for x in stage.removed:
            left[x // 9] &= ~(1 << x % 9)


def test_the_grave_of_the_scale_is_one_of_the_patterns_and_proved() -> None:
    line = BOARDS[GRAVE, 57]
    finder, left = Finder(Ladder(Puzzle.parse(line), assume_unique=True)), masks_of(line)
    for stage in walked(left, assume_unique=True).stages:
        if stage.level == 57:
            break
        for x in stage.removed:
            left[x // 9] &= ~(1 << x % 9)
    for _ in range(20):  # what filled cells see goes, until nothing changes
        state = finder.state(left, [c for c, mask in enumerate(left) if not mask & (mask - 1)])
        left = state.masks
    finder.ladder.assumed(left)
    (found,) = (pattern for pattern in uniqueness(state) if pattern.name == "BUG+2")
    assert {(x % 81) * 9 + x // 81 for x in bits(found.out)} <= stage.removed
    assert (step := finder.proved(state, found, left)) and step.facts


def test_a_rating_has_both_numbers() -> None:
    line = BOARDS[GRAVE, 57]
    found = rate(line)
    assert found.se and found.se_unique and found.se_unique.value < found.se.value
    assert (found.se.first, found.se.placing) == (walked(masks_of(line)).stages[0].level, found.se.placing)
    rated = rate_arrays([line, line], "se", assume_unique=True)
    assert rated.values.tolist() == [found.se_unique.value] * 2
