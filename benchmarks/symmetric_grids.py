"""Grids with many automorphisms: are there as many classes of each order as known, and none with another order?"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from sudoku_models import Grid, Shape, solve
from sudoku_models.make import Transformation, canonical
from sudoku_models.make.symmetry import CLASSES_OF_ORDER, MOST_REGULAR, identity, random_cells
from sudoku_models.model import AllDifferent, Element, Model, Variable

NINE = Shape.square(9)
Cells = tuple[int, ...]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--least", type=int, default=8, help="the least order that is counted")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="where the grids are written, a line each: order and grid")
    options = parser.parse_args()
    found: dict[str, int] = {}
    end = time.monotonic() + options.seconds
    for grid in symmetric(Random(options.seed), found, options.least):
        if time.monotonic() > end:
            break
        form = canonical(grid)
        found[line_of(form.board)] = form.automorphisms
        check(found)
    counts = Counter(found.values())
    for order in sorted(CLASSES_OF_ORDER):
        if order >= options.least:
            print(f"order {order}: {counts[order]} of {CLASSES_OF_ORDER[order]} classes")
    if options.out:
        ordered = sorted((order, line) for line, order in found.items() if order >= options.least)
        options.out.write_text("".join(f"{order} {line}\n" for order, line in ordered))


def check(found: dict[str, int]) -> None:
    """Exit with an error if there are more classes of an order than known."""
    for order, number in Counter(found.values()).items():
        if number > CLASSES_OF_ORDER.get(order, 0):
            raise SystemExit(f"{number} classes have {order} automorphisms: {CLASSES_OF_ORDER.get(order, 0)} are known")


def symmetric(rng: Random, found: dict[str, int], least: int) -> Iterator[Grid]:
    """Yield grids that are kept by some symmetries, without end."""
    yield grid_of(MOST_REGULAR)
    while True:
        kind = rng.choice(sorted({order for order in found.values() if order >= least}))
        regular = [line for line, order in found.items() if order == kind]
        if rng.random() < 0.3:
            moves = [random_symmetry(rng) for _ in range(rng.choice((1, 2)))]
        else:
            grid = grid_of(rng.choice(regular))
            moves = [automorphism(grid, rng) for _ in range(rng.choice((1, 2, 2, 3)))]
        grid_found = kept_by([cells for cells in moves if cells != identity(NINE).cells], rng)
        if grid_found is not None:
            yield grid_found


def random_symmetry(rng: Random) -> Cells:
    """Draw a symmetry of the cells whose order is small: a power of a random one."""
    cells = random_cells(NINE, rng)
    order = next(k for k, power in enumerate(powers(cells), 1) if power == identity(NINE).cells)
    divisors = [k for k in range(2, order + 1) if order % k == 0 and k <= 9] or [order]
    step = order // rng.choice(divisors)
    return next(power for k, power in enumerate(powers(cells), 1) if k == max(step, 1))


def powers(cells: Cells) -> Iterator[Cells]:
    """Yield the powers of a symmetry."""
    power = cells
    while True:
        yield power
        power = tuple(power[source] for source in cells)


def automorphism(grid: Grid, rng: Random) -> Cells:
    """Draw an automorphism of a grid: by way of its least form, from a relabelled grid."""
    move = Transformation(random_cells(NINE, rng), tuple(rng.sample(range(1, 10), 9)))
    there, back = canonical(move(grid)).transformation, canonical(grid).transformation.inverse(NINE)
    return move.then(there, NINE).then(back, NINE).cells


def kept_by(moves: list[Cells], rng: Random) -> Grid | None:
    """Find a random grid that symmetries keep up to the names of its digits; None if none is found soon."""
    if not moves:
        return None
    cells = [Variable(f"x{i}", range(9)) for i in range(81)]
    names = [[Variable(f"p{k}_{d}", range(9)) for d in range(9)] for k in range(len(moves))]
    rows = [AllDifferent([f"x{c}" for c in house.cells]) for house in NINE.houses]
    rows += [AllDifferent([p.name for p in named]) for named in names]
    maps = [
        Element([p.name for p in named], f"x{source}", f"x{i}")
        for named, move in zip(names, moves, strict=True)
        for i, source in enumerate(move)
    ]
    domains = {f"x{i}": (i,) for i in range(9)}
    domains[f"x{rng.randrange(9, 81)}"] = (rng.randrange(9),)
    variables = [Variable(v.name, domains.get(v.name, v.domain)) for v in (*cells, *(p for n in names for p in n))]
    result = solve(Model(variables, [*rows, *maps]), "cp-sat", seed=rng.randrange(2**31), time_limit=2)
    if result.values is None:
        return None
    return Grid(NINE, tuple(result.values[f"x{i}"] + 1 for i in range(81)))


def grid_of(line: str) -> Grid:
    """Read a grid."""
    return Grid(NINE, tuple(map(int, line)))


def line_of(grid: Grid) -> str:
    """Write a grid as 81 digits."""
    return "".join(map(str, grid.values))


if __name__ == "__main__":
    main()
