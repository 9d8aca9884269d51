"""Variant puzzles with one solution: from their text to the proof, on each engine, and where the time goes."""

from __future__ import annotations

import sys
from statistics import median

from sudoku_models import Puzzle, Result, count, solve
from sudoku_models.collection import variants
from sudoku_models.engine.auto import choose
from sudoku_models.errors import SudokuModelsError
from sudoku_models.model import Model
from sudoku_models.puzzle.puzzle import structure_of

from .tables import Sample, Table, command, cpu

ENGINES = ("auto", "native", "cp-sat", "pycosat")
LIMIT = 5.0
"""Seconds for each proof."""

PARTS = {"build": ("lower", "compile"), "search": ("encode", "run", "decode"), "check": ("check",)}
"""Phases of a record, by the part of the way that they belong to."""

OPEN = {
    "empty 6x6": ".Shape~6x6",
    "6x6 with two cages": ".Shape~6x6.Cage~5~R1C1~R1C2.Cage~9~R2C3~R2C4~R3C4",
    "9x9 with four cages": ".Cage~10~R1C1~R1C2~R2C1.Cage~15~R5C5~R5C6~R6C6.Cage~20~R9C7~R9C8~R9C9.Cage~7~R3C1~R4C1",
}
"""Puzzles with many solutions."""


def texts(sample: Sample) -> list[str]:
    """Return the variants with one solution."""
    return [item.text for item in variants() if item.solutions == 1][:: 20 if sample.short else 5]


def tables(sample: Sample) -> list[Table]:
    """Measure the engines, the parts of the way, and how quickly solutions are counted."""
    return [engines(sample), *parts(sample), counts(sample)]


def engines(sample: Sample) -> Table:
    """Measure from a model on which nothing is compiled to the proof, each engine in turn on each puzzle."""
    times: dict[str, list[float]] = {engine: [] for engine in ENGINES}
    listed = texts(sample)
    for text in listed:
        puzzle = Puzzle.parse(text)
        for engine, found in times.items():
            tries = [prove(puzzle, engine) for _ in range(sample.rounds)]
            found += [min(tries)] if max(tries) < float("inf") else []
    rows = [(engine, f"{len(found)} of {len(listed)}", *quantiles(found)) for engine, found in times.items()]
    columns = ("engine", "proved", "p10 ms", "median", "p90", "most")
    return Table("Variants proved unique, from the stated model", columns, rows)


def prove(puzzle: Puzzle, engine: str) -> float:
    """Return the CPU seconds of a proof that there is one solution, infinity without one in time."""
    model = puzzle.structure
    fresh = Model(model.variables, model.constraints, model.objective).narrowed(puzzle.domains)
    found = []

    def ask() -> None:
        try:
            found.append(count(fresh, engine, limit=2, time_limit=LIMIT))
        except SudokuModelsError as error:
            print(f"{engine}, {puzzle.title}: {error}", file=sys.stderr)

    seconds = cpu(ask)
    return seconds if found and (found[0].value, found[0].exact) == (1, True) else float("inf")


def quantiles(seconds: list[float]) -> tuple[str, ...]:
    """Return the tenth, half, ninetieth and last percentile in milliseconds."""
    found = sorted(seconds)
    return tuple(f"{1000 * found[round(q * (len(found) - 1))]:.3g}" if found else "" for q in (0.1, 0.5, 0.9, 1.0))


def parts(sample: Sample) -> list[Table]:
    """Measure the parts of the way of ``solve(text, unique=True)``: of all puzzles, and of those with a kind of rule.

    Each puzzle is new to the library, and the best of several rounds counts.
    """
    found: dict[str, dict[str, float]] = {}
    for _ in range(sample.rounds):
        for text in texts(sample):
            times, best = way(text), found.setdefault(text, {})
            best.update({name: min(seconds, best.get(name, seconds)) for name, seconds in times.items()})
    listed = [*found.values()]
    rows = [(name, f"{1000 * median(each):.3f}", quantiles(each)[2]) for name, each in columns(listed).items()]
    by: dict[str, list[dict[str, float]]] = {}
    for text, times in found.items():
        for kind in {type(rule).__name__ for rule in Puzzle.parse(text).rules}:
            by.setdefault(kind, []).append(times)
    of_kinds = [
        (kind, str(len(some)), *(f"{1000 * median(each):.2f}" for each in columns(some).values()))
        for kind, some in sorted(by.items())
    ]
    return [
        Table("Variants, where the time goes", ("part", "median ms", "p90"), rows),
        Table("Variants by the kinds of their rules, median ms", ("kind", "puzzles", *columns(listed)), of_kinds),
    ]


def columns(listed: list[dict[str, float]]) -> dict[str, list[float]]:
    """Return the times of some puzzles by part."""
    return {name: [times[name] for times in listed] for name in listed[0]}


def way(text: str) -> dict[str, float]:
    """Return the CPU seconds of each part of the way from a text to the proof."""
    structure_of.cache_clear()
    puzzles: list[Puzzle] = []
    results: list[Result] = []
    reading = cpu(lambda: puzzles.append(Puzzle.parse(text)))
    stating = cpu(lambda: puzzles[0].structure)
    choosing = cpu(lambda: choose(puzzles[0].structure))
    solving = cpu(lambda: results.append(solve(puzzles[0], unique=True)))
    phases = results[0].record.phases
    shares = {name: sum(phases[phase].cpu for phase in kept if phase in phases) for name, kept in PARTS.items()}
    whole = reading + stating + choosing + solving
    return {"read": reading, "state": stating, "choose": choosing, **shares, "all": whole}


def counts(sample: Sample) -> Table:
    """Measure how many solutions are counted in a second."""
    most, rows = sample.some(1_000_000), []
    for name, text in OPEN.items():
        puzzle = Puzzle.parse(text)
        count(puzzle, limit=10)
        found: list[int] = []
        seconds = cpu(lambda puzzle=puzzle, found=found: found.append(count(puzzle, limit=most).value))  # type: ignore[misc]
        rows.append((name, f"{found[0] / seconds:,.0f}"))
    return Table("Solutions counted", ("puzzle", "solutions/s"), rows)


if __name__ == "__main__":
    command(__doc__, tables)
