"""New variants: rules of every kind placed on random grids, and how long each engine takes to prove them.

``python benchmarks/kinds.py`` puts some rules of one kind (or of two) on a solution grid, leaves out givens while
``native`` still proves one solution within ``--looks`` at constraints, and asks every engine in turn, on a fresh
structure: the time is that of the process, from the rules to the proof. Each kind is a line, with how long the first
engine takes beside the quickest of the others; the slowest puzzles come last. ``Plain`` is a board without rules,
``Jigsaw`` one whose boxes have exchanged cells. Since ``native`` makes the puzzles, those on which it gives up are
asked too: they are what is left when one given more is taken away. ``--outside`` adds programs, see ``outside.py``; a
puzzle that cannot be stated in the text that these read is left out for them. ``--without restarts,probing`` compares
``native`` with parts of its reasoning left out instead, by the looks at constraints that it takes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, log2, nan
from random import Random
from statistics import median_low

from outside import Outside, add_option

from sudoku_models import Puzzle, Shape, solve
from sudoku_models.errors import SudokuModelsError
from sudoku_models.formats import write
from sudoku_models.make.places import PLACES, placed
from sudoku_models.make.solution_grids import grid_rows
from sudoku_models.puzzle import puzzle as puzzle_module

AMOUNTS = {"line": 9, "outside": 18, "mark": 24}
OUTSIDE = ("Sandwich", "XSum", "Skyscraper", "NumberedRoom", "HiddenSkyscraper", "LittleKiller")
MARKS = ("Greater", "Difference", "Ratio", "Kropki", "XV", "RowIndexer", "ColumnIndexer", "KillerCage")
HOUSES = ("Plain", "Jigsaw")
"""Boards of houses alone."""
PAIRS = (("LittleKiller", "Arrow"), ("Sandwich", "Skyscraper"), ("XSum", "NumberedRoom"), ("Renban", "Whisper"))


@dataclass(frozen=True)
class Made:
    """A puzzle of a kind; ``gave_up`` says that ``native`` did not prove it when it was made."""

    kind: str
    puzzle: Puzzle
    gave_up: bool


def amount_of(kind: str, side: int) -> int:
    """Return how many rules of a kind are put on a board."""
    sort = "outside" if kind in OUTSIDE else "mark" if kind in MARKS else "line"
    return AMOUNTS[sort] * side // 9


def proved(puzzle: Puzzle, looks: int) -> bool | None:
    """Return whether a puzzle has one solution; None if ``native`` gives up."""
    return solve(puzzle, f"native:patience={looks}", unique=True).unique


def made(kinds: tuple[str, ...], side: int, seed: int, looks: int) -> Iterator[Made]:
    """Make a puzzle, and the last one on which ``native`` gave up on the way."""
    kind, rng, shape = "+".join(kinds), Random(f"{kinds}/{side}/{seed}"), Shape.square(side)
    values = tuple(grid_rows(shape, seed, True, range(1))[0].tolist())
    amounts = {kind: amount_of(kind, side) // len(kinds) for kind in kinds if kind not in HOUSES}
    rules = tuple(rule for found in placed(amounts, shape, values, rng).values() for rule in found)
    shape = jigsaw(shape, values, rng) if "Jigsaw" in kinds else shape
    puzzle, refused = Puzzle(shape, values, rules=rules), None
    left = rng.sample(range(shape.cells), shape.cells)
    step = len(left)
    while left:
        gone = set(left[:step])
        fewer = replace(puzzle, givens=tuple(None if x in gone else v for x, v in enumerate(puzzle.givens)))
        unique = proved(fewer, looks)
        if unique is None:
            refused = fewer
        if unique:
            puzzle, left, step = fewer, left[step:], 2 * step
        else:
            left, step = left[1:] if step == 1 else left, max(1, min(step, len(left)) // 3)
    yield Made(kind, puzzle, False)
    if refused is not None:
        yield Made(kind, refused, True)


def jigsaw(shape: Shape, values: Sequence[int], rng: Random) -> Shape:
    """Return a board whose boxes have exchanged cells of equal values, each still in one piece."""
    home = {x: box for box, cells in enumerate(shape.regions) for x in cells}
    for x in rng.choices(range(shape.cells), k=20 * shape.cells):
        box = rng.choice([home[y] for y in beside(x, shape)])
        other = next(y for y in home if home[y] == box and values[y] == values[x])
        if box != home[x]:
            home[x], home[other] = box, home[x]
            if not all(in_one_piece({y for y in home if home[y] == home[z]}, shape) for z in (x, other)):
                home[x], home[other] = home[other], box
    side = shape.width
    return Shape.irregular([[home[row * side + column] for column in range(side)] for row in range(side)])


def beside(x: int, shape: Shape) -> list[int]:
    """Return the neighbours of a cell."""
    column = x % shape.width
    near = ((x - 1, column > 0), (x + 1, column < shape.width - 1), (x - shape.width, True), (x + shape.width, True))
    return [y for y, on in near if on and 0 <= y < shape.cells]


def in_one_piece(cells: set[int], shape: Shape) -> bool:
    """Return whether some cells are connected."""
    reached, left = set[int](), [next(iter(cells))]
    while left:
        x = left.pop()
        if x not in reached:
            reached.add(x)
            left += [y for y in beside(x, shape) if y in cells]
    return reached == cells


def milliseconds(puzzle: Puzzle, engine: str | Outside, limit: float) -> float | None:
    """Return how long an engine takes from the rules to the answer, the best of three; None if it has none."""
    times: list[float] = []
    if isinstance(engine, Outside):
        return of_program(puzzle, engine, limit)
    while len(times) < 3 and sum(times) < 200:
        puzzle_module.board_of.cache_clear()
        puzzle_module.structure_of.cache_clear()
        fresh, started = replace(puzzle), time.process_time()
        try:
            unique = solve(fresh, engine, unique=True, time_limit=limit).unique
        except SudokuModelsError:
            return None
        if unique is None:
            return None
        times.append(1000 * (time.process_time() - started))
    return min(times)


def of_program(puzzle: Puzzle, program: Outside, limit: float) -> float | None:
    """Return what a program says that it takes, the best of three; None if it has no answer or cannot be asked."""
    try:
        text = "".join(write([puzzle], "iss"))
    except SudokuModelsError:
        return None
    tries = [program.prove(text, limit) for _ in range(3)]
    return None if any(wrong for _, wrong in tries) else min(took for took, _ in tries)


def report_times(puzzles: list[Made], engines: list[str | Outside], limit: float, slowest: int) -> None:
    """Print the median of each kind and engine, and the slowest puzzles of the first engine."""
    print(f"{'median ms':<34}" + "".join(f"{engine!s:>14}" for engine in engines) + f"{'to best':>10}{'at most':>10}")
    found: list[tuple[float, Made]] = []
    for kind in dict.fromkeys(one.kind for one in puzzles):
        ours = [one for one in puzzles if one.kind == kind]
        rows = [[milliseconds(one.puzzle, engine, limit) for engine in engines] for one in ours]
        times = [[inf if took is None else took for took in row] for row in rows]
        found += [(row[0], one) for row, one in zip(times, ours, strict=True)]
        ratios = [row[0] / min(row[1:]) for row in times if min(row[1:], default=inf) < inf] or [nan]
        columns = "".join(f"{median_low(column):>14.1f}" for column in zip(*times, strict=True))
        print(f"{kind:<34}{columns}{median_low(ratios):>10.2f}{max(ratios):>10.2f}", flush=True)
    for took, one in sorted(found, key=lambda pair: -pair[0])[:slowest]:
        print(f"{took:>12.1f} ms, {one.puzzle.clues} givens: {one.kind}{', gave up at first' if one.gave_up else ''}")


def report_parts(puzzles: list[Made], parts: list[str], looks: int) -> None:
    """Print for each part of the reasoning how leaving it out changes ``native``'s number of looks at constraints."""
    whole = [looks_of(one.puzzle, "", looks) for one in puzzles]
    print(f"{'left out':<20}{'looks to all':>14}{'longest':>12}{'given up':>10} of {len(puzzles)}")
    for part in ["", *parts]:
        taken = [looks_of(one.puzzle, part, looks) for one in puzzles]
        ratio = 2 ** (sum(log2(a / b) for a, b in zip(taken, whole, strict=True)) / len(taken))
        print(f"{part or 'nothing':<20}{ratio:>14.2f}{max(taken):>12,}{sum(t >= looks for t in taken):>10}", flush=True)


