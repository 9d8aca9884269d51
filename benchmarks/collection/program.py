"""What both makers share: the command line, and the proof of a number of solutions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from sudoku_models.errors import WrongAnswer
from sudoku_models.puzzle import Puzzle
from sudoku_models.verbs.solving import count


class Made(Protocol):
    """A puzzle of the collection, made and proved."""

    @property
    def name(self) -> str:
        """Its name, unique in its file."""

    @property
    def clues(self) -> int:
        """How many givens it has."""

    @property
    def solutions(self) -> int:
        """How many solutions it has."""

    def to_json(self) -> str:
        """Write it as one line."""


Make = Callable[[int, Sequence[str]], Iterable[Made]]
"""Makes, of a seed, the puzzles whose names begin with one of those given, or all."""


def wanted(name: str, only: Sequence[str]) -> bool:
    """Tell whether a name begins with one of ``only``, up to a dash; without any, all are wanted."""
    return not only or any(f"{name}-".startswith(f"{prefix}-") for prefix in only)


def prove(puzzle: Puzzle, provers: Sequence[str], most: int, text: str) -> int:
    """Count the solutions on every backend; WrongAnswer (of ``text``) when they disagree or find more than ``most``."""
    counts = [count(puzzle, backend, limit=most) for backend in provers]
    if len({(found.value, found.exact) for found in counts}) != 1 or not counts[0].exact:
        told = ", ".join(f"{backend} {found}" for backend, found in zip(provers, counts, strict=True))
        raise WrongAnswer(f"the number of solutions is not proved: {told}: {text}")
    return counts[0].value


def run(module: str, seed: int, make: Make, names: Iterable[str], arguments: Sequence[str] | None) -> int:
    """Run a maker's command line: a JSON object a line into ``--out``, a word on each to standard error."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description="Make puzzles of the collection.")
    parser.add_argument("--seed", type=int, default=seed, help="chooses all chances (default: %(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="the file to write, one JSON object a line")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="names, or what they begin with")
    options = parser.parse_args(arguments)
    if not any(wanted(name, options.only) for name in names):
        parser.error(f"--only {' '.join(options.only)}: no puzzle is called so")
    with options.out.open("w", encoding="utf-8", newline="\n") as out:
        for item in make(options.seed, options.only):
            out.write(item.to_json() + "\n")
            out.flush()
            print(f"{item.name}: {item.clues} clues, {item.solutions} solutions", file=sys.stderr)
    return 0
