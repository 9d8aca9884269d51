"""Compare proofs from a plain search tree with those of the search with clause learning, for classic 9x9 puzzles.

    python benchmarks/search_trees.py [FILE] [--first 200]

The tree is that of a bulk solver: single candidates and, with ``locked``, locked candidates; then the open cell of
fewest candidates is tried, value by value. A branch that dies leaves one clause, the contrary of its decisions, which
follows by unit propagation from the formula of the certificate; a candidate that is locked out leaves one too. FILE
holds one puzzle of 81 characters a line, each with one solution. Printed are medians a puzzle: milliseconds of CPU
time for the tree alone (without hints), for the search ``cdcl`` with its hints, for hints found for the clauses of the
tree; lemmas of the tree as written, and the bytes (four a number) and the time of the check of each whole proof. Each
proof is checked.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Any

import numpy as np
from by_hand import HOUSES, puzzles
from certificates import timed

from sudoku_models import Puzzle, solve
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.kept_kernel import kept_kernel
from sudoku_models.engine.refutation import chosen, derived
from sudoku_models.prove import Claim
from sudoku_models.prove.certify import cnf_of
from sudoku_models.prove.encoding import claim_clauses, formula_of
from sudoku_models.prove.formula import FlatFormula
from sudoku_models.prove.lrat_fast import accepted
from sudoku_models.prove.statement import Statement

CELLS = np.array([[9 * r + c for r, c in house] for house in HOUSES], np.int64)
CROSSED = np.array([[len(set(a) & set(b)) for b in CELLS.tolist()] for a in CELLS.tolist()], np.int64)
ROOM = 4_000_000

kernel: Any = kept_kernel


@kernel
def tree(masks, solution, houses, crossed, locked, out):  # type: ignore[no-untyped-def]
    """Search for another solution than one; write the clauses of what dies; return how many numbers, or -1."""
    stack = np.empty((82, 81), np.int64)
    decided = np.zeros(82, np.int64)
    stack[0] = masks
    depth, size = 0, 0
    while True:
        dead, size = narrowed(stack[depth], houses, crossed, locked, decided, depth, out, size)
        if size < 0 or size > len(out) - 100:
            return -1
        if not dead and fewest(stack[depth]) < 0:
            dead = True  # the solution, which the formula rules out
            for cell in range(81):
                if stack[depth, cell] != solution[cell]:
                    return -1
        if not dead:
            cell = fewest(stack[depth])
            bit = stack[depth, cell] & -stack[depth, cell]
            depth += 1
            stack[depth] = stack[depth - 1]
            stack[depth, cell] = bit
            stack[depth - 1, cell] ^= bit
            decided[depth] = 9 * cell + digit(bit) + 1
            continue
        size = written(decided, depth, 0, out, size)
        if depth == 0:
            return size
        depth -= 1


@kernel
def written(decided, depth, last, out, size):  # type: ignore[no-untyped-def]
    """Write the contrary of the decisions, and of one literal more if it is not 0."""
    if last:
        out[size] = -last
        size += 1
    for k in range(depth, 0, -1):
        out[size] = -decided[k]
        size += 1
    out[size] = 0
    return size + 1


@kernel
def digit(bit):  # type: ignore[no-untyped-def]
    """Return the number of a single bit."""
    k = 0
    while bit > 1:
        bit >>= 1
        k += 1
    return k


@kernel
def count(mask):  # type: ignore[no-untyped-def]
    """Return how many bits are set."""
    k = 0
    while mask:
        mask &= mask - 1
        k += 1
    return k


@kernel
def fewest(masks):  # type: ignore[no-untyped-def]
    """Return the open cell of fewest candidates; -1 when all are decided."""
    best, found = 10, -1
    for cell in range(81):
        n = count(masks[cell])
        if 1 < n < best:
            best, found = n, cell
    return found


@kernel
def narrowed(masks, houses, crossed, locked, decided, depth, out, size):  # type: ignore[no-untyped-def]
    """Take out what singles, and locked candidates, rule out; return whether nothing is left, and the size."""
    changed = True
    while changed:
        changed = False
        for h in range(27):
            once, twice, single = 0, 0, 0
            for k in range(9):
                mask = masks[houses[h, k]]
                if mask == 0:
                    return True, size
                twice |= once & mask
                once |= mask
                if mask & (mask - 1) == 0:
                    if single & mask:
                        return True, size
                    single |= mask
            if once != 511:
                return True, size
            hidden = once & ~twice & ~single
            for k in range(9):
                mask = masks[houses[h, k]]
                if mask & (mask - 1) == 0:
                    continue
                left = mask & hidden if mask & hidden else mask & ~single
                if left & (left - 1) and mask & hidden:
                    return True, size
                if left != mask:
                    masks[houses[h, k]] = left
                    changed = True
        if not changed and locked:
            before = size
            size = locked_out(masks, houses, crossed, decided, depth, out, size)
            changed = size != before
            if size > len(out) - 2000:
                return True, -1
    return False, size


@kernel
def locked_out(masks, houses, crossed, decided, depth, out, size):  # type: ignore[no-untyped-def]
    """Of two houses with three cells in common: what lies there in one is no candidate in the rest of the other."""
    for a in range(27):
        for b in range(27):
            if a == b or crossed[a, b] != 3:
                continue
            outside, common = 0, 0
            for k in range(9):
                if inside(houses, b, houses[a, k]):
                    common |= masks[houses[a, k]]
                else:
                    outside |= masks[houses[a, k]]
            only = common & ~outside
            for k in range(9):
                cell = houses[b, k]
                gone = masks[cell] & only
                if gone and not inside(houses, a, cell):
                    masks[cell] ^= gone
                    while gone:
                        size = written(decided, depth, 9 * cell + digit(gone & -gone) + 1, out, size)
                        gone &= gone - 1
                    return size
    return size


@kernel
def inside(houses, h, cell):  # type: ignore[no-untyped-def]
    """Return whether a cell is in a house."""
    found = False
    for k in range(9):
        found = found or houses[h, k] == cell
    return found


def clauses_of(numbers: Any) -> list[tuple[int, ...]]:
    """Return the clauses that are written one after the other, each ended by 0."""
    found, clause = [], list[int]()
    for x in numbers.tolist():
        if x:
            clause.append(x)
        else:
            found.append(tuple(clause))
            clause = []
    return found


class Both:
    """Asks the tree and the search of one formula after the other."""

    def __init__(self) -> None:
        self.base = formula_of(Puzzle.parse("." * 81).structure)
        engine: Any = chosen("cdcl")[1]
        self.shared = engine.shared(cnf_of(self.base))
        self.out = np.empty(ROOM, np.int64)
        self.rows: list[list[float]] = []

    def ask(self, text: str) -> None:
        """Time all of it for a puzzle; if the tree takes too many clauses, it is left out and this is printed."""
        puzzle = Puzzle.parse(text)
        answer = solve(puzzle, unique=True).solution
        assert answer is not None
        more = self.base.beyond()
        claim_clauses(more, Statement.of(puzzle), Claim.UNIQUE, (answer,))
        learning, learned = timed(lambda: self.shared.refute(more.numbers, Budget()))
        row: list[float] = [learning]
        whole = self._whole(more)
        numbers = np.array(whole.numbers, np.int32)
        starts = np.flatnonzero(np.concatenate(([0], numbers)) == 0).astype(np.int32)
        for locked in (False, True):
            growing, size = timed(lambda locked=locked: self._tree(puzzle, answer, locked))  # type: ignore[misc]
            if size < 0:
                print(f"{text}: more than {ROOM:,} numbers")
                return
            lemmas = clauses_of(self.out[:size])
            hinting, proof = timed(lambda lemmas=lemmas: derived(cnf_of(whole), lemmas, None, every=True))  # type: ignore[misc]
            assert proof is not None
            checking, good = timed(lambda proof=proof: accepted(numbers, starts, proof))  # type: ignore[misc]
            assert good
            row += [growing, hinting, len(lemmas), 4 * len(proof), checking]
        checking, lemmas_learned = timed(lambda: accepted(numbers, starts, learned))
        assert lemmas_learned
        self.rows.append([*row, lemmas_learned, 4 * len(learned), checking])

    def _tree(self, puzzle: Puzzle, answer: tuple[int, ...], locked: bool) -> int:
        masks = np.array([511 if x is None else 1 << (x - 1) for x in puzzle.givens], np.int64)
        return int(tree(masks, np.array([1 << (x - 1) for x in answer], np.int64), CELLS, CROSSED, locked, self.out))

    def _whole(self, more: FlatFormula) -> FlatFormula:
        whole = self.base.copy()
        for clause in more:
            whole.add(clause)
        return whole


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--first", type=int, default=200)
    options = parser.parse_args()
    both = Both()
    texts = puzzles(options.file, options.first)
    for text in [*texts[:3], *texts]:
        both.ask(text)
    columns = [median(column) for column in zip(*both.rows[3:], strict=True)]
    print(f"{len(both.rows) - 3} puzzles{'search':>12}{'hints':>10}{'lemmas':>10}{'bytes':>12}{'check':>10}")
    print(f"{'cdcl':12}{columns[0]:12.3f}{'':10}{columns[-3]:10.0f}{columns[-2]:12.0f}{columns[-1]:10.3f}")
    for name, at in (("tree", 1), ("tree, locked", 6)):
        search, hints, lemmas, size, check = columns[at : at + 5]
        print(f"{name:12}{search:12.3f}{hints:10.3f}{lemmas:10.0f}{size:12.0f}{check:10.3f}")


if __name__ == "__main__":
    main()
