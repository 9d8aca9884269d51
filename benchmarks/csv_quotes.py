"""Rows a second that are read of CSV, by how quotes are used in it; CPU time, median of some rounds.

    python benchmarks/csv_quotes.py [--rows 200000] [--rounds 5]

Beside the reader of blocks stands the one that parts rows one by one, which reads what the first does not take, and the
whole table where there is no pyarrow. Both take turns.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from itertools import cycle, islice
from statistics import median

from sudoku_models.bulk import blocks_of
from sudoku_models.bulk.blocks import of_csv
from sudoku_models.bulk.text import rows_of_csv
from sudoku_models.collection import puzzles
from sudoku_models.formats.options import Options


def notes(every: int, odd: str) -> Callable[[int, str], str]:
    """Return what writes a row whose note, in one of so many rows, is an odd one."""
    return lambda number, line: f"{number},{line},{'a note' if number % every else odd}"


TABLES: dict[str, Callable[[int, str], str]] = {
    "no quotes": lambda number, line: f"{number},{line},a note",
    "all fields in quotes": lambda number, line: f'"{number}","{line}","a note"',
    "each note in quotes": notes(1, '"a, b"'),
    "each note over two lines": notes(1, '"a\nb"'),
    "a stray quote in 1 of 1,000": notes(1_000, '5" wide'),
    "a stray quote in 1 of 100": notes(100, '5" wide'),
    "a stray quote in each row": notes(1, '5" wide'),
}


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description="Rows of CSV read a second.")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    lines = [item.puzzle.to_line() for item in puzzles("9x9-easy")]
    print(f"{'table':30} {'in blocks':>12} {'one by one':>12}")
    for name, row in TABLES.items():
        rows = (row(number, line) for number, line in enumerate(islice(cycle(lines), wanted.rows), 1))
        rates = measured("\n".join(["id,puzzle,note", *rows, ""]).encode(), wanted.rows, wanted.rounds)
        print(f"{name:30} {rates[0]:12,.0f} {rates[1]:12,.0f}", flush=True)


def measured(data: bytes, rows: int, rounds: int) -> tuple[float, float]:
    """Return the rows a second of both readers."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for found, read in zip(times, (in_blocks, one_by_one), strict=True):
            start = time.process_time()
            number = read(data)
            found.append(time.process_time() - start)
            if number != rows:
                raise SystemExit(f"{read.__name__} found {number} rows: {rows} are expected")
    return rows / median(times[0]), rows / median(times[1])


def in_blocks(data: bytes) -> int:
    """Return the number of rows of a table, read as the package does."""
    return sum(map(len, blocks_of(io.BytesIO(data))))


def one_by_one(data: bytes) -> int:
    """Return the same, each row parted by itself."""
    stream = io.BufferedReader(io.BytesIO(data), 1 << 16)
    return sum(map(len, of_csv(rows_of_csv(stream, Options()), "a table", Options())))


if __name__ == "__main__":
    main()
