"""Compare the propagators and the builders of clauses with one another: which of them is the fastest where.

    python benchmarks/cnf_ways.py [--sizes 9 16 25 36 64 100 144] [--data FOLDER] [--processes 5]

A *propagator* decides singles (and locked candidates, if it knows them): the worklist of the kernels, long integers
in plain Python (small boards alone), rounds of numpy. A *builder* writes the clauses of what is left: the compiled
writer behind the worklist, the table of pairs (small boards alone), numpy. For every size and every pair of them that
fits, printed are CPU milliseconds from domains to clauses; no solver runs:

- ``first``: the first puzzle of a process that has numpy and the model already, with the way's imports and tables;
- ``later``: the median of the puzzles after it.

Each way has processes of its own, in turn with the others; medians of them are printed. FOLDER holds
``classic/17_clue.txt`` and ``large/*.txt`` (``81-1.txt`` for a board of 81 a side); a size without a file, or all sizes
without a folder, are generated.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from cnf import pattern

from sudoku_models import Puzzle
from sudoku_models.model import Domain

if TYPE_CHECKING:
    from sudoku_backends.cnf.encoding.encode import Problem
    from sudoku_backends.cnf.encoding.reduce import Narrow
    from sudoku_backends.cnf.encoding.structure import Structure

Way = Callable[[Mapping[str, Domain]], "Problem"]

SIZES = (9, 16, 25, 36, 64, 100, 144)

GIVENS = {9: 0.4, 16: 0.5, 25: 0.55, 36: 0.6}
"""The shares of given cells of generated boards; 0.75 where nothing is said."""


def worklist_and_writer(structure: Structure) -> Way:
    """The compiled worklist, and its own writer of clauses."""
    from sudoku_backends.cnf.encoding.options import EncodingOptions
    from sudoku_backends.cnf.encoding.reduce import read_domains
    from sudoku_backends.cnf.propagation.fast import tables_of

    tables, options = tables_of(structure), EncodingOptions()
    return lambda domains: tables.problem(known(read_domains(structure.space, domains)), options, True)


def worklist_and_numpy(structure: Structure) -> Way:
    """The compiled worklist; numpy writes the clauses, as it does for other encodings and for other constraints."""
    from sudoku_backends.cnf.encoding.options import EncodingOptions
    from sudoku_backends.cnf.encoding.reduce import read_domains
    from sudoku_backends.cnf.propagation.fast import tables_of

    tables, options = tables_of(structure), EncodingOptions()
    tables.plain = False
    return lambda domains: tables.problem(known(read_domains(structure.space, domains)), options, True)


def rounds(structure: Structure) -> Way:
    """Rounds of numpy with locked candidates; numpy writes the clauses."""
    return _numpy(structure, True)


def rounds_of_singles(structure: Structure) -> Way:
    """Rounds of numpy with singles alone; numpy writes the clauses."""
    return _numpy(structure, False)


def _numpy(structure: Structure, locked: bool) -> Way:
    from sudoku_backends.cnf.encoding.encode import Problem, encode
    from sudoku_backends.cnf.encoding.options import EncodingOptions
    from sudoku_backends.cnf.encoding.reduce import reduce
    from sudoku_backends.cnf.propagation.propagate import propagate

    options = EncodingOptions()

    def way(domains: Mapping[str, Domain]) -> Problem:
        reduced = propagate(structure, reduce(structure, domains), locked)
        return Problem(structure, reduced, encode(structure, reduced, options))

    return way


def integers_and_table(structure: Structure) -> Way:
    """Long integers; the table of pairs."""
    from sudoku_backends.cnf.encoding.reduce import read_domains
    from sudoku_backends.cnf.propagation.small import pair_table

    table = pair_table(structure, "extended")
    if table is None:
        raise ValueError("too large")
    return lambda domains: table.problem_of_singles(known(read_domains(structure.space, domains)))


def nothing_and_table(structure: Structure) -> Way:
    """Givens alone; the table of pairs."""
    from sudoku_backends.cnf.encoding.reduce import read_domains
    from sudoku_backends.cnf.propagation.small import pair_table

    table = pair_table(structure, "extended")
    if table is None:
        raise ValueError("too large")
    return lambda domains: table.problem(known(read_domains(structure.space, domains)))


def nothing_and_numpy(structure: Structure) -> Way:
    """Givens alone; numpy."""
    from sudoku_backends.cnf.encoding.encode import Problem, encode
    from sudoku_backends.cnf.encoding.options import EncodingOptions
    from sudoku_backends.cnf.encoding.reduce import reduce

    options = EncodingOptions()

    def way(domains: Mapping[str, Domain]) -> Problem:
        reduced = reduce(structure, domains)
        return Problem(structure, reduced, encode(structure, reduced, options))

    return way


WAYS: dict[str, Callable[[Structure], Way]] = {
    "worklist, its writer": worklist_and_writer,
    "worklist, numpy": worklist_and_numpy,
    "integers, table": integers_and_table,
    "numpy singles, numpy": rounds_of_singles,
    "numpy locked, numpy": rounds,
    "nothing, table": nothing_and_table,
    "nothing, numpy": nothing_and_numpy,
}


def known(found: Narrow | None) -> Narrow:
    """Return what the domains say; ValueError if one of them is empty."""
    if found is None:
        raise ValueError("a domain is empty")
    return found


def boards(side: int, data: Path | None) -> list[Puzzle]:
    """Return the puzzles of a size: of the folder, or generated."""
    if data and side == 9:
        lines = (data / "classic" / "17_clue.txt").read_text().splitlines()
        return [Puzzle.parse(line) for line in lines[:300] if len(line) >= 81]
    paths = sorted((data / "large").glob(f"{side}-*.txt")) if data else []
    if paths:
        return [Puzzle.parse(paths[0].read_text())]
    return [pattern(side, GIVENS.get(side, 0.75), seed) for seed in range(8 if side < 64 else 1)]


def child(name: str, side: int, data: Path | None) -> None:
    """Time one way on one size in this process; print a JSON line."""
    import numpy  # noqa: F401
    from sudoku_backends.cnf.encoding.structure import structure_of

    puzzles = boards(side, data)
    structure = structure_of(puzzles[0].structure)
    asked = list(islice(cycle(puzzle.domains for puzzle in puzzles), 300 if side < 64 else 12))
    started = time.process_time()
    try:
        way = WAYS[name](structure)
        way(asked[0])
    except ValueError:  # no table for a large board
        print("null")
        return
    first = time.process_time() - started
    times, clauses, solved = [], [], 0
    for domains in asked[1:]:
        started = time.process_time()
        problem = way(domains)
        times.append(time.process_time() - started)
        clauses.append(problem.formula.clauses)
        solved += problem.decided
    print(json.dumps([1000 * first, 1000 * median(times), sum(clauses) / len(clauses), solved / len(times)]))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child[0], int(options.child[1]), options.data)
        return
    print(f"{'side':>4}  {'propagator, builder':24}{'first ms':>10}{'later ms':>10}{'clauses':>10}{'settled':>9}")
    for side in options.sizes:
        table(side, options.data, options.processes)


def table(side: int, data: Path | None, processes: int) -> None:
    """Print the lines of one size."""
    found: dict[str, list[list[float]]] = {name: [] for name in WAYS}
    more = ["--data", str(data)] if data else []
    for _ in range(processes):
        for name, rows in found.items():
            command = [sys.executable, __file__, "--child", name, str(side), *more]
            answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            if answer is not None:
                rows.append(answer)
    for name, rows in found.items():
        if rows:
            first, later, clauses, settled = (median(column) for column in zip(*rows, strict=True))
            print(f"{side:4}  {name:24}{first:10.1f}{later:10.3f}{clauses:10,.0f}{settled:9.0%}", flush=True)


if __name__ == "__main__":
    main()
