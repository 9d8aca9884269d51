"""Are least forms correct? A million relabelled boards, and automorphisms counted in two ways."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_models import Shape
from sudoku_models.collection import puzzles as shipped
from sudoku_models.make import augment, canonical_arrays, generate, grids
from sudoku_models.make.board_forms import board_forms
from sudoku_models.make.grid_forms import grid_forms
from sudoku_models.make.symmetry import ALL_GRIDS, CLASSES_OF_ORDER, SYMMETRIES

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
    found, alike = np.zeros(0, np.int64), 0
    for at in range(0, number, BLOCK):
        whole = grids(min(BLOCK, number - at), seed=at)
        counts, others = grid_forms(whole)[1], np.ones(len(whole), np.int64)
        unsure = np.flatnonzero(~lines_differ(whole))
        if len(unsure):
            others[unsure] = board_forms(whole[unsure], 3, 3)[1]
        wrong = counts != others
        if wrong.any():
            raise SystemExit(f"{whole[wrong.argmax()].tolist()}: two counts of automorphisms differ")
        found, alike = np.concatenate([found, counts]), alike + len(unsure)
    kinds, amounts = np.unique(found, return_counts=True)
    listed = ", ".join(f"{amount:,} have {kind}" for kind, amount in zip(kinds, amounts, strict=True))
    print(f"automorphisms of {number:,} random grids, counted in two ways: {listed} ({alike:,} have lines alike)")
    print(f"expected with more than one: {number * share_with_automorphisms():.1f}")


def share_with_automorphisms() -> float:
    """Return the share of grids that have more than one automorphism: a class has fewer grids the more it has."""
    return float(
        sum(classes * SYMMETRIES / order for order, classes in CLASSES_OF_ORDER.items() if order > 1) / ALL_GRIDS
    )


def lines_differ(whole: Boards) -> Boards:
    """Return for each grid whether what a symmetry keeps is different for each of its 18 rows and columns."""
    squares = whole.reshape(-1, 9, 9).astype(np.int64) - 1
    lines = np.concatenate([seen_from(squares), seen_from(squares.transpose(0, 2, 1))], 1)
    lines.sort(1)
    different: Boards = (np.diff(lines, axis=1) != 0).all(1)
    return different


def seen_from(squares: Boards) -> Boards:
    """Return a number for each row (n x 9): the kinds of its changes with each other row, twice refined by these."""
    places = squares.argsort(2)
    kinds = np.zeros((len(squares), 9, 9), np.int64)
    for first in range(9):
        for second in range(9):
            if first != second:
                kinds[:, first, second] = kind_of(np.take_along_axis(places[:, first], squares[:, second], 1))
                kinds[:, first, second] += 1000 * (first // 3 == second // 3)
    numbers = np.zeros(kinds.shape[:2], np.int64)
    for _ in range(3):
        each = (kinds * 1_000_003 + numbers[:, None, :] * 7_919) % 1_000_000_007
        numbers = numbers * 31 + (each * each % 1_000_000_007 * (each % 998_244_353) % 1_000_000_007).sum(2)
        numbers %= 1_000_000_007
    return numbers


def kind_of(changes: Boards) -> Boards:
    """Return a number for the lengths of the cycles of each permutation (n x 9) that keeps nothing in its place."""
    still, power, number = np.arange(9), changes, np.zeros(len(changes), np.int64)
    for _ in range(3):
        power = np.take_along_axis(changes, power, 1)
        number = 10 * number + (power == still).sum(1)
    return number


if __name__ == "__main__":
    main()
