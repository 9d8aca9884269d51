"""Targets of ``explain``, ``hint``, ``path`` and ``rate``, each beside what is measured, in one run.

``python benchmarks/why_targets.py FOLDER [--only WORD] [--puzzles N]``. The folder has ``variants/unique.jsonl`` and
sets of classics in ``classic``: 17_clue.txt, top1465.txt, hardest_1106.txt. All is CPU time of this process. The
targets were set on a machine whose kernel for classic boards does five million puzzles of 17 clues a second; the first
line says how many it does here, and ``scaled`` is a figure as it would be at that speed. The smallest reasons that
sizes are held to come from the oracle of the tests, so this is run at the root of a checkout.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from explain import wrong
from targets import Figure, Target, report, speed_of

from sudoku_models import LimitReached, Puzzle
from sudoku_models.explain import NoSolution, explain, path, rate
from sudoku_models.explain.many import rate_into
from sudoku_models.make import generate
from sudoku_models.puzzle.rules.chess import AntiKing, AntiKnight
from sudoku_models.puzzle.rules.regions import Diagonal, DisjointGroups, Windoku
from sudoku_models.verbs.smallest_conflict import core

SIX = (AntiKing(), AntiKnight(), DisjointGroups(), Diagonal(), Diagonal(False), Windoku())
"""Rules that contradict each other on an empty board of 9 a side, because of the first one."""
LIMIT = 40.0
"""Seconds of the clock for a variant."""
MORE = 200
MIDDLING = (1.0, 4.4)
"""Places on the SE-like scale, up to XYZ-wings."""


def spent(call: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


def each(verb: Callable[[Puzzle], object], puzzles: Sequence[Puzzle]) -> Callable[[], Figure]:
    """Measure a verb on each of some puzzles."""

    def measure() -> Figure:
        verb(puzzles[0])  # the kernels are loaded
        times = [spent(partial(verb, puzzle)) for puzzle in puzzles]
        said = f"{1000 * median(times):.2f} ms at the median of {len(times)}, the longest {1000 * max(times):.0f} ms"
        return Figure(said, took=1000 * median(times))

    return measure


def file_of(puzzles: Sequence[Puzzle]) -> Callable[[], Figure]:
    """Measure how many rows of a file are rated in a second, from a file to a file."""

    def measure() -> Figure:
        with tempfile.TemporaryDirectory() as folder:
            lines = Path(folder, "in.txt")
            lines.write_text("".join(f"{puzzle.to_line()}\n" for puzzle in puzzles) * 10)
            rate_into(lines, Path(folder, "first.csv"))
            number = 10 * len(puzzles) / spent(lambda: rate_into(lines, Path(folder, "out.csv")))
        return Figure(f"{number:,.0f} a second", number)

    return measure


def variants(texts: Sequence[str]) -> Figure:
    """Walk variants, and count those that are solved within five seconds."""
    taken = []
    for text in texts:
        started = time.process_time()
        way = path(Puzzle.parse(text), time_limit=LIMIT)
        taken.append(time.process_time() - started if way.end == "solved" else LIMIT)
    within = sum(took <= 5 for took in taken)
    return Figure(f"{within} of {len(taken)} within 5 s, {median(taken):.3f} s at the median", took=median(taken))


def reasons(puzzles: Sequence[Puzzle], more: int) -> Callable[[], Figure]:
    """Measure the first reason and repair of boards with a wrong given, or as many more."""

    def measure() -> Figure:
        bad = [wrong(puzzle) for puzzle in puzzles]
        found = [explain(puzzle) for puzzle in bad]
        none = [one for one in found if isinstance(one, NoSolution)]
        asked: list[Callable[[], object]] = [partial(explain, puzzle) for puzzle in bad]
        times = [spent(ask) for ask in (asked if not more else [partial(further, one, more) for one in none])]
        said = f"{median(times):.3f} s at the median of {len(times)}, {max(times):.2f} at most"
        return Figure(said, took=median(times))

    return measure


def further(found: NoSolution, number: int) -> list[object]:
    """Return so many further reasons and repairs."""
    return list(islice(found.more(), number))


def smallest(number: int, each_size: bool = False) -> Figure:
    """Hold the sizes of trees up to five to the smallest reasons: a number of a board's smallest, or of each size."""
    sys.path.insert(0, ".")
    from tests.explain.classic.test_smallest import compared

    pairs = compared(((9, 5), (12, 6), (30, 7), (30, 8)), number, each_size)
    equal = sum(tree == least for tree, least in pairs)
    return Figure(f"{equal} of {len(pairs)} ({100 * equal / len(pairs):.0f} %)")


def six_rules() -> Figure:
    """Ask which of six rules contradict each other, and what to leave out."""
    puzzle = Puzzle.parse("." * 81).with_rules(*SIX)
    found: list[object] = []
    took = spent(lambda: found.append(explain(puzzle)))
    answer = found[0]
    assert isinstance(answer, NoSolution)
    return Figure(f"{answer.repair} {took:.2f} s", took=took)


def core_of_six() -> Figure:
    """Ask for the core of six rules, for 20 seconds."""
    said = "settled"

    def ask() -> None:
        nonlocal said
        try:
            core(Puzzle.parse("." * 81).with_rules(*SIX), time_limit=20)
        except LimitReached as stopped:
            said = f"not minimal: {stopped}"

    took = spent(ask)
    return Figure(f"{said} in {took:.2f} s", took=took)


def aims(folder: Path, number: int) -> Iterator[Target]:
    """Yield all targets."""

    def classics(name: str) -> list[Puzzle]:
        text = (folder / "classic" / f"{name}.txt").read_text()
        lines = [line[:81] for line in text.splitlines() if len(line) >= 81 and line[0] != "#"]
        return [Puzzle.parse(line) for line in lines[:number]]

    few, hard, hardest = (classics(name) for name in ("17_clue", "top1465", "hardest_1106"))
    texts = [json.loads(line)["constraints"] for line in (folder / "variants/unique.jsonl").read_text().splitlines()]
    yield Target("path, 17 clues", "2 ms", each(path, few))
    yield Target("rate, 17 clues", "2 ms", each(rate, few))
    yield Target("path, top1465", "20 ms", each(path, hard))
    yield Target("path, hardest_1106", "1 s, largest 10 s", each(path, hardest))
    yield Target("file of 17 clues", "5,000 a second", file_of(few))
    yield Target("file, easy to middling", "5,000 a second", file_of(list(generate(100, seed=1, rating=MIDDLING))))
    yield Target("file of minimal boards", "(all sorts)", file_of(list(generate(100, seed=1))))
    yield Target("reason and repair", "0.1 s", reasons(few, 0))
    yield Target("200 more", "2 s", reasons(few[:5], MORE))
    yield Target("six rules: the repair", "1 s", six_rules)
    yield Target("six rules: the core", "(16 s once)", core_of_six)
    yield Target("smallest trees", "90 %", lambda: smallest(8))
    yield Target("smallest trees, each size", "90 %", lambda: smallest(2, each_size=True))
    yield Target("94 variants", "95 % in 5 s, 0.1 s", lambda: variants(texts))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--puzzles", type=int, default=30)
    asked = parser.parse_args()
    report(aims(asked.folder, asked.puzzles), speed_of(asked.folder / "classic"), asked.only)


if __name__ == "__main__":
    main()
