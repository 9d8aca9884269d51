"""Whole programs, file to file, beside the kernel that they use: how much of its speed is left.

    python benchmarks/programs.py FILE [--repeats 3] [--lines 1000000] [--rival "PROGRAM {input} {output}" ...]

FILE holds classic puzzles, 81 characters a line; they are repeated up to ``--lines``. Every program runs as a process
on all lines and on the first few thousand: the second is its start-up, loading of compiled code included, and the
difference is what its rate is made of. Times are CPU seconds (user and system), which other work on the machine blows
up less than wall time; rounds are interleaved, medians printed. A rival is any program that reads such a file and
writes another.
"""

from __future__ import annotations

import argparse
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from statistics import median

FEW = 3_000
"""Lines of the short file: enough for compiled code to be loaded."""

PROGRAMS = {
    "solve, to lines": "solve {input} --out {output}.txt",
    "solve, to CSV": "solve --format csv {input} --out {output}.txt",
    "solve, to JSON lines": "solve --format jsonl {input} --out {output}.txt",
    "solve, to Parquet": "solve {input} --out {output}.parquet",
    "solve, to Arrow": "solve {input} --out {output}.arrow",
    "solve --unique, to lines": "solve --unique {input} --out {output}.txt",
    "count --limit 2": "count --limit 2 {input} --out {output}.txt",
    "validate": "validate {input} --out {output}.txt",
    "candidates": "candidates {input} --out {output}.txt",
}


def main() -> int:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description="Whole programs beside their kernel.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rival", action="append", default=[], help="a command with {input} and {output}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), options.file, options.lines, options.repeats, options.rival)
    return 0


def run(folder: Path, file: Path, lines: int, repeats: int, rivals: list[str]) -> None:
    """Measure everything in rounds, and print medians."""
    whole, few = folder / "whole.txt", folder / "few.txt"
    whole.write_text("".join(islice(cycle(puzzles(file)), lines)))
    few.write_text("".join(islice(cycle(puzzles(file)), FEW)))
    commands = {name: f"{sys.executable} -m sudoku_models {text}" for name, text in PROGRAMS.items()}
    commands |= {shlex.split(text)[0]: text for text in rivals}
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    kernels = []
    for _ in range(repeats):
        kernels.append(kernel(whole.read_bytes()))
        for name, text in commands.items():
            seconds[name].append((cost(text, few, folder), cost(text, whole, folder)))
    base = median(kernels) / lines
    print(f"{'':26} {'start-up':>9} {'puzzles/s':>12} {'of the kernel':>14}")
    print(f"{'the kernel':26} {'':>9} {1 / base:12,.0f}")
    for name, found in seconds.items():
        each = median(long - short for short, long in found) / (lines - FEW)
        print(f"{name:26} {median(short for short, _ in found):7.2f} s {1 / each:12,.0f} {base / each:14.2f}")


def puzzles(file: Path) -> list[str]:
    """Return the lines of a file that begin with a classic board, without what stands behind it."""
    return [f"{line[:81]}\n" for line in file.read_text().splitlines() if len(line) >= 81 and line[0] != "#"]


def cost(command: str, source: Path, folder: Path) -> float:
    """Run a program; return its CPU seconds."""
    words = [word.format(input=source, output=folder / "out") for word in shlex.split(command)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def kernel(text: bytes) -> float:
    """Return the CPU seconds in which the kernel solves and proves all, from arrays to arrays, warm."""
    import numpy as np
    from sudoku_backends.bitset import BACKEND

    from sudoku_models import Shape
    from sudoku_models.formats.arrays import read_blocks

    solver = BACKEND.compile(Shape.square(9).model, BACKEND.Options()).native
    values = np.concatenate([block.values for block in read_blocks(text)])
    solver.solve(values[:FEW])
    return timed(lambda: solver.solve(values))


def timed(call: Callable[[], object]) -> float:
    """Return the CPU seconds of a call."""
    started = time.process_time()
    call()
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(main())
