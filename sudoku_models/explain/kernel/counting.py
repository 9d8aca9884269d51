"""How many cells have one of some values."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, lowest

from .layout import kernel


@kernel
def right_number(net: Ints, mem: Ints, n: int, at: int, record: int) -> int:
    """Keep the values with which the number is right: from how many cells surely count, and how many may."""
    values = net[record]
    cells = net[record + 1]
    sure = 0
    may = 0
    for i in range(cells):
        if mem[at + i] & ~values == 0:
            sure += 1
        if mem[at + i] & values != 0:
            may += 1
    reached = (1 << (may + 1)) - (1 << sure)
    numbers = net[record + 2]
    if cells < n:
        kept = 0
        rest = mem[at + cells]
        while rest != 0:
            right = net[record + 3 + lowest(rest)]
            if right & reached != 0:
                kept |= rest & -rest
                numbers |= right
            rest &= rest - 1
        mem[at + cells] = kept
    numbers &= reached
    if numbers == 0:
        return 0
    for i in range(cells):
        mask = mem[at + i]
        if mask & values != 0 and mask & ~values != 0:
            if numbers >> (sure + 1) == 0:
                mask &= ~values
            if numbers & ((1 << may) - 1) == 0:
                mask &= values
            mem[at + i] = mask
    return 1
