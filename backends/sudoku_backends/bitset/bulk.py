"""Solve many puzzles on any number of threads: arrays or text in, arrays out."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.errors import FormatError

from .driver import CHARACTERS, MASKS, VALUES
from .solver import BYTES, CELLS, Answers, PuzzleBytes, SolverPool, WrongCharacter

ALL = 0x1FF
CHUNK = 16384
"""The most puzzles in a chunk of work for a thread: many, to reduce the loss at its end, when lanes are idle."""

LEAST = 512
"""The number of puzzles that justifies a further thread."""

TRIES, EACH = 256, 8
"""Candidates tried together: the first number in total if there are few puzzles, otherwise the second for each puzzle.
"""

PORTION = 2048
"""Puzzles whose candidates are searched together: each takes some kilobytes."""

Expired = Callable[[], bool] | None


class BulkSolver:
    """Solves classic 9 x 9 puzzles in row order; cells are 1 to 9, and a candidate mask has bit v - 1 for value v.

    Any number of threads may use it at the same time.
    """

    def __init__(self, lanes: int | None = None, pool: SolverPool | None = None) -> None:
        """Solve with vectors of 4, 8 or 16 lanes (None: as wide as the machine's), with a pool's solvers if given."""
        self.pool = pool or SolverPool(lanes)

    def solve(self, grids: NDArray[Any], limit: int = 2, workers: int = 1, expired: Expired = None) -> Answers:
        """Count solutions up to a limit, and return the first of each puzzle.

        ``grids`` is uint8 of shape (n, 81), values with 0 for open, or uint16, candidate masks. The first solution
        depends only on the puzzle. Givens that clash have no solution. ``expired`` is called every few milliseconds; if
        it returns True, the unanswered puzzles keep the status 0, without a count and a solution.
        """
        return self._solve(source_of(grids), limit, workers, expired)

    def solve_text(
        self, text: bytes, n: int | None = None, stride: int = 82, limit: int = 2, workers: int = 1,
        expired: Expired = None,
    ) -> Answers:  # fmt: skip
        """Solve n puzzles of 81 characters (1 to 9; 0 or a dot where open), one every ``stride`` bytes.

        Without n: all puzzles in the text; the last separator may be missing. FormatError gives the place of a
        character that is not one of these, or of a text that ends too soon.
        """
        data = np.frombuffer(text, np.uint8)
        if stride < CELLS:
            raise ValueError(f"a stride of {stride}: at least {CELLS}, the characters of a puzzle, are expected")
        n = -(-len(data) // stride) if n is None else n
        if n and len(data) < (n - 1) * stride + CELLS:
            number = len(data) // stride
            raise FormatError(f"{len(data) - number * stride} characters: {CELLS} are expected", line=number + 1)
        return self._solve(PuzzleBytes(data, n, stride, CHARACTERS), limit, workers, expired)

    def candidates(self, grids: NDArray[Any], workers: int = 1, expired: Expired = None) -> NDArray[np.uint16] | None:
        """Return the values that each cell has in at least one solution, as masks of shape (n, 81); None if expired.

        A puzzle without a solution has none in any cell.
        """
        masks = masks_of(grids)
        found = np.zeros_like(masks)
        for start in range(0, len(masks), PORTION):
            part = slice(start, start + PORTION)
            if not self._find_candidates(masks[part], found[part], workers, expired):
                return None
        return found

    def _find_candidates(
        self, masks: NDArray[np.uint16], found: NDArray[np.uint16], workers: int, expired: Expired
    ) -> bool:
        answers = self.solve(masks, 2, workers, expired)
        _witness(found, np.arange(len(masks)), answers)
        several = np.flatnonzero(answers.count > 1)
        while len(several) and not (expired and expired()):
            several = self._try_candidates(masks, found, several, workers, expired)
        return not len(several) and bool(answers.status.all())

    def _try_candidates(
        self,
        masks: NDArray[np.uint16],
        found: NDArray[np.uint16],
        several: NDArray[Any],
        workers: int,
        expired: Expired,
    ) -> NDArray[Any]:
        """Try some candidates not yet seen in a solution, find or refute them; return the puzzles with more."""
        puzzle, cell, bit = _untried(masks, found, several)
        if not len(puzzle):
            return puzzle
        tries = masks[puzzle]
        tries[np.arange(len(puzzle)), cell] = bit
        answers = self.solve(tries, 1, workers, expired)
        _witness(found, puzzle, answers)
        refuted = (answers.count == 0) & (answers.status > 0)
        np.bitwise_and.at(masks, (puzzle[refuted], cell[refuted]), ~bit[refuted])
        return np.unique(puzzle)

    def _solve(self, source: PuzzleBytes, limit: int, workers: int, expired: Expired) -> Answers:
        if limit < 1:
            raise ValueError(f"a limit of {limit}: 1 or more is expected")
        answers = Answers.empty(source.n)
        size = max(LEAST, min(CHUNK, -(-source.n // (4 * workers)))) if workers > 1 else max(source.n, 1)
        starts = range(0, source.n, size)

        def part(start: int) -> None:
            """Solve the puzzles of one chunk into their part of the answers."""
            stop = min(start + size, source.n)
            if expired and start and expired():
                return
            with self.pool.borrowed() as solver:
                try:
                    solver.solve(source.part(start, stop), limit, answers.part(start, stop), expired)
                except WrongCharacter as wrong:
                    raise _format_error(source, start + wrong.args[0]) from None

        if workers > 1 and len(starts) > 1:
            with ThreadPoolExecutor(workers) as threads:
                list(threads.map(part, starts))
        else:
            for start in starts:
                part(start)
        if expired:  # a search that was not ended has left the best solution so far
            answers.values[answers.status == 0] = 0
        return answers


def source_of(grids: NDArray[Any]) -> PuzzleBytes:
    """Describe an array of values or masks; ValueError if it is no such array."""
    if grids.ndim != 2 or grids.shape[1] != CELLS or grids.dtype not in (np.uint8, np.uint16):
        raise ValueError(f"an array of {grids.dtype} and shape {grids.shape}: uint8 or uint16 and (n, 81) are expected")
    form, largest = (VALUES, 9) if grids.dtype == np.uint8 else (MASKS, ALL)
    if grids.size and int(grids.max()) > largest:
        row, cell = np.argwhere(grids > largest)[0]
        kind = "a value, 0 to 9" if form == VALUES else "a mask of nine bits"
        raise ValueError(f"puzzle {row}, cell {cell}: {grids[row, cell]} is not {kind}")
    return PuzzleBytes(np.ascontiguousarray(grids).view(np.uint8).reshape(-1), len(grids), BYTES[form], form)


def masks_of(grids: NDArray[Any]) -> NDArray[np.uint16]:
    """Return the candidate masks of an array of values, or a copy of an array of masks."""
    if source_of(grids).form == MASKS:
        return grids.astype(np.uint16)
    masks: NDArray[np.uint16] = np.array([ALL, *(1 << v for v in range(9))], np.uint16)[grids]
    return masks


def _witness(found: NDArray[np.uint16], puzzle: NDArray[Any], answers: Answers) -> None:
    """Record the values of the solutions found; ``puzzle`` are the puzzles that they solve, in order."""
    solved = answers.count > 0
    if not solved.any():
        return
    bits = (np.uint16(1) << (answers.values[solved] - 1).astype(np.uint16)).astype(np.uint16)
    rows = puzzle[solved]
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    found[rows[begins]] |= bits if len(begins) == len(rows) else np.bitwise_or.reduceat(bits, begins, axis=0)


def _untried(
    masks: NDArray[np.uint16], found: NDArray[np.uint16], several: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.uint16]]:
    """Choose candidates that are neither seen nor refuted, some of each puzzle, evenly spread over its cells."""
    left = masks[several] & ~found[several]
    bits = (left[:, :, None] >> np.arange(9, dtype=np.uint16) & 1).reshape(len(several), -1)
    row, candidate = np.nonzero(bits)
    total = np.bincount(row, minlength=len(several))
    each = max(EACH, TRIES // len(several))
    rank = np.arange(len(row)) - np.repeat(np.cumsum(total) - total, total)
    chosen = rank * each // total[row] != (rank - 1) * each // total[row]
    row, candidate = row[chosen], candidate[chosen]
    return several[row], candidate // 9, (np.uint16(1) << (candidate % 9).astype(np.uint16)).astype(np.uint16)


def _format_error(source: PuzzleBytes, index: int) -> FormatError:
    row = source.data[index * source.stride :][:CELLS]
    bad = ~np.isin(row, np.frombuffer(b".0123456789", np.uint8))
    cell = int(np.flatnonzero(bad)[0])
    message = f"{chr(row[cell])!r} is not a cell: a digit or '.' is expected"
    return FormatError(message, line=index + 1, cell=f"R{cell // 9 + 1}C{cell % 9 + 1}")
