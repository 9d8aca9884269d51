"""The number of cells that have one of some values."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .layout import WORD, kernel


@kernel
def settle(mem: Ints, cells: int, at: int, values: int, more: int, fewer: int) -> int:
    """Settle the cells that may or may not count, if no more of them can count, or if all of them must."""
    for i in range(cells):
        mask = mem[at + i]
        if mask & values != 0 and mask & ~values != 0:
            if more == 0:
                mask &= ~values
            if fewer == 0:
                mask &= values
            mem[at + i] = mask
    return 1


@kernel
def right_number(net: Ints, mem: Ints, n: int, at: int, record: int) -> int:
    """Keep the values with which the number is allowed, given how many cells certainly count and how many may."""
    values = net[record]
    cells = net[record + 1]
    sure = 0
    may = 0
    for i in range(cells):
        if mem[at + i] & ~values == 0:
            sure += 1
        if mem[at + i] & values != 0:
            may += 1
    if cells >= WORD:
        least = max(sure, net[record + 2])
        most = min(may, net[record + 3])
        if least > most:
            return 0
        return settle(mem, cells, at, values, most > sure, least < may)
    reached = (1 << (may + 1)) - (1 << sure)
    numbers = net[record + 4]
    if cells < n:
        kept = 0
        rest = mem[at + cells]
        while rest != 0:
            right = net[record + 5 + lowest(rest)]
            if right & reached != 0:
                kept |= rest & -rest
                numbers |= right
            rest &= rest - 1
        mem[at + cells] = kept
    numbers &= reached
    if numbers == 0:
        return 0
    return settle(mem, cells, at, values, numbers >> (sure + 1) != 0, numbers & ((1 << may) - 1) != 0)
