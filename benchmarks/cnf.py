"""The road through clauses: encoding, loading, solving, from text to checked grid, on small and large boards.

    python benchmarks/cnf.py [--data FOLDER] [--first 200] [--boards 400]

FOLDER holds ``classic/*.txt`` (81 characters a line) and ``large/*.txt`` (rows of numbers, '.' or 0 for open cells);
without it generated boards are used. Printed are

- for lines of 81: mean CPU milliseconds a puzzle from text to checked grid with the proof of uniqueness (limit 2);
- for large boards: seconds from text to a checked grid, and by phase;
- for the encoding alone: milliseconds, peak megabytes of arrays, clauses;

each by pycosat's documented way where that is bearable, and with propagation before the encoding.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from math import isqrt
from pathlib import Path

from by_hand import pycosat_by_hand
from sudoku_backends.cnf.pycosat import BACKEND, PycosatCompiled, PycosatOptions

from sudoku_models import Puzzle
from sudoku_models.engine.contract import Request
from sudoku_models.engine.machine_code.library import possible
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import run
from sudoku_models.puzzle.shape import Shape


def ways() -> Iterator[tuple[str, str]]:
    """Yield (name, specification) of each way; kernels are used where there can be machine code."""
    yield "no propagation", "pycosat:propagate=none"
    for level in ("singles", "locked"):
        yield f"{level} ({'machine code' if possible() else 'plain Python'})", f"pycosat:propagate={level}"


def pattern(n: int, share: float, seed: int) -> Puzzle:
    """A board from a shifted pattern, its values, rows and columns shuffled, with a share of the cells given."""
    rng, k = random.Random(seed), isqrt(n)
    values = rng.sample(range(1, n + 1), n)
    rows, columns = (
        [band * k + line for band in rng.sample(range(k), k) for line in rng.sample(range(k), k)] for _ in range(2)
    )
    full = [values[(r % k * k + r // k + c) % n] for r in rows for c in columns]
    return Puzzle(Shape.square(n), tuple(v if rng.random() < share else None for v in full))


def solved(text: str | Puzzle, spec: str, limit: int, wanted: int) -> Record:
    """Go from text to checked grids; the road checks each one."""
    puzzle = Puzzle.parse(text) if isinstance(text, str) else text
    found = run(puzzle.structure, spec, Request(domains=puzzle.domains, limit=limit))
    count = sum(1 for _ in found)
    if count != wanted:
        raise SystemExit(f"{spec}: {count} solutions where {wanted} are expected")
    return found.record


def cpu(step: Callable[[], object]) -> float:
    """Return the CPU seconds of a step."""
    start = time.process_time()
    step()
    return time.process_time() - start


def small(name: str, lines: list[str], wanted: int) -> None:
    """Time each way on the same puzzles, in turn."""
    table: dict[str, list[float]] = {way: [] for way, _ in ways()}
    for _, spec in ways():
        for line in lines[:3]:
            solved(line, spec, 2, wanted)
    for line in lines:
        for way, spec in ways():
            table[way].append(cpu(partial(solved, line, spec, 2, wanted)))
    for way, times in table.items():
        times.sort()
        mean = 1000 * sum(times) / len(times)
        print(f"{name:24}{way:24}{mean:10.3f}{1000 * times[len(times) // 2]:10.3f}")
    if wanted == 1:
        hand = [1000 * cpu(partial(pycosat_by_hand, line)) for line in lines[:30]]
        print(f"{name:24}{'documented, no proof':24}{sum(hand) / len(hand):10.3f}{sorted(hand)[len(hand) // 2]:10.3f}")


def large(name: str, text: str | Puzzle) -> None:
    """Time each way on one board, warm, and print the phases."""
    for way, spec in ways():
        solved(text, spec, 1, 1)
        start = time.perf_counter()
        record = solved(text, spec, 1, 1)
        total = time.perf_counter() - start
        phases = (f"{phase} {entry.wall:.4f}" for phase, entry in record.phases.items())
        where = "child" if record.isolated else ""
        print(f"{name:15}{way:20}{total:9.4f} s   {'   '.join(phases)}   {where}", flush=True)


def encoding(name: str, puzzle: Puzzle) -> None:
    """Time the encoding of one board, best of five, and print its peak memory and size."""
    domains = puzzle.domains
    for way, spec in ways():
        level = spec.rpartition("=")[2]
        form: PycosatCompiled = BACKEND.compile(puzzle.structure, PycosatOptions(propagate=level))
        problem = form.problem(domains)
        clauses, variables = problem.formula.clauses, problem.formula.variables
        best = min(cpu(partial(form.problem, domains)) for _ in range(5))
        del problem
        tracemalloc.start()
        form.problem(domains)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        figures = f"{1000 * best:10.3f} ms{peak / 1e6:10.1f} MB{variables:10}{clauses:12}"
        print(f"{name:15}{way:20}{figures}", flush=True)


def lines_of(folder: Path | None, first: int) -> Iterator[tuple[str, list[str], int]]:
    """Yield (name, lines, solutions to find) of each file of a folder, or of the collection."""
    if folder is None:
        from sudoku_models.collection import puzzles

        yield "shipped", [p.puzzle.to_line() for p in puzzles("9x9") if p.solutions == 1][:first], 1
        return
    for path in sorted((folder / "classic").glob("*.txt")):
        lines = [line for line in path.read_text().splitlines() if line[:1] not in ("", "#")]
        yield path.stem, lines[:first], 2 if path.stem.startswith("several") else 1


def boards(folder: Path | None) -> Iterator[tuple[str, str | Puzzle]]:
    """Yield (name, board) of a folder's large boards, or generated ones."""
    paths = sorted((folder / "large").glob("*.txt"), key=lambda p: int(p.stem.split("-")[0])) if folder else []
    for path in paths:
        yield path.stem, path.read_text()
    if not paths:
        for n in (16, 25, 64, 100, 144):
            yield f"generated {n}", pattern(n, 0.6 if n < 36 else 0.75, n)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="a folder with classic/*.txt and large/*.txt")
    parser.add_argument("--first", type=int, default=200, help="how many lines of each file (default 200)")
    parser.add_argument("--boards", type=int, default=400, help="the largest generated board (default 400)")
    options = parser.parse_args()
    print(f"{'81 cells, limit 2':24}{'way':24}{'mean ms':>10}{'median':>10}")
    for name, lines, wanted in lines_of(options.data, options.first):
        small(name, lines, wanted)
    print("\nlarge boards, text to checked grid, first solution")
    found = list(boards(options.data))
    for name, text in found:
        large(name, text)
    print(f"\n{'encoding':15}{'way':20}{'time':>13}{'peak':>13}{'variables':>10}{'clauses':>12}")
    for name, text in found:
        encoding(name, Puzzle.parse(text) if isinstance(text, str) else text)
    for n, share in ((225, 0.67), (400, 0.8)):
        if n <= options.boards:
            encoding(f"generated {n}", pattern(n, share, 1))


if __name__ == "__main__":
    main()
