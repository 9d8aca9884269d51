"""What a comparison runs, and in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sudoku_models import Puzzle
from sudoku_models.compare import Goal, Instance, Plan

PUZZLES = [Instance(i, Puzzle.parse("." * 16)) for i in range(1, 41)]
SPECS = ("backtracking", "backtracking:strategy=rows", "cp-sat")


def test_the_order_is_shuffled_anew_for_each_instance_and_repeats_with_the_seed() -> None:
    plans = (Plan.of(SPECS, seed=seed) for seed in (1, 1, 2))
    first, again, other = ([tuple(job.spec for job in plan.jobs([one])) for one in PUZZLES] for plan in plans)
    assert len(set(first)) > 3
    assert first == again != other


def test_every_run_stands_once_in_the_order_round_by_round() -> None:
    plan = Plan.of(SPECS, seeds=(0, 3), repeats=2)
    jobs = list(plan.jobs(PUZZLES[:5]))
    assert len(jobs) == plan.count(PUZZLES[:5]) == 5 * 3 * 2 * 2
    assert [job.position for job in jobs] == list(range(60))
    assert len({(job.instance.number, job.spec, job.seed, job.repeat) for job in jobs}) == 60
    assert [(job.repeat, job.seed) for job in jobs[::15]] == [(0, 0), (0, 3), (1, 0), (1, 3)]
    assert len({tuple(job.instance.number for job in jobs[i : i + 15 : 3]) for i in range(0, 60, 15)}) > 1


def test_a_plan_survives_its_settings_and_anything_in_it_changes_its_digest() -> None:
    plan = Plan.of(SPECS, goal="count", seeds=(1, 2), time_limit=None, memory_limit=10**9, cold=True)
    assert Plan.of_settings(plan.settings()) == plan
    changes: list[Any] = [{}, {"seeds": (1,)}, {"repeats": 2}, {"cpu_limit": 1.0}, {"goal": Goal.FIRST}, {"shuffle": 1}]
    digests = {replace(plan, **change).digest(PUZZLES[:3]) for change in changes}
    assert len(digests | {plan.digest(PUZZLES[:2])}) == 7
