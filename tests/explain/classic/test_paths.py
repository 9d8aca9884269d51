"""Paths of classic boards: every removal follows, no symmetry changes a stage, machine code and plain Python agree."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle
from sudoku_models.engine.budget import Budget
from sudoku_models.explain.classic import Walk, rate_arrays, walked
from sudoku_models.explain.classic.board import machine
from sudoku_models.explain.classic.ratings import Walker
from sudoku_models.make import morph

from .reference import CHAINS, EASY, ESCARGOT, HARD, RECTANGLE, masks_of, solution


def walk(line: str) -> Walk:
    return walked(masks_of(line))


@pytest.mark.parametrize("line", [EASY, HARD, CHAINS, ESCARGOT])
def test_a_path_leads_to_the_solution_and_never_removes_it(line: str) -> None:
    found = walk(line)
    removed = [x for stage in found.stages for x in stage.removed]
    assert found.end == "solved"
    assert len(removed) == len(set(removed))
    assert (found.level >= 95) == (line == ESCARGOT), "it takes nested trials"
    assert all(solution(line)[x // 9] != x % 9 + 1 for x in removed)


@pytest.mark.parametrize("line", [HARD, CHAINS, ESCARGOT])
def test_no_symmetry_changes_a_stage(line: str) -> None:
    want = [(stage.level, stage.technique, len(stage.removed)) for stage in walk(line).stages]
    for seed in range(1 if line == ESCARGOT else 10):
        found = walk(morph(Puzzle.parse(line), seed).to_line())
        assert [(stage.level, stage.technique, len(stage.removed)) for stage in found.stages] == want


@pytest.mark.parametrize("line", [EASY, HARD, RECTANGLE])
def test_plain_python_walks_the_same_way(line: str) -> None:
    plain = Walker(machine(False), unique=line == RECTANGLE).walk(masks_of(line), Budget())
    assert plain == walked(masks_of(line), assume_unique=line == RECTANGLE)


def test_the_rows_of_an_array_are_rated_as_alone() -> None:
    lines = [EASY, HARD, CHAINS, ESCARGOT]
    found = rate_arrays(lines, "se")
    assert found.values.tolist() == [walk(line).level for line in lines]
    assert found.exact.all()


def test_a_limit_of_time_gives_a_bound() -> None:
    found = rate_arrays([ESCARGOT, EASY], "se", time_limit=0)
    assert found.exact.tolist() == [False, True]
    assert 0 < found.values[0] < rate_arrays([ESCARGOT], "se").values[0]
