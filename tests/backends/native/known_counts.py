"""Every puzzle whose number of solutions is known: ``python -m tests.backends.native.known_counts FOLDER``.

The folder has files ``*counts*.jsonl``: lines of JSON with ``name``, ``constraints`` and ``count``. Each puzzle is
asked one by one, in blocks, and with all reasoning left out that can be. Every difference is printed;
the exit code is 1 when there was one. The tests ask a third of them, in one way.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from sudoku_models import Puzzle, count, solutions

from .ways import PARTS


def answers(puzzle: Puzzle) -> Iterator[tuple[str, int]]:
    """Yield the number of solutions in each way to ask."""
    with solutions(puzzle, "native") as found:
        yield "one by one", sum(1 for _ in found)
    yield "in blocks", count(puzzle, "native").value
    yield "with nothing that can be left out", count(puzzle, f"native:without={'+'.join(PARTS)}").value


def main() -> None:
    """Ask for all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    files = sorted(parser.parse_args().folder.glob("*counts*.jsonl"))
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    wrong, asked, started = 0, 0, time.process_time()
    for row in rows:
        for way, found in answers(Puzzle.parse(row["constraints"])):
            asked += 1
            if found != row["count"]:
                wrong += 1
                print(f"{row['name']}: {found} {way}, {row['count']} expected: {row['constraints']}", flush=True)
    total = sum(row["count"] for row in rows)
    took = time.process_time() - started
    print(
        f"{len(rows)} puzzles with {total:,} solutions, {asked} answers, {wrong} differ; {took:.0f} s of the processor"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
