"""The demonstration, ``python -m sudoku_models.collection.demo``: one puzzle solved, all backends compared on many."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from ..compare import Comparison, compare
from ..engine.registry import listings
from ..verbs.solving import solve
from .items import Item, puzzles

TIME_LIMIT = 2.0
"""Seconds for one puzzle on one backend, so that even the slowest pair ends soon."""

SHOWN = "9x9-hard-01"

SELECTED = {
    "9x9-easy": 10,
    "9x9-medium": 10,
    "9x9-hard": 12,
    "9x9-extreme": 2,
    "9x9-several": 3,
    "9x9-none": 2,
    "4x4": 3,
    "6x6": 4,
    "8x8": 3,
    "10x10": 3,
    "12x12-easy": 2,
    "16x16-easy": 2,
    "irregular-6": 2,
    "irregular-9-easy": 2,
    "latin-7": 2,
}
"""How many puzzles of each group are compared, spread over the group: hard ones are sorted by rating."""

EXIT_DISAGREE = 4

EXPLANATION = """\
sudoku-models states a Sudoku once, as a declarative constraint model: one variable a cell, one all-different
constraint a house. Every backend solves that one model, and every answer is checked against it."""


def selected() -> list[Item]:
    """Return the puzzles of the comparison."""
    groups = ((puzzles(group), amount) for group, amount in SELECTED.items())
    return [items[i * len(items) // amount] for items, amount in groups for i in range(amount)]


def main() -> int:
    """Print the demonstration; return the exit code: 4 if an answer is wrong, otherwise 0."""
    print(EXPLANATION)
    _show_one(puzzles(SHOWN)[0])
    comparison = _compared(selected())
    print(comparison)
    print(_next_steps())
    return 0 if comparison.agree else EXIT_DISAGREE


def _show_one(item: Item) -> None:
    result = solve(item.puzzle, unique=True)
    only = "its only solution" if result.unique else "a solution"
    print(f"\nA puzzle with {item.clues} givens, {item.name} of the collection:\n\n{item.puzzle}")
    print(f"\nand {only}, found by {result.record.backend}:\n\n{result.grid}\n")


def _next_steps() -> str:
    """Return three commands to try next, as they can be typed in this folder."""
    program = "sudoku-models"
    beside = Path(sys.executable).with_name(program)
    if not shutil.which(program) and beside.exists():
        program = os.path.relpath(beside) if beside.is_relative_to(Path.cwd()) else str(beside)
    line = puzzles("9x9-easy")[0].puzzle.to_line()
    commands = {
        f"{program} hint {line}": "the next step of a puzzle, and why",
        f"{program} page {line} --out puzzle.html": "a page on which you can solve it",
        f"{program} generate --number 20 | {program} compare --report report.html": "new puzzles, compared on a page",
    }
    return "\nTry next:\n" + "".join(f"\n  # {what}\n  {command}\n" for command, what in commands.items())


def _compared(items: Sequence[Item]) -> Comparison:
    names = [listing.name for listing in listings() if not listing.problem]
    missing = [f"{listing.name} is left out: {listing.problem}" for listing in listings() if listing.problem]
    sides = sorted({item.puzzle.shape.height for item in items})
    print(f"{len(items)} puzzles of sides {', '.join(map(str, sides))} on {', '.join(names)};")
    print(f"each is solved, and proved to be unique or not, in at most {TIME_LIMIT:g} s a backend.")
    print("\n".join(missing), end="\n" if missing else "", flush=True)
    started = time.perf_counter()
    comparison = compare([item.puzzle for item in items], names, time_limit=TIME_LIMIT, progress=sys.stderr.isatty())
    print(f"Done in {time.perf_counter() - started:.0f} s.\n")
    return comparison


if __name__ == "__main__":
    sys.exit(main())
