"""The cost of the road in addition to the engine: each phase from text to checked grid, on every backend."""

from __future__ import annotations

import argparse
import time
from statistics import median

from by_hand import puzzles

from sudoku_models import solve
from sudoku_models.engine import listings

PHASES = ("parse", "lower", "compile", "encode", "run", "decode", "check")


def profile(backend: str, texts: list[str], unique: bool) -> None:
    """Print one line for a backend."""
    for text in texts[:5]:
        solve(text, backend, unique=unique)
    columns: dict[str, list[float]] = {phase: [] for phase in PHASES}
    totals = []
    for text in texts:
        start = time.process_time()
        record = solve(text, backend, unique=unique).record
        totals.append(time.process_time() - start)
        for phase in PHASES:
            columns[phase].append(record.phases[phase].cpu if phase in record.phases else 0.0)
    cells = "".join(f"{1e6 * median(times):10.1f}" for times in columns.values())
    total, run = median(totals), median(columns["run"])
    print(f"{backend:28}{cells}{1e6 * total:10.1f}{100 * (total - run) / run:8.1f} %", flush=True)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", help="one puzzle of 81 characters a line")
    parser.add_argument("--first", type=int, default=200, help="how many puzzles (default 200)")
    parser.add_argument("--backend", action="append", help="a specification; default: all that are installed")
    parser.add_argument("--unique", action="store_true", help="with the proof of uniqueness")
    options = parser.parse_args()
    texts = puzzles(options.file, options.first)
    print(f"{len(texts)} puzzles; median CPU us a puzzle by phase, warm")
    print(f"{'backend':28}" + "".join(f"{phase:>10}" for phase in (*PHASES, "total")) + f"{'rest':>9}")
    for backend in options.backend or [listing.name for listing in listings() if not listing.problem]:
        profile(backend, texts, options.unique)


if __name__ == "__main__":
    main()
