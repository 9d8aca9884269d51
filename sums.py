from __future__ import annotations

from pathlib import Path

from sudoku_models.engine.machine_code.language import Bytes, Ints, Kernels, Layout, items, section
from sudoku_models.engine.machine_code.library import Library

KERNELS = Kernels()
kernel = KERNELS.mark


class Board(Layout):
    cells: int
    largest: int
    digits: Bytes = items(81)  # inside the layout
    weights: Ints = section()  # elsewhere: the layout has the place


@kernel
def weighed(board: Board, first: int) -> int:
    """Return the sum of weighted digits, and note the largest digit."""
    total = 0
    for i in range(first, board.cells):
        total += board.digits[i] * board.weights[i]
        board.largest = max(board.largest, board.digits[i])
    return total


LIBRARY = Library("sums", {"weighed": "mi"}, [Path(__file__)], lambda: KERNELS)
