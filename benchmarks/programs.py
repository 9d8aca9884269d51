"""Whole programs, file to file, beside the kernel that they use: how much of its speed is left.

    python benchmarks/programs.py FILE [--repeats 3] [--lines 1000000] [--rival "PROGRAM {input} {output}" ...]
        [--boards 144-1.txt 100-1.txt]

FILE holds classic puzzles, 81 characters a line; they are repeated up to ``--lines``. Every program runs as a process
on all lines and on the first few thousand: the second is its start-up, loading of compiled code included, and the
difference is what its rate is made of. Times are CPU seconds (user and system), which other work on the machine blows
up less than wall time; rounds are interleaved, medians printed. A rival is any program that reads such a file and
writes another, such as `rival.c` beside this file: a small solver in plain C (`cc -O3 -march=native -o rival rival.c`).

Then: two workers beside one, on a file eight times as long, by the clock, and beside two plain processes that have half
of the lines each, which is what the machine gives. And from the start of a process to its answer, for one line and for
``--boards``.
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

MORE = 8
"""The file of two workers is this many times as long as that of one, so that their start is a small part of the time.
"""

PROGRAMS = {
    "solve, to lines": "solve {input} --out {output}.txt",
    "solve, to CSV": "solve --format csv {input} --out {output}.txt",
    "solve, to JSON lines": "solve --format jsonl {input} --out {output}.txt",
    "solve, to Parquet": "solve {input} --out {output}.parquet",
    "solve, to Arrow": "solve {input} --out {output}.arrow",
    "solve --unique, to lines": "solve --unique {input} --out {output}.txt",
    "solve --unique, to CSV": "solve --unique --format csv {input} --out {output}.txt",
    "solve --unique, to Parquet": "solve --unique {input} --out {output}.parquet",
    "count --limit 2": "count --limit 2 {input} --out {output}.txt",
    "validate": "validate {input} --out {output}.txt",
    "candidates": "candidates {input} --out {output}.txt",
    "candidates, to JSON lines": "candidates --format jsonl {input} --out {output}.txt",
}


def main() -> int:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description="Whole programs beside their kernel.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rival", action="append", default=[], help="a command with {input} and {output}")
    parser.add_argument("--boards", type=Path, nargs="*", default=[], help="files of one large board each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), options.file, options.lines, options.repeats, options.rival)
        workers(Path(folder), options.repeats)
        starts(Path(folder), options.boards, options.repeats)
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


WORKED = ("solve --unique {input} --out {output}.txt", "solve --unique {input} --out {output}.parquet")
"""What is asked of one worker and of two."""


def workers(folder: Path, repeats: int) -> None:
    """Print the speed-up of two workers over one, and of two processes with half of the lines each; start included."""
    whole = folder / "more.txt"
    text = (folder / "whole.txt").read_bytes() * MORE
    whole.write_bytes(text)
    middle = text.index(b"\n", len(text) // 2) + 1
    halves = [folder / "first.txt", folder / "second.txt"]
    for half, part in zip(halves, (text[:middle], text[middle:]), strict=True):
        half.write_bytes(part)
    print(f"\n{'seconds by the clock':46} {'1 worker':>9} {'2':>7} {'ratio':>6}   {'two processes':>13} {'ratio':>6}")
    for command in WORKED:
        found = []
        for _ in range(repeats):
            found.append([clock([(command + f" --workers {count}", whole)], folder) for count in (1, 2)])
            found[-1].append(clock([(command, half) for half in halves], folder))
        one, two, apart = (median(times) for times in zip(*found, strict=True))
        name = command.format(input="LINES", output="OUT")
        print(f"{name:46} {one:9.2f} {two:7.2f} {one / two:6.2f}   {apart:13.2f} {one / apart:6.2f}")


def clock(commands: list[tuple[str, Path]], folder: Path) -> float:
    """Run commands of the program at the same time; return the seconds by the clock until all have ended."""
    started = time.perf_counter()
    running = []
    for number, (command, source) in enumerate(commands):
        words = shlex.split(command.format(input=source, output=folder / f"out{number}"))
        running.append(subprocess.Popen([sys.executable, "-m", "sudoku_models", *words], stdout=subprocess.DEVNULL))
    if any(process.wait() for process in running):
        raise SystemExit("a program has failed")
    return time.perf_counter() - started


def starts(folder: Path, boards: list[Path], repeats: int) -> None:
    """Print the CPU seconds of whole processes that answer one puzzle, beside Python's own start."""
    line = (folder / "few.txt").read_text().splitlines()[0]
    (folder / "one.txt").write_text(line + "\n")
    python = shlex.quote(sys.executable)
    commands = {
        "python, nothing imported": f"{python} -c pass",
        "python, numpy": f"{python} -c 'import numpy'",
        "solve TEXT": f"{python} -m sudoku_models solve {line}",
        "solve FILE of one line": f"{python} -m sudoku_models solve {folder / 'one.txt'}",
        **{f"solve {path.name}": f"{python} -m sudoku_models solve {shlex.quote(str(path))}" for path in boards},
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3 * repeats):
        for name, command in commands.items():
            seconds[name].append(cost(command, folder / "one.txt", folder))
    print(f"\n{'from start to answer':46} {'CPU s':>9}")
    for name, found in seconds.items():
        print(f"{name:46} {median(found):9.2f}")


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
