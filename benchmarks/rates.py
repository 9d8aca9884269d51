"""Boards, candidates and solutions of variants per second: measured by ``benchmarks.variants`` on request."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from sudoku_models import Puzzle, SolutionCount, count, solutions
from sudoku_models.engine.batch import run_batch, run_candidates
from sudoku_models.engine.contract import Request
from sudoku_models.engine.registry import select
from sudoku_models.engine.road import prepare, run


def many(text: str, engine: str, rows: int) -> tuple[float, int, float]:
    """Return how many boards of one structure an engine proves unique (or not) in a second, and how many are.

    Also how many boards' candidates it finds in a second, each with a solution that is checked.
    """
    puzzle = Puzzle.parse(text)
    model, grids = puzzle.structure, boards(puzzle, engine, rows)
    run_batch(model, engine, grids[:2], Request(limit=2))
    started = time.process_time()
    batch = run_batch(model, engine, grids, Request(limit=2), check=False)
    proved = time.process_time()
    run_candidates(model, select(engine), grids[: rows // 10], Request(limit=2))
    marked = time.process_time()
    return rows / (proved - started), int((batch.count == 1).sum()), rows // 10 / (marked - proved)


def boards(puzzle: Puzzle, engine: str, rows: int) -> NDArray[np.uint8]:
    """Return boards of one structure, each with 30 to 60 of 100 cells of a solution."""
    model, rng = puzzle.structure, Random(1)
    solution = next(run(model, engine, Request(puzzle.domains)))
    grids = np.zeros((rows, len(model.names)), np.uint8)
    for row in grids:
        share = rng.uniform(0.3, 0.6)
        for x, (value, variable) in enumerate(zip(solution, model.variables, strict=True)):
            row[x] = variable.domain.index(value) + 1 if rng.random() < share else 0
    return grids


OPEN = {
    "empty 6x6": ".Shape~6x6",
    "6x6 with two cages": ".Shape~6x6.Cage~5~R1C1~R1C2.Cage~9~R2C3~R2C4~R3C4",
    "9x9 with four cages": ".Cage~10~R1C1~R1C2~R2C1.Cage~15~R5C5~R5C6~R6C6.Cage~20~R9C7~R9C8~R9C9.Cage~7~R3C1~R4C1",
}
"""Puzzles with many solutions."""


def report_counts(most: int) -> None:
    """Print how many solutions a second of CPU time are counted, up to a limit."""
    print(f"{'solutions counted a second':<30}{'in blocks':>14}{'one by one':>14}")
    for name, text in OPEN.items():
        problem = Puzzle.parse(text)
        count(problem, "native", limit=10)
        rates = []
        for few, counting in ((most, count), (most // 20, one_by_one)):
            started = time.process_time()
            rates.append(counting(problem, "native", limit=few).value / (time.process_time() - started))
        print(f"{name:<30}{rates[0]:>14,.0f}{rates[1]:>14,.0f}")


LINES = ".Thermo~R1C1~R2C2~R3C3~R4C4.Cage~15~R5C5~R5C6~R6C6.WhiteDot~R4C1~R4C2.Whisper~5~R7C1~R7C2~R8C3~R8C4"


def report_threads(most: int) -> None:
    """Print the speed-up of two workers over one, and of two processes that each do the whole, by wall time."""
    lines = Puzzle.parse(LINES)
    model, grids = lines.structure, boards(lines, "native", most // 50)
    jobs: dict[str, Callable[[int], object]] = {
        f"{len(grids):,} uniqueness checks": lambda workers: prepare(model, "native").compiled.run_many(
            grids, Request(limit=2, workers=workers)
        ),
    }
    for name, job in jobs.items():
        report_workers(name, job)


def report_workers(name: str, job: Callable[[int], object]) -> None:
    """Print the speed-up of two workers in a job that gets their number: medians of some rounds."""
    job(1)
    rounds = [(seconds(lambda: job(1)), seconds(lambda: job(2)), seconds(lambda: in_processes(job))) for _ in range(5)]
    one, two, processes = (np.median([r[i][0] for r in rounds]) for i in range(3))
    extra = np.median([two[1] / one[1] for one, two, _ in rounds])
    print(
        f"{name}: two workers are {one / two:.2f} times as fast as one, and take {extra:.2f} of its CPU time;", end=""
    )
    print(f" two processes do {2 * one / processes:.2f} times as much")


def seconds(job: Callable[[], object]) -> tuple[float, float]:
    """Return seconds by the clock and of the processor that a job takes."""
    clock, cpu = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - clock, time.process_time() - cpu


def in_processes(job: Callable[[int], object]) -> None:
    """Do a job in two copies of this process, by one worker in each."""
    children = []
    for _ in range(2):
        child = os.fork()
        if not child:
            job(1)
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def one_by_one(problem: Puzzle, engine: str, limit: int) -> SolutionCount:
    """Count as verbs do where an engine has no blocks."""
    with solutions(problem, engine, limit=limit) as found:
        return SolutionCount(sum(1 for _ in found), False)
