"""What a comparison runs, and in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sudoku_models import BadOption, Puzzle
from sudoku_models.compare import Goal, Instance, Plan, distinct, instances
from sudoku_models.compare.rows import row_of

PUZZLES = [Instance(i, Puzzle.parse("." * 16)) for i in range(1, 41)]
SPECS = ("backtracking", "backtracking:strategy=rows", "cp-sat")


def orders(plan: Plan) -> list[tuple[str, ...]]:
    return [tuple(plan.order(puzzle)) for puzzle in PUZZLES]


def test_the_order_is_shuffled_anew_for_each_instance_and_repeats_with_the_seed() -> None:
    first, again, other = (orders(Plan.of(SPECS, seed=seed)) for seed in (1, 1, 2))
    assert len(set(first)) > 3
    assert first == again
    assert first != other


def test_every_run_stands_once_in_the_order_round_by_round() -> None:
    plan = Plan.of(SPECS, seeds=(0, 3), repeats=2)
    puzzles = PUZZLES[:5]
    jobs = list(plan.jobs(puzzles))
    assert len(jobs) == plan.count(puzzles) == 5 * 3 * 2 * 2
    assert [job.position for job in jobs] == list(range(60))
    assert len({(job.instance.number, job.spec, job.seed, job.repeat) for job in jobs}) == 60
    assert [(job.repeat, job.seed) for job in jobs[::15]] == [(0, 0), (0, 3), (1, 0), (1, 3)]
    rounds = [tuple(job.instance.number for job in jobs[i : i + 15 : 3]) for i in range(0, 60, 15)]
    assert len(set(rounds)) > 1


def test_a_seed_reaches_only_engines_that_take_one() -> None:
    jobs = Plan.of(["cp-sat", "pycosat"], seed=7).jobs(PUZZLES[:1])
    assert {job.spec: (job.seed, job.takes_seed) for job in jobs} == {"cp-sat": (7, True), "pycosat": (7, False)}


def test_a_plan_survives_its_settings_and_anything_in_it_changes_its_digest() -> None:
    plan = Plan.of(SPECS, goal="count", seeds=(1, 2), time_limit=None, memory_limit=10**9, cold=True)
    assert Plan.of_settings(plan.settings()) == plan
    digests = {
        replace(plan, **change).digest(PUZZLES[:3])
        for change in ({}, {"seeds": (1,)}, {"repeats": 2}, {"cpu_limit": 1.0}, {"goal": Goal.FIRST}, {"shuffle": 1})
    }
    assert len(digests) == 6
    assert plan.digest(PUZZLES[:2]) not in {*digests, plan.digest(PUZZLES[:3])}


@pytest.mark.parametrize(
    "choice",
    [
        {"time_limit": 0},
        {"memory_limit": "100M"},
        {"cpu_limit": -1.0},
        {"repeats": 0},
        {"parallel": 0},
        {"seeds": ()},
        {"seeds": (1, 1)},
    ],
)
def test_limits_and_numbers_that_make_no_sense_are_refused(choice: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(choice))):
        Plan.of(["backtracking"], **choice)


def test_the_same_puzzle_is_one_instance() -> None:
    first, again, other = instances(["1.....2....3....", "1.....2....3....", "2.....2....3...."])
    assert distinct([first, again, other]) == [first, other]


def test_a_backend_must_not_stand_twice_and_must_exist() -> None:
    with pytest.raises(ValueError, match="appears twice"):
        Plan.of(["cp-sat", "cp-sat:form=integers"])
    with pytest.raises(ValueError, match="the list of backends is empty"):
        Plan.of([])
    with pytest.raises(BadOption, match="nobody"):
        Plan.of(["nobody"])


def test_an_instance_is_known_by_what_it_is_and_not_by_where_it_stands() -> None:
    here, there = (Instance(n, Puzzle.parse("1.....2....3...."), f"{n}.txt", n) for n in (1, 2))
    other = Instance(1, Puzzle.parse("2.....2....3...."))
    assert here.sha == there.sha != other.sha
    assert here.name == "puzzle 1, 1.txt line 1"


def test_a_backend_that_proves_nothing_is_asked_for_a_first_solution() -> None:
    plan = Plan.of(["pycosat", "python-constraint:solver=minconflicts"])
    assert [plan.goal.of(backend) for backend in plan.backends] == [Goal.UNIQUE, Goal.FIRST]
    assert Goal.COUNT.of(plan.backends[0]) is Goal.COUNT
    lost = [row_of(plan, job, {"status": "timeout"}) for job in plan.jobs(instances(["." * 16]))]
    assert {row.backend: row.asked for row in lost} == dict(zip(plan.names, ("unique", "first"), strict=True))


def test_an_option_that_the_name_of_a_backend_would_not_tell_is_refused() -> None:
    with pytest.raises(BadOption, match="propagate=auto: a comparison switches off work"):
        Plan.of(["pycosat:propagate=auto"])
    assert Plan.of(["pycosat", "pycosat:propagate=locked"]).names == ("pycosat", "pycosat:propagate=locked")
