"""Make the collection anew: ``python -m benchmarks.collection --out FOLDER [--only NAME ...] [--jobs N]``.

Every puzzle is made by the verbs of ``sudoku_models.make``: those of a group ("9x9-hard") and each variant from the
seed and its name, so that they are the same made alone (``--only``) or among all others, with any number of jobs.
Solutions are counted by two engines that share no code, both to the end.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from sudoku_models.collection import Variant, items
from sudoku_models.collection.items import Item
from sudoku_models.formats.target import replaced

from . import classics, made_variants
from .variant_recipes import recipes

SEED = 2028


def plans() -> dict[str, list[str]]:
    """Return for each file its contents, in order: names of groups of plain puzzles, names of variants."""
    plain = [group.name for group in classics.groups()]
    variants = [name for recipe in recipes() for name in recipe.names()]
    return {items.LINES[Item]: plain, items.LINES[Variant]: variants}


def made(name: str, seed: int = SEED) -> list[Item | Variant]:
    """Make the puzzles of a group, or one variant."""
    group = next((group for group in classics.groups() if group.name == name), None)
    if group is not None:
        return list(classics.made(group, seed))
    recipe = next(recipe for recipe in recipes() if name in recipe.names())
    return [made_variants.made(recipe, name, seed)]


def _lines(work: tuple[str, int]) -> str:
    return "".join(f"{item.to_json()}\n" for item in made(*work))


def wanted(name: str, only: str) -> bool:
    """Return whether ``only`` is the name, or all of it but the number: "9x9-hard", "9x9-killer", "9x9-killer-02"."""
    return only in (name, re.sub(r"-\d+$", "", name))


def make_file(path: Path, names: Sequence[str], seed: int, jobs: int) -> None:
    """Write the puzzles of these names, a line each; the file appears when it is complete."""
    with replaced(str(path)) as file, _processes(jobs) as executor:
        work = [(name, seed) for name in names]
        for name, lines in zip(names, (executor.map if executor else map)(_lines, work), strict=True):
            file.write(lines.encode())
            print(name, file=sys.stderr, flush=True)


@contextmanager
def _processes(jobs: int) -> Iterator[Executor | None]:
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as executor:
        yield executor


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collection", description="Make the collection.")
    parser.add_argument("--seed", type=int, default=SEED, help="chooses all chances (default: %(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the two files")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="groups or variants (9x9-hard)")
    parser.add_argument("--jobs", type=int, default=1, help="processes that work at once")
    options = parser.parse_args(arguments)
    chosen = plans()
    for only in options.only:
        if not any(wanted(name, only) for names in chosen.values() for name in names):
            parser.error(f"--only {only}: no group and no variant is called so")
    if options.only:
        chosen = {file: [n for n in names if any(wanted(n, o) for o in options.only)] for file, names in chosen.items()}
    options.out.mkdir(parents=True, exist_ok=True)
    for file, names in chosen.items():
        if names:
            make_file(options.out / file, names, options.seed, options.jobs)
    return 0
