"""Whole programs, from file to file, beside the kernel that they use: how much of its speed is left.

Every program runs as a process on a long file and on a short one: the second is its start, with the loading of compiled
code, and the difference is what its rate is made of. Two workers are measured by the clock, beside two plain processes
that have half of the lines each: that is what the machine gives.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from sudoku_models.bulk import solve_arrays
from sudoku_models.formats.arrays import read_blocks

from .tables import Sample, Table, Work, clock, command, in_turn

FEW = 3_000
"""Lines of the short file: enough for compiled code to be loaded."""

LINES = 300_000

PROGRAMS = {
    "solve, to lines": "solve {input} --out {output}.txt",
    "solve, to CSV": "solve --format csv {input} --out {output}.txt",
    "solve, to JSON lines": "solve --format jsonl {input} --out {output}.txt",
    "solve, to Parquet": "solve {input} --out {output}.parquet",
    "solve, to Arrow": "solve {input} --out {output}.arrow",
    "solve --unique, to lines": "solve --unique {input} --out {output}.txt",
    "solve --unique, to Parquet": "solve --unique {input} --out {output}.parquet",
    "count --limit 2": "count --limit 2 {input} --out {output}.txt",
    "validate": "validate {input} --out {output}.txt",
    "candidates": "candidates {input} --out {output}.txt",
}


def tables(sample: Sample) -> list[Table]:
    """Measure the rates, the workers, and the way from start to answer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "whole.txt").write_text("".join(f"{line}\n" for line in sample.lines(LINES)))
        (folder / "few.txt").write_text("".join(f"{line}\n" for line in sample.lines(FEW)))
        return [rates(folder, sample.rounds), workers(folder, sample.rounds), starts(folder, sample)]


def rates(folder: Path, rounds: int) -> Table:
    """Measure puzzles per second of CPU time, the start apart."""
    data = (folder / "whole.txt").read_bytes()
    values = [block.values for block in read_blocks(data)]
    rows = sum(map(len, values))
    more = rows - len((folder / "few.txt").read_text().splitlines())
    solve_arrays(values[0])
    works: dict[str, Work] = {"kernel": lambda: [solve_arrays(block, check=False) for block in values]}
    for name, text in PROGRAMS.items():
        for size in ("few", "whole"):
            works[f"{name} {size}"] = partial(run, text, folder / f"{size}.txt", folder / "out")
    took = in_turn(works, rounds)
    base = rows / took["kernel"]
    found = [("solve_arrays, unchecked", "", f"{base:,.0f}", "1")]
    for name in PROGRAMS:
        rate = more / (took[f"{name} whole"] - took[f"{name} few"])
        found.append((name, f"{took[f'{name} few']:.2f}", f"{rate:,.0f}", f"{rate / base:.2f}"))
    return Table(
        "Files of classic puzzles", ("program", "start, CPU s", "puzzles/s", "share of the kernel's rate"), found
    )


def workers(folder: Path, rounds: int) -> Table:
    """Measure the speed-up of two workers over one, and of two processes with half of the lines each."""
    lines = (folder / "whole.txt").read_text().splitlines(keepends=True) * 2
    parts = {"all": lines, "first": lines[: len(lines) // 2], "second": lines[len(lines) // 2 :]}
    for part, text in parts.items():
        (folder / f"{part}.txt").write_text("".join(text))
    found = []
    for ending in ("txt", "parquet"):
        words = f"solve --unique {{input}} --out {{output}}.{ending}"
        works = {
            str(number): partial(run, f"{words} --workers {number}", folder / "all.txt", folder / "out")
            for number in (1, 2)
        }
        works["apart"] = partial(together, words, folder, ("first", "second"))
        took = in_turn(works, rounds, clock)
        ratios = (took["1"] / took[key] for key in ("2", "apart"))
        found.append((f"solve --unique, to .{ending}", f"{took['1']:.2f}", *(f"{ratio:.2f}" for ratio in ratios)))
    columns = ("program", "one worker, s", "two workers", "two processes")
    return Table("Two workers", columns, found, "Speed-up over one worker.")


def starts(folder: Path, sample: Sample) -> Table:
    """Measure whole processes that answer one puzzle, beside Python's own start."""
    (folder / "one.txt").write_text(sample.classics[0] + "\n")
    works: dict[str, Work] = {"python": partial(subprocess.run, [sys.executable, "-c", "pass"], check=True)}
    works["python, numpy"] = partial(subprocess.run, [sys.executable, "-c", "import numpy"], check=True)
    for name, words in (("solve TEXT", f"solve {sample.classics[0]}"), ("solve FILE", "solve {input}")):
        works[name] = partial(run, words, folder / "one.txt", folder / "out")
    took = in_turn(works, 2 * sample.rounds + 1)
    return Table("From start to answer", ("program", "CPU s"), [(name, f"{time:.2f}") for name, time in took.items()])


def started(words: str, source: Path, target: Path) -> subprocess.Popen[bytes]:
    """Start the program; ``{input}`` and ``{output}`` in its words are the files."""
    arguments = shlex.split(words.format(input=source, output=target))
    return subprocess.Popen([sys.executable, "-m", "sudoku_models", *arguments], stdout=subprocess.DEVNULL)


def run(words: str, source: Path, target: Path) -> None:
    """Run the program; an exit code other than 0 ends the benchmark."""
    if started(words, source, target).wait():
        raise SystemExit(f"{words} has failed")


def together(words: str, folder: Path, names: tuple[str, ...]) -> None:
    """Run a program for each of some files at the same time."""
    running = [started(words, folder / f"{name}.txt", folder / name) for name in names]
    codes = [process.wait() for process in running]
    if any(codes):
        raise SystemExit(f"{words} has failed")


if __name__ == "__main__":
    command(__doc__, tables)
