"""Paths, ratings, reasons and repairs: how long they take. ``python benchmarks/explain.py [PUZZLES]``.

Of classics also both scales, one by one and all as an array. Medians and largest times in seconds of CPU of this
process, on the package's own classics by difficulty, on its variants (a limit of 5 s each) and on classics with one
wrong given. A file of puzzles, one a line, takes the place of the package's own; of a file of variants (.jsonl, each
line an object whose ``constraints`` are a puzzle's text) the paths are walked. Limits are of wall time: leave the
machine alone meanwhile.

The targets are beside what is measured in ``why_targets.py``, and docs/why.md has the table. Of 94 published variants
90 take less than 5 s, half of them less than .06 s; the others (killers of eleven values, circles that count, sums with
open letters) need trials within trials, where hundreds of thousands of them have to be followed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from sudoku_models import Puzzle, solve
from sudoku_models.collection import puzzles, variants
from sudoku_models.explain import NoSolution, explain, path
from sudoku_models.explain.classic import SCALES, rate_arrays, text_of
from sudoku_models.explain.classic.board import machine

FIRST = 20
"""Puzzles of each kind."""
LIMIT = 5.0
LONG = 40.0
"""Seconds for a published variant: a shared machine has less CPU than that to give."""
WITHIN = (5.0, 12.0)
"""Seconds of CPU within which such variants are counted."""


def timed(ask: Callable[[Any], Any], items: Iterable[Any]) -> tuple[list[float], list[Any]]:
    seconds, found = [], []
    for item in items:
        start = time.process_time()
        found.append(ask(item))
        seconds.append(time.process_time() - start)
    return seconds, found


def row(name: str, seconds: Sequence[float], more: str = "") -> None:
    print(f"{name:32} {len(seconds):4} median {median(seconds):8.4f} s, largest {max(seconds):8.3f} s  {more}")


def walk(name: str, items: Iterable[Puzzle]) -> None:
    seconds, ways = timed(lambda puzzle: path(puzzle, time_limit=LIMIT), items)
    if ways:
        solved = sum(way.end == "solved" for way in ways)
        row(name, seconds, f"{solved} solved, levels {min(w.level for w in ways)} to {max(w.level for w in ways)}")


def wrong(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with one further given, which is wrong."""
    grid = solve(puzzle).grid
    assert grid
    cell = puzzle.givens.index(None)
    value = grid.values[cell]
    assert value
    return puzzle.with_candidates({puzzle.shape.names[cell]: (value % len(puzzle.shape.values) + 1,)})


def scales(name: str, items: Sequence[Puzzle]) -> None:
    """Rate classics on both scales: one by one, then all together as arrays."""
    lines = [puzzle.to_line() for puzzle in items]
    for scale in SCALES:
        seconds, ways = timed(lambda line, scale=scale: rate_arrays([line], scale, time_limit=LIMIT), lines)  # type: ignore[misc]
        values = [text_of(scale, value) for value in sorted(int(way.values[0]) for way in ways)]
        start = time.process_time()
        rate_arrays(lines, scale, time_limit=LIMIT)
        a_second = len(lines) / (time.process_time() - start)
        row(f"{scale}, {name}"[:32], seconds, f"{values[0]} to {values[-1]}; {a_second:.0f}/s as an array")


def published(file: Path) -> None:
    """Follow the paths of the variants in a file, and print how many are solved within some seconds of CPU, and which
    are not.
    """
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    seconds, ways = timed(lambda row: path(Puzzle.parse(row["constraints"]), time_limit=LONG), rows)
    taken = [spent if way.end == "solved" else LONG for spent, way in zip(seconds, ways, strict=True)]
    within = ", ".join(f"{sum(spent <= limit for spent in taken)} within {limit:.0f} s" for limit in WITHIN)
    row(f"path, {file.name}", seconds, f"of {len(rows)}: {within}")
    for way, spent, found in zip(ways, taken, rows, strict=True):
        if spent > WITHIN[0]:
            print(f"   {found['name']}: {way.end} after {spent:.1f} s, level {way.level}")


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1].endswith(".jsonl"):
        published(Path(sys.argv[1]))
        return
    if len(sys.argv) > 1:
        lines = [line.split()[0] for line in Path(sys.argv[1]).read_text().splitlines() if line and line[0] != "#"]
        classics = {Path(sys.argv[1]).name: [Puzzle.parse(line) for line in lines[:FIRST]]}
    else:
        own = [item for item in puzzles(side=9) if item.puzzle.shape.box == (3, 3)]
        kinds = dict.fromkeys(item.difficulty for item in own)
        classics = {f"path, {d}": [i.puzzle for i in own if i.difficulty == d][:FIRST] for d in kinds}
    machine()  # compiled or loaded before anything is timed
    for name, items in classics.items():
        walk(name, items)
        scales(name.removeprefix("path, "), items)
    walk("path, variants", (v.puzzle for v in islice(variants(), FIRST)))
    bad = [wrong(puzzle) for puzzle in next(iter(classics.values()))]
    seconds, found = timed(explain, bad)
    row("reason and smallest repair", seconds)
    none = [one for one in found if isinstance(one, NoSolution)]
    seconds, _ = timed(lambda one: list(islice(one.more(), 200)), none[:5])
    row("200 more", seconds)


if __name__ == "__main__":
    main()
