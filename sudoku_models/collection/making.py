"""Make the collection anew: ``python -m sudoku_models.collection.making --out FOLDER [--only NAME ...] [--jobs N]``.

Every puzzle is made by the verbs of ``sudoku_models.make`` from the seed and its own name, so that it is the same made
alone (``--only``) or among all others, with any number of jobs. Its solutions are counted by two engines that share no
code, both to the end. A run that was stopped goes on where it was: what is in the folder is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

from . import classics, items, made_variants, variant_items
from .variant_recipes import recipes

SEED = 2028


class Made(Protocol):
    """A puzzle of the collection."""

    @property
    def name(self) -> str:
        """Its name."""

    def to_json(self) -> str:
        """Write it as one line."""


def plans() -> dict[str, dict[str, object]]:
    """Return the files and, in the order of their lines, the names of their puzzles with what these are made from."""
    plain = {name: group for group in classics.groups() for name in group.names()}
    variants = {name: recipe for recipe in recipes() for name in recipe.names()}
    return {items.LINES: dict(plain), variant_items.LINES: dict(variants)}


def make_one(name: str, seed: int = SEED) -> Made:
    """Make the puzzle of a name."""
    plan = next(found[name] for found in plans().values() if name in found)
    if isinstance(plan, classics.Group):
        return classics.made(plan, name, seed)
    return made_variants.made(plan, name, seed)  # type: ignore[arg-type]


def _line(work: tuple[str, int]) -> str:
    return make_one(*work).to_json()


def wanted(name: str, only: Sequence[str]) -> bool:
    """Tell whether a name begins with one of ``only``, up to a dash; without any, all are wanted."""
    return not only or any(f"{name}-".startswith(f"{prefix}-") for prefix in only)


def make_file(path: Path, names: Sequence[str], seed: int, jobs: int) -> None:
    """Write the puzzles of these names, a line each; what the file has of them already is kept."""
    lines = _kept(path, set(names))
    missing = [(name, seed) for name in names if name not in lines]
    with path.open("w", encoding="utf-8", newline="\n") as out, _processes(jobs) as executor:
        out.writelines(lines.values())
        made = executor.map(_line, missing) if executor else map(_line, missing)
        for (name, _), line in zip(missing, made, strict=True):
            lines[name] = line + "\n"
            out.write(lines[name])
            out.flush()
            print(name, file=sys.stderr, flush=True)
    path.write_text("".join(lines[name] for name in names), encoding="utf-8", newline="\n")


def _kept(path: Path, names: set[str]) -> dict[str, str]:
    """Return the whole lines of a file that was begun, by name."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
    found = {json.loads(line)["name"]: line for line in lines if line.endswith("\n")}
    return {name: line for name, line in found.items() if name in names}


@contextmanager
def _processes(jobs: int) -> Iterator[Executor | None]:
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as executor:
        yield executor


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m sudoku_models.collection.making", description="Make the collection."
    )
    parser.add_argument("--seed", type=int, default=SEED, help="chooses all chances (default: %(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the two files")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="names, or what they begin with")
    parser.add_argument("--jobs", type=int, default=1, help="processes that work at once")
    options = parser.parse_args(arguments)
    chosen = {file: [name for name in names if wanted(name, options.only)] for file, names in plans().items()}
    if not any(chosen.values()):
        parser.error(f"--only {' '.join(options.only)}: no puzzle is called so")
    options.out.mkdir(parents=True, exist_ok=True)
    for file, names in chosen.items():
        if names:
            make_file(options.out / file, names, options.seed, options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
