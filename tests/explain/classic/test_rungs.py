"""The ladder for everything is the reference of the classic one: every stage is the same, whoever runs the kernels."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sudoku_models.explain import path, rate
from sudoku_models.explain.classic import rate_arrays, walked
from sudoku_models.explain.classic.literals import state_of
from sudoku_models.explain.classic.machine import KernelMachine, machine
from sudoku_models.explain.classic.nesting import TRIAL
from sudoku_models.explain.classic.rounds import ROUNDS
from sudoku_models.explain.classic.rungs import RUNGS
from sudoku_models.explain.classic.walk import NESTED
from sudoku_models.explain.ladder import Ladder
from sudoku_models.puzzle import Puzzle

from .reference import CHAINS, HARD, MACHINES, Candidates, Literal, candidates_of, masks, number, states


def open_ones(state: Candidates) -> list[Literal]:
    """Return the candidates of cells with several."""
    return [(c, v) for c in range(81) for v in state[c] if len(state[c]) > 1]


WINGS = "9.....6....7..1.2.....62..88.2..6..9...4.5.1...........5..4.9.....2...41...1.8..."


@pytest.mark.parametrize("on", MACHINES)
@pytest.mark.parametrize("line", [HARD, CHAINS, WINGS])
def test_every_stage_is_that_of_the_ladder_for_everything(line: str, on: Callable[[], KernelMachine]) -> None:
    found = walked(masks(candidates_of(line)), "level", on=on())
    stages = path(line).stages
    assert [stage.removed for stage in found.stages] == [{9 * c + v for c, v in stage.facts} for stage in stages]
    assert [divmod(stage.level, NESTED) for stage in found.stages] == [stage.level for stage in stages]


@pytest.mark.parametrize("on", MACHINES)
@pytest.mark.parametrize("kind", [2, 3])
def test_a_trial_fails_in_the_same_round(kind: int, on: Callable[[], KernelMachine]) -> None:
    ladder, work, seen = Ladder(Puzzle.parse(CHAINS)), on().empty(ROUNDS), set[int]()
    for state in states(9, seed=5)[1:6]:
        memory = on().memory(state_of(masks(state)))
        for literal in open_ones(state)[:: 4 * kind]:
            depth = ladder.depth(masks(state), literal[0], literal[1] - 1, kind, 50)
            name = "weak_rounds" if kind == 2 else "strong_rounds"
            assert on().run(name, memory, number(literal), 50, work) == (depth or 0)
            seen.add(depth or 0)
    assert len(seen) > 2


def test_a_nested_trial_fails_at_the_same_level() -> None:
    on, state = machine(), states(9, seed=5)[2]
    ladder, memory = Ladder(Puzzle.parse(CHAINS)), on.memory(state_of(masks(state)))
    trial, work, seen = on.empty(TRIAL), on.empty(ROUNDS), set[bool]()
    for c, v in open_ones(state)[::9]:
        cells = masks(state)
        cells[c] = 1 << v - 1
        if ladder.follow(cells, set(ladder.users[c]), 1000, False) is None:
            fails = ladder._nested(list(cells), 2)
            assert bool(on.run("fails_in_rounds", memory, number((c, v)), 2, trial, work)) == fails
            seen.add(fails)
    assert seen


def test_arrays_have_the_ratings_of_single_puzzles() -> None:
    lines = [HARD, CHAINS, WINGS]
    assert [f"level {text}" for text in rate_arrays(lines).texts()] == [str(rate(line)) for line in lines]


def test_arrays_count_the_stages_of_each_level() -> None:
    found = rate_arrays([WINGS])
    assert found.stages is not None
    counts = {level: n for level, n in zip(RUNGS, found.stages[0].tolist(), strict=True) if n}
    assert tuple(counts.items()) == rate(WINGS).stages
