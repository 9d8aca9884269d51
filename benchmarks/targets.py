"""Targets of ``native``, each beside what is measured, in one run: ``python benchmarks/targets.py FOLDER``.

The folder has ``unique.jsonl``: variants with one solution, lines of JSON with ``name`` and ``constraints``. Beside the
folder is ``classic/17_clue.txt``. Rates are of CPU time, except those of two workers. The targets were set on a machine
whose kernel for classic boards does five million puzzles of 17 clues a second: the first line says how many it does
here, and each figure is given also as it would be at that speed (``scaled``). ``--only WORD`` measures some. Jigsaws
and large boards are in ``kinds.py``, proofs beside other engines in ``variants.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from programs import kernel
from rates import LINES, OPEN, boards, in_processes, many, seconds
from variants import parts_of, prove

from sudoku_models import Puzzle, count
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import prepare

KERNEL = 5_000_000
"""Puzzles a second that the kernel did where the targets were set."""

SMALL = ".Shape~4x4.~R1C1_1~R2C3_2.Thermo~R3C1~R3C2~R2C2"


class Figure(NamedTuple):
    """A measurement, in words; and the rate or the time, to be scaled by the machine, if it is one."""

    said: str
    rate: float = 0.0
    took: float = 0.0


class Target(NamedTuple):
    """What is measured, the target, and how."""

    what: str
    target: str
    measure: Callable[[], Figure]


def counted(text: str, most: int | None = None) -> Callable[[], Figure]:
    """Count all solutions, or so many, and return the time."""

    def measure() -> Figure:
        puzzle = Puzzle.parse(text)
        count(puzzle, "native", limit=10)
        started = time.process_time()
        found = count(puzzle, "native", limit=most)
        took = time.process_time() - started
        return Figure(f"{found.value:,} in {took:.2f} s", took=took)

    return measure


def rate_of(text: str, most: int) -> Callable[[], Figure]:
    """Return how many solutions are counted in a second: the best of three."""

    def measure() -> Figure:
        puzzle, rates = Puzzle.parse(text), []
        count(puzzle, "native", limit=10)
        for _ in range(3):
            started = time.process_time()
            rates.append(count(puzzle, "native", limit=most).value / (time.process_time() - started))
        return Figure(f"{max(rates):,.0f} a second", max(rates))

    return measure


def checks(texts: list[str], every: int = 12, rows: int = 4_000) -> Figure:
    """Return how many boards of one structure are proved unique or not in a second, for several structures."""
    rates = []
    for text in texts[::every]:
        if len(Puzzle.parse(text).structure.names) == 81:
            rates.append(many(text, "native", rows)[0])
    least, middle, most = min(rates), median(rates), max(rates)
    return Figure(
        f"{middle:,.0f} a second at the median of {len(rates)} structures ({least:,.0f} to {most:,.0f})", middle
    )


def workers() -> Figure:
    """Return the speed-up of two workers over one, by wall time, and that of two processes."""
    lines = Puzzle.parse(LINES)
    grids, compiled = boards(lines, "native", 20_000), prepare(lines.structure, "native").compiled
    jobs = {n: (lambda n=n: compiled.run_many(grids, Request(limit=2, workers=n))) for n in (1, 2)}
    jobs[1]()
    rounds = [
        (seconds(jobs[1])[0], seconds(jobs[2])[0], seconds(lambda: in_processes(lambda _: jobs[1]()))[0])
        for _ in range(5)
    ]
    one, two, both = (median(column) for column in zip(*rounds, strict=True))
    return Figure(f"{one / two:.2f} times, where two processes do {2 * one / both:.2f} times as much")


def proofs(texts: list[str]) -> Figure:
    """Return how many puzzles ``auto`` proves within five seconds, and how long the slowest takes."""
    times = [prove(Puzzle.parse(text), "auto", 5.0) for text in texts]
    proved = [took for took, wrong in times if not wrong]
    return Figure(f"{len(proved)} of {len(times)}, the slowest in {max(proved):.0f} ms")


def parts(texts: list[str], part: str) -> Callable[[], Figure]:
    """Return the median and the ninetieth percentile of a part of the way from the text on, met again."""

    def measure() -> Figure:
        found = []
        for text in texts:
            tries = [parts_of(text, "native", 5.0) for _ in range(3)]
            found.append(min(one[part] for one in tries if one))
        middle, late = np.quantile(found, 0.5), np.quantile(found, 0.9)
        return Figure(f"{middle:.2f} ms at the median, {late:.1f} at the ninetieth percentile", took=float(middle))

    return measure


def proof(texts: list[str]) -> Figure:
    """Return what ``auto`` takes from a stated model to its answer, and the median of each part of that, met again.

    The target is 0.03 of the time of the last version without ``native``, whose median was 17 ms: see ``variants.py``
    for the two side by side.
    """
    found = []
    for text in texts:
        tries = [one for one in (parts_of(text, "auto", 5.0) for _ in range(3)) if one]
        found.append(tuple(min(one[part] for one in tries) for part in ("search", "build", "rest")))
    whole = [sum(parts) for parts in found]
    search, build, rest = (float(np.median(column)) for column in zip(*found, strict=True))
    middle, late = float(np.median(whole)), float(np.quantile(whole, 0.9))
    shares = f"{search:.2f} of search, {build:.2f} of building, {rest:.2f} of choice, check and answer"
    return Figure(f"{middle:.2f} ms at the median ({shares}), {late:.1f} at the ninetieth percentile", took=middle)


def cold() -> Figure:
    """Return the CPU time from the start of a process to the answer for a small variant, by engine."""
    found = {engine: median(started(engine) for _ in range(5)) for engine in ("auto", "native", "backtracking")}
    return Figure(", ".join(f"{engine} {took:.2f} s" for engine, took in found.items()), took=found["auto"])


def started(engine: str) -> float:
    """Return the CPU seconds of a process that answers one small puzzle."""
    code = f"from sudoku_models import solve; solve({SMALL!r}, {engine!r}, unique=True)"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=kept)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def targets(texts: list[str]) -> Iterator[Target]:
    """Yield all targets."""
    yield Target("puzzles proved by auto", "94 of 94 within 5 s", lambda: proofs(texts))
    yield Target("proof, from model to answer", "0.5 ms", lambda: proof(texts))
    yield Target("build", "0.3 ms, 3 ms", parts(texts, "build"))
    yield Target("text to model", "1 ms", parts(texts, "text"))
    yield Target("stating", "(part of the above)", parts(texts, "stating"))
    yield Target("chaos 4x4", "13,872 in 2 s", counted(".Shape~4x4.NoBoxes.ChaosConstruction"))
    yield Target("chaos 4x5", "1,800 in 1.5 s", counted(".Shape~4x5.NoBoxes.ChaosConstruction", 1_800))
    yield Target("uniqueness checks", "20,000 a second", lambda: checks(texts))
    yield Target("two workers", "1.8 times one", workers)
    yield Target("empty 6x6", "1,000,000 a second", rate_of(OPEN["empty 6x6"], 2_000_000))
    yield Target("killer, 10^5 solutions", "200,000 a second", rate_of(OPEN["6x6 with two cages"], 100_000))
    yield Target("killer 9x9, 10^6 solutions", "200,000 a second", rate_of(OPEN["9x9 with four cages"], 1_000_000))
    yield Target("cold start, small variant", "the quickest engine's", cold)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    texts = [json.loads(line)["constraints"] for line in (asked.folder / "unique.jsonl").read_text().splitlines()]
    report(targets(texts), speed_of(asked.folder.parent / "classic"), asked.only)


def speed_of(classic: Path) -> float:
    """Return how fast the kernel solves puzzles of 17 clues here, relative to the machine on which the targets were
    set.
    """
    lines = [f"{line[:81]}\n" for line in (classic / "17_clue.txt").read_text().splitlines() if len(line) >= 81] * 10
    speed = len(lines) / min(kernel("".join(lines).encode()) for _ in range(3)) / KERNEL
    print(f"the kernel for classic boards does {speed * KERNEL:,.0f} a second here: scaled by {1 / speed:.2f}")
    return speed


def report(some: Iterable[Target], speed: float, only: str = "") -> None:
    """Measure those of some targets whose name has a word in it, and print them, also as at the speed 1."""
    for what, target, measure in some:
        if only in what:
            said, rate, took = measure()
            scaled = (
                f"; scaled {rate / speed:,.0f} a second" if rate else f"; scaled {took * speed:.2g}" if took else ""
            )
            print(f"{what:<28}{target:<24}{said}{scaled}", flush=True)


if __name__ == "__main__":
    main()
