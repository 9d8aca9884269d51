"""Are least forms right? A million relabelled boards, and automorphisms counted in two ways.

    python -m benchmarks.forms [--pairs 1000000] [--grids 100000] [--reference FILE]

Boards of several kinds (minimal puzzles; puzzles of 17 clues, those of the collection or of FILE, a line each; boards
of few clues and boards of the collection that have automorphisms; full grids) are each relabelled by random symmetries.
A pair is a board and one of its relabelled boards: their least forms and numbers of automorphisms must be equal.

The automorphisms of random grids are counted by the way of full grids (`grid_forms`: from the least band on) and by
that of puzzles (`board_forms`: row by row), which share no step. Known grids are in the tests. Any difference ends with
an error. A million pairs take half a minute of CPU time, 100,000 grids several minutes.

In November 2026: 1,000,000 pairs had equal least forms, 200,000 of them puzzles of 17 clues and 140,190 boards with
automorphisms. AUTOS
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_models import Shape
from sudoku_models.collection import puzzles as shipped
from sudoku_models.make import augment, canonical_arrays, generate, grids
from sudoku_models.make.board_forms import BoardForms
from sudoku_models.make.grid_forms import grid_forms

Boards = Any
EACH = 5
"""Relabelled boards of each board."""

BLOCK = 20_000
SHARES = {"minimal": 0.6, "17 clues": 0.2, "few clues": 0.08, "with automorphisms": 0.07, "full grids": 0.05}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--grids", type=int, default=100_000)
    parser.add_argument("--reference", type=Path, help="puzzles of 17 clues")
    options = parser.parse_args()
    total, regular = 0, 0
    for kind, share in SHARES.items():
        number = -(-int(options.pairs * share) // EACH)
        some = relabelled(kind, boards_of(kind, number, options.reference))
        total, regular = total + EACH * number, regular + EACH * some
    print(f"{total:,} pairs have equal least forms, {regular:,} of them boards with automorphisms")
    counted(options.grids)


def boards_of(kind: str, number: int, reference: Path | None) -> Boards:
    """Return that many boards of a kind, some of them more than once where there are fewer."""
    if kind == "minimal":
        return generate(number, seed=11).values
    if kind == "full grids":
        return grids(number, seed=11)
    if kind == "few clues":
        chance = np.random.default_rng(11)
        shown = chance.random((number, 81)).argsort(1) < chance.integers(3, 13, (number, 1))
        return grids(number, seed=12) * shown
    known = classics()
    if kind == "17 clues":
        known = known[(known > 0).sum(1) == 17] if reference is None else read(reference)
    else:
        known = known[canonical_arrays(known).automorphisms > 1]
    return np.resize(known, (number, 81))


def classics() -> Boards:
    """Return the classic boards of the collection."""
    found = (item.puzzle for item in shipped(side=9))
    return rows("\n".join(puzzle.to_line() for puzzle in found if puzzle.shape == Shape.square(9)))


def read(path: Path) -> Boards:
    """Return the puzzles of a file, a line each."""
    return rows(path.read_text())


def rows(text: str) -> Boards:
    """Return the lines of 81 characters of a text as boards."""
    lines = [line.split()[0].replace(".", "0") for line in text.splitlines() if len(line) >= 81]
    return np.array([list(map(int, line[:81])) for line in lines], np.uint8)


def relabelled(kind: str, boards: Boards) -> int:
    """Compare the least forms of boards and of their relabelled ones; return how many boards have automorphisms."""
    start, some = time.process_time(), 0
    for at in range(0, len(boards), BLOCK):
        block = boards[at : at + BLOCK]
        forms = canonical_arrays(block)
        some += int((forms.automorphisms > 1).sum())
        for seed in range(EACH):
            others = canonical_arrays(augment(block, seed=EACH * at + seed)[0])
            differ = (forms.boards != others.boards).any(1) | (forms.automorphisms != others.automorphisms)
            if differ.any():
                raise SystemExit(
                    f"{kind}: {block[differ.argmax()].tolist()} and a relabelled board differ in their form"
                )
    seconds = time.process_time() - start
    print(f"{kind}: {len(boards):,} boards, {EACH} relabelled ones each, {seconds:.0f} s of CPU", flush=True)
    return some


def counted(number: int) -> None:
    """Count the automorphisms of random grids in two ways, and print how many grids have how many."""
    rows_first, found = BoardForms(9, 3, 3), np.zeros(0, np.int64)
    for at in range(0, number, BLOCK):
        whole = grids(min(BLOCK, number - at), seed=at)
        counts = grid_forms(whole)[1]
        forms, ways, _, _ = rows_first.of(whole)
        wrong = counts != rows_first.automorphisms(forms, ways)
        if wrong.any():
            raise SystemExit(f"{whole[wrong.argmax()].tolist()}: two counts of automorphisms differ")
        found = np.concatenate([found, counts])
    kinds, amounts = np.unique(found, return_counts=True)
    listed = ", ".join(f"{amount:,} have {kind}" for kind, amount in zip(kinds, amounts, strict=True))
    print(f"automorphisms of {number:,} random grids, counted in two ways: {listed}")


if __name__ == "__main__":
    main()