def looks_of(puzzle: Puzzle, without: str, looks: int) -> int:
    """Return how often ``native`` looks at a constraint until it has the answer or gives up."""
    record = solve(puzzle, f"native:patience={looks}{',without=' * bool(without)}{without}", unique=True).record
    return max(1, int(record.sizes.get("propagations", 1)))


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", default="auto,native,cp-sat,pycosat")
    parser.add_argument("--sides", default="9")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--kinds", default="", help="only those whose names have this")
    parser.add_argument("--looks", type=int, default=300_000)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for each proof")
    parser.add_argument("--slowest", type=int, default=10)
    parser.add_argument("--without", default="", help="parts of the reasoning of native, to measure their worth")
    add_option(parser)
    asked = parser.parse_args()
    kinds = [*((kind,) for kind in (*PLACES, *HOUSES)), *PAIRS]
    chosen = [kind for kind in kinds if asked.kinds in "+".join(kind)]
    runs = [
        (kind, int(side), seed) for kind in chosen for side in asked.sides.split(",") for seed in range(asked.seeds)
    ]
    puzzles = [one for kind, side, seed in runs for one in made(kind, side, seed, asked.looks)]
    if asked.without:
        report_parts(puzzles, asked.without.split(","), 5 * asked.looks)
    else:
        report_times(puzzles, [*asked.engines.split(","), *asked.outside], asked.limit, asked.slowest)


if __name__ == "__main__":
    main()
