"""The bulk solver against the plain search ``fewest``: every puzzle of some files, and random grids, count by count.

    python benchmarks/agree.py [FILE ...] [--random 20000] [--seed 1] [--limit 3] [--jobs 2]

The files (by default ../shared/data/classic/*.txt) are solved to a limit of 2, the random grids to LIMIT: solved grids,
relabelled and shuffled, with some cells open, some with a wrong digit, some with very few givens. Verdicts and counts
must be equal, the solution of a proper puzzle too, and every solution is checked against houses and givens. It takes
about 0.1 s a puzzle and processor; ``--sample N`` takes N puzzles of each file. Exit code 1 when anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sudoku_backends.bitset import BACKEND

from sudoku_models.engine.bulk_check import holds_many
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.model import Model
from sudoku_models.puzzle import Shape

REFERENCE = "backtracking:strategy=fewest"
Row = tuple[int, ...]


@cache
def board() -> Model:
    """The classic board."""
    from sudoku_models.model import variables

    shape = Shape.square(9)
    return Model(variables(shape.names, range(1, 10)), shape.constraints())


def main() -> None:
    arguments = _arguments()
    rng = random.Random(arguments.seed)
    wrong = 0
    for path in arguments.files:
        rows = read(path)
        rows = rng.sample(rows, min(arguments.sample or len(rows), len(rows)))
        wrong += compare(path.stem, rows, 2, arguments.jobs)
    rows = [random_grid(rng) for _ in range(arguments.random)]
    wrong += compare("random grids", rows, arguments.limit, arguments.jobs)
    sys.exit(1 if wrong else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = sorted((Path(__file__).parents[2] / "shared" / "data" / "classic").glob("*.txt"))
    parser.add_argument("files", nargs="*", type=Path, default=default)
    for name, value in (("random", 20_000), ("seed", 1), ("limit", 3), ("jobs", 2), ("sample", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args()


def read(path: Path) -> list[Row]:
    """Read the puzzles of a file."""
    lines = [line.strip()[:81] for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    return [tuple(0 if ch == "." else int(ch) for ch in line) for line in lines]


def random_grid(rng: random.Random) -> Row:
    """Return a grid with a random share of givens, at times one of them wrong."""
    digits = rng.sample(range(1, 10), 9)
    rows, columns = ([3 * b + k for b in rng.sample(range(3), 3) for k in rng.sample(range(3), 3)] for _ in "rc")
    share = rng.choice((0.05, 0.25, 0.3, 0.35, 0.4, 0.5))
    solved = [digits[(3 * (r % 3) + r // 3 + c) % 9] for r in rows for c in columns]
    values = [value if rng.random() < share else 0 for value in solved]
    if rng.random() < 0.3:
        values[rng.randrange(81)] = rng.randint(1, 9)
    return tuple(values)


def compare(name: str, rows: list[Row], limit: int, jobs: int) -> int:
    """Print and return how many answers differ."""
    grids = np.array(rows, np.uint8).reshape(-1, 81)
    batch = BACKEND.compile(board(), BACKEND.Options()).run_many(grids, Request(limit=limit))
    index = board().index
    houses = np.array([[index[x] for x in c.scope] for c in board().constraints])
    good = holds_many(batch.values, houses, grids) | (batch.count == 0)
    with ProcessPoolExecutor(jobs) as processes:
        truth = list(processes.map(reference, rows, [limit] * len(rows), chunksize=20))
    wrong = [i for i, found in enumerate(truth) if not good[i] or differs(found, batch, i)]
    counts = ", ".join(f"{k}: {sum(len(found) == k for found in truth)}" for k in range(limit + 1))
    print(f"{name}: {len(rows)} puzzles, solutions {counts}; {len(wrong)} differ", flush=True)
    for i in wrong[:5]:
        text = "".join(map(str, rows[i]))
        print(f"  {text}: {batch.count[i]} solutions instead of {len(truth[i])}")
    return len(wrong)


def differs(found: list[Row], batch: Any, i: int) -> bool:
    """Is the batch's answer another one than the solutions found (up to the limit)?"""
    return int(batch.count[i]) != len(found) or (len(found) == 1 and tuple(batch.values[i].tolist()) != found[0])


def reference(row: Row, limit: int) -> list[Row]:
    """Return the solutions that the plain search finds, up to a limit."""
    domains = {name: (value,) for name, value in zip(board().names, row, strict=True) if value}
    return list(run(board(), REFERENCE, Request(domains, limit)))


if __name__ == "__main__":
    main()
