"""Compare the bulk solver with the plain search ``fewest``: every puzzle of some files, and random grids, count by
count.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
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
Answer = tuple[int, Row]
"""How many solutions, up to the limit; and the first."""


@cache
def board() -> Model:
    """The classic board."""
    from sudoku_models.model import variables

    shape = Shape.square(9)
    return Model(variables(shape.names, range(1, 10)), shape.constraints())


def main() -> None:
    """Run the command line; the exit code is 1 when an answer is wrong."""
    arguments = _arguments()
    rng = random.Random(arguments.seed)
    wrong = 0
    with Truth(arguments.truth, arguments.jobs) as truth:
        for path in arguments.files:
            rows = read(path)
            rows = rng.sample(rows, min(arguments.sample or len(rows), len(rows)))
            wrong += compare(path.stem, rows, 2, truth)
        rows = [random_grid(rng) for _ in range(arguments.random)]
        wrong += compare("random grids", rows, arguments.limit, truth)
    sys.exit(1 if wrong else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = sorted((Path(__file__).parents[2] / "shared" / "data" / "classic").glob("*.txt"))
    parser.add_argument("files", nargs="*", type=Path, default=default)
    for name, value in (("random", 20_000), ("seed", 1), ("limit", 3), ("jobs", 2), ("sample", 0)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--truth", type=Path)
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


class Truth:
    """The answers of the plain search: computed in other processes, and kept in a file if one is given."""

    def __init__(self, path: Path | None, jobs: int) -> None:
        self.known: dict[tuple[Row, int], Answer] = {}
        if path and path.exists():
            self.known = dict(parsed(line) for line in path.read_text().splitlines() if line.endswith("."))
        self.file = path.open("a") if path else None
        self.processes = ProcessPoolExecutor(jobs)

    def __enter__(self) -> Truth:
        return self

    def __exit__(self, *_: object) -> None:
        self.processes.shutdown(cancel_futures=True)
        if self.file:
            self.file.close()

    def of(self, rows: list[Row], limit: int) -> Iterator[Answer]:
        """Yield the answer of each puzzle, in order."""
        asked = [row for row in dict.fromkeys(rows) if (row, limit) not in self.known]
        found = self.processes.map(reference, asked, [limit] * len(asked), chunksize=10)
        for row in rows:
            if (row, limit) not in self.known:
                self.known[row, limit] = answer = next(found)
                if self.file:
                    print(written(row, limit, answer), file=self.file, flush=True)
            yield self.known[row, limit]


def written(row: Row, limit: int, answer: Answer) -> str:
    """Return a line of the file of answers; a full stop ends it, so that half a line is known."""
    return f"{text_of(row)} {limit} {answer[0]} {text_of(answer[1])} ."


def parsed(line: str) -> tuple[tuple[Row, int], Answer]:
    """Read such a line."""
    row, limit, count, first, _ = line.split(" ")
    return (tuple(map(int, row)), int(limit)), (int(count), tuple(map(int, first)))


def text_of(row: Row) -> str:
    """Return the digits of a row."""
    return "".join(map(str, row))


def compare(name: str, rows: list[Row], limit: int, truth: Truth) -> int:
    """Print and return how many answers differ."""
    grids = np.array(rows, np.uint8).reshape(-1, 81)
    batch = BACKEND.compile(board(), BACKEND.Options()).run_many(grids, Request(limit=limit))
    index = board().index
    houses = np.array([[index[x] for x in c.scope] for c in board().constraints])
    good = holds_many(batch.values, houses, grids) | (batch.count == 0)
    counts, wrong, reported = [0] * (limit + 1), 0, time.monotonic()
    for i, answer in enumerate(truth.of(rows, limit)):
        counts[answer[0]] += 1
        if not good[i] or differs(answer, batch, i):
            wrong += 1
            print(f"  {text_of(rows[i])}: {batch.count[i]} solutions instead of {answer[0]}", flush=True)
        if time.monotonic() - reported > 30:
            print(f"  {name}: {i + 1} of {len(rows)} compared, {wrong} differ", flush=True)
            reported = time.monotonic()
    shares = ", ".join(f"{k}: {number}" for k, number in enumerate(counts))
    print(f"{name}: {len(rows)} puzzles, solutions {shares}; {wrong} differ", flush=True)
    return wrong


def differs(answer: Answer, batch: Any, i: int) -> bool:
    """Return whether the batch's answer differs from the plain search's."""
    count, first = answer
    return int(batch.count[i]) != count or (count == 1 and tuple(batch.values[i].tolist()) != first)


def reference(row: Row, limit: int) -> Answer:
    """Return how many solutions the plain search finds, up to a limit, and the first (empty if there is none)."""
    domains = {name: (value,) for name, value in zip(board().names, row, strict=True) if value}
    found = list(run(board(), REFERENCE, Request(domains, limit)))
    return len(found), found[0] if found else ()


if __name__ == "__main__":
    main()
