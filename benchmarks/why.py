"""Paths, ratings, reasons and repairs: how long they take."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from sudoku_models import Puzzle, solve
from sudoku_models.collection import variants
from sudoku_models.explain import NoSolution, explain, hint, path, rate
from sudoku_models.explain.many import rate_into
from sudoku_models.make import generate

from .tables import SPREAD, Sample, Table, command, cpu, spread

LIMIT = 20.0
"""Seconds for the path of a variant."""


def tables(sample: Sample) -> list[Table]:
    """Measure calls for one puzzle, then files of ratings."""
    return [single(sample), files(sample)]


def single(sample: Sample) -> Table:
    """Measure each verb on puzzles that it has not met, when others were asked before."""
    classics = [Puzzle.parse(line) for line in dict.fromkeys(sample.lines(600))][: sample.some(100)]
    others = [item.puzzle for item in variants() if item.solutions == 1][:: 40 if sample.short else 4]
    rows = []
    for kind, puzzles in (("classic", classics), ("variant", others)):
        for verb in (hint, path, rate):
            ask: Callable[[Puzzle], object] = verb if kind == "classic" else partial(verb, time_limit=LIMIT)
            rows.append((f"{verb.__name__}, {kind}", str(len(puzzles)), *spread(times(ask, puzzles))))
    bad = [wrong(puzzle) for puzzle in classics[:30]]
    rows.append(("explain, one wrong given", str(len(bad)), *spread(times(explain, bad))))
    none = [found for puzzle in bad[:5] if isinstance(found := explain(puzzle), NoSolution)]
    rows.append(("200 more reasons", str(len(none)), *spread([cpu(partial(further, found)) for found in none])))
    return Table("Why", ("call", "puzzles", *SPREAD), rows)


def times(ask: Callable[[Puzzle], object], puzzles: Sequence[Puzzle]) -> list[float]:
    """Return the CPU seconds of a question for each puzzle."""
    ask(puzzles[0])  # kernels are loaded
    return [cpu(partial(ask, puzzle)) for puzzle in puzzles]


def further(found: NoSolution) -> None:
    """List 200 further reasons."""
    list(islice(found.more(), 200))


def wrong(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with one further given, which is wrong."""
    grid = solve(puzzle).grid
    assert grid
    cell = puzzle.givens.index(None)
    value = grid.values[cell]
    assert value
    return puzzle.with_candidates({puzzle.shape.names[cell]: (value % len(puzzle.shape.values) + 1,)})


def files(sample: Sample) -> Table:
    """Measure how many rows of a file are rated in a second, from a file to a file."""
    rows = []
    middling = list(generate(sample.some(100), seed=1, rating=(1.0, 4.4)))
    for name, puzzles in (
        ("easy to middling", middling),
        ("minimal puzzles", list(generate(sample.some(300), seed=1))),
    ):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "in.txt")
            source.write_text("".join(f"{puzzle.to_line()}\n" for puzzle in puzzles) * 10)
            rate_into(source, Path(folder, "first.csv"))
            rate = 10 * len(puzzles) / cpu(partial(rate_into, source, Path(folder, "out.csv")))
        rows.append((name, f"{rate:,.0f}"))
    return Table("Ratings of files", ("puzzles", "rows/s"), rows)


if __name__ == "__main__":
    command(__doc__, tables)
