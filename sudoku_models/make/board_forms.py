"""The least forms of boards with open cells, of any size: row by row, keeping all transformations that are least so
far.

An open cell counts as 0. What no row has distinguished yet stays undecided: columns without a digit come first in their
stack, stacks without a digit first on the board, and several transformations arise only from new digits within one row.
"""

from __future__ import annotations

from math import factorial, isqrt
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.machine_code.language import Bytes, Ints, Kernels, Layout, Shorts, after, memory_of, section
from ..engine.machine_code.library import Library, address
from ..errors import LimitReached
from .chance import Array, machine

MOST = 1 << 21
"""The most transformations that are kept at a time."""


def board_forms(boards: Array, height: int, width: int) -> tuple[Array, Array, Array, Array]:
    """Return the least forms of boards with ``height`` rows in a band and ``width`` columns in a stack.

    ``boards`` has m rows of n * n values, 0 for open cells; no line may hold a value twice. The result is as that of
    `grid_forms`: forms, automorphisms, source cells, new names of the values; values that a board lacks get the names
    that are left, in order. LimitReached if there are too many ways to a form.
    """
    m, n = len(boards), isqrt(boards.shape[1])
    stacks, boards = n // width, np.ascontiguousarray(boards, np.uint8)
    size, done, room = OPEN + stacks + 3 * n + 1, 0, 256
    forms, counts, firsts = np.zeros((m, n * n), np.uint8), np.zeros(m, np.int64), np.zeros((m, size), np.uint16)
    found = [x.ctypes.data for x in (forms, counts, firsts)]
    while done < m:
        memory, ways = _search_memory(n, height, width, size, room), np.zeros((2 * room + 1) * size, np.uint16)
        kernels, given = machine(LIBRARY), boards.ctypes.data
        done = kernels.least_forms(given, done, m, address(memory), ways.ctypes.data, *found)
        room *= 4
        if done < m and room > MOST:
            raise LimitReached(
                f"a board of side {n} has more than {MOST:,} candidates for its least form: "
                "it is too large, too full or too regular for this search"
            )
    return forms, _automorphisms(forms.reshape(m, n, n) > 0, counts, height, width), *_read_ways(firsts, n, stacks)


def _search_memory(n: int, height: int, width: int, size: int, room: int) -> Any:
    memory = memory_of(
        Search, lines=2 * n * n, filled=2 * n, text=n, form=n * n, starts=2 * n, sizes=2 * n, widths=2 * n, taken=n,
        kept=n,
    )  # fmt: skip
    s = Search(memory)
    s.side, s.width, s.stacks, s.height, s.turns = n, width, n // width, height, 2 if height == width else 1
    s.size, s.room, s.made = size, room, 2 * room * size
    s.columns = OPEN + s.stacks
    s.names = s.columns + n
    s.rows = s.names + n + 1
    return memory


def _read_ways(ways: Array, n: int, stacks: int) -> tuple[Array, Array]:
    """Return the source cells and the new names of the values."""
    start = OPEN + stacks
    columns, names, rows = (ways[:, start + k : start + k + n].astype(np.int64) for k in (0, n + 1, 2 * n + 1))
    turned = ways[:, TURNED, None, None] == 1
    rows, columns = rows[:, :, None], columns[:, None, :]
    cells = np.where(turned, columns * n + rows, rows * n + columns).reshape(len(ways), -1)
    for row in np.flatnonzero((names == 0).any(1)):
        names[row, names[row] == 0] = np.setdiff1d(np.arange(1, n + 1), names[row])
    return cells, names


def _automorphisms(filled: Array, ways: Array, height: int, width: int) -> Array:
    """Return how many symmetries of the cells keep each board up to the names of its values.

    This is the number of ways to its form, times the permutations of lines, and of bands and stacks, without a value.
    (Python integers above side 9.)
    """
    n = filled.shape[1]
    kind: Any = object if n > 9 else np.int64
    found, factorials = ways.astype(kind), np.array([factorial(k) for k in range(n + 1)], kind)
    for axis, size in ((2, height), (1, width)):
        empty = size - filled.any(axis).reshape(len(filled), -1, size).sum(2)
        found = found * factorials[empty].prod(1) * factorials[(empty == size).sum(1)]
    return found


# ---- the search

TURNED, EMPTY, USED, OPEN = 0, 1, 2, 3
"""Places in a way (a partial transformation): whether it is transposed, the stacks without a digit, the number of
named digits, the undecided columns of each stack.

Then come the source columns, the names of the digits (including 0 for open cells) and the source rows.
"""

NEW = 10_000
"""What a digit without a name reads as."""

KERNELS = Kernels()
kernel = KERNELS.mark


class Search(Layout):
    """What is written beside the ways while a form is sought; ``size`` is the length of a way, ``made`` the place of
    the one that is being made, and ``columns``, ``names`` and ``rows`` are places in a way.
    """

    side: int
    width: int
    stacks: int
    height: int
    turns: int
    size: int
    room: int
    made: int
    columns: int
    names: int
    rows: int
    groups: int  # how many there are
    lines: Ints = section()  # the board as it is and transposed
    filled: Ints = section()  # whether each line has digits, likewise
    text: Ints = section()  # what a row reads
    form: Ints = section()
    starts: Ints = section()  # of each group of places that may be permuted: the first column,
    sizes: Ints = section()  # the number of places, and
    widths: Ints = section()  # the columns in a place
    taken: Ints = section()
    kept: Ints = section()


@kernel
def name_of(s: Search, ways: Shorts, way: int, digit: int) -> int:
    """Return what a digit reads as."""
    name = ways[way + s.names + digit]
    return NEW if digit and not name else name


@kernel
def sort_undecided(s: Search, ways: Shorts, way: int, line: int, stack: int) -> None:
    """Put the undecided columns of a stack in order: open cells, then named digits, then new ones."""
    start, columns = stack * s.width, s.made + s.columns
    for i in range(start, start + ways[way + OPEN + stack]):
        column = ways[way + s.columns + i]
        name = name_of(s, ways, way, s.lines[line + column])
        slot = i
        while slot > start and s.text[slot - 1] > name:
            s.text[slot] = s.text[slot - 1]
            ways[columns + slot] = ways[columns + slot - 1]
            slot -= 1
        s.text[slot] = name
        ways[columns + slot] = column


@kernel
def read_row(s: Search, ways: Shorts, way: int, line: int, best: int) -> int:
    """Write the least text of each stack and its columns; return whether the row may be one of the least.

    The best row of the form begins with -1 if there is none yet.
    """
    used = ways[way + USED]
    below = 1 if s.form[best] < 0 or ways[way + EMPTY] > 0 else 0
    for stack in range(s.stacks):
        start = stack * s.width
        sort_undecided(s, ways, way, line, stack)
        for i in range(start + ways[way + OPEN + stack], start + s.width):
            s.text[i] = name_of(s, ways, way, s.lines[line + ways[way + s.columns + i]])
        for i in range(start, start + s.width):
            shown = s.text[i]
            if shown == NEW:
                used += 1
                shown = used
            if not below and shown != s.form[best + i]:
                if shown > s.form[best + i]:
                    return 0
                below = 1
    return 1


@kernel
def reads_less(s: Search, stack: int) -> int:
    for i in range(stack * s.width, stack * s.width + s.width):
        if s.text[i] != s.text[i - s.width]:
            return s.text[i] < s.text[i - s.width]
    return 0


@kernel
def sort_stacks(s: Search, ways: Shorts, empty: int) -> None:
    """Put the stacks without earlier digits, which are the first ones, in the order of what they read."""
    columns = s.made + s.columns
    for stack in range(1, empty):
        at = stack
        while at > 0 and reads_less(s, at):
            for i in range(at * s.width, at * s.width + s.width):
                s.text[i], s.text[i - s.width] = s.text[i - s.width], s.text[i]
                ways[columns + i], ways[columns + i - s.width] = ways[columns + i - s.width], ways[columns + i]
            at -= 1


@kernel
def are_alike(s: Search, stack: int, further: int) -> int:
    """Return whether a stack and a further one contain only new digits, in the same places."""
    for i in range(stack * s.width, stack * s.width + s.width):
        if s.text[i] != s.text[i + further * s.width] or 0 < s.text[i] < NEW:
            return 0
    return 1


@kernel
def add_group(s: Search, start: int, size: int, width: int) -> None:
    """Note places that may be permuted, if there are several."""
    if size > 1:
        s.starts[s.groups] = start
        s.sizes[s.groups] = size
        s.widths[s.groups] = width
        s.groups += 1


@kernel
def note_groups(s: Search, ways: Shorts, way: int, first: int, empty: int) -> None:
    """Note what may be permuted: stacks that read alike, of those whose first digits are here, and the columns of new
    digits in a stack. Note also the columns that are still undecided, those without a digit.
    """
    s.groups = 0
    stack = first
    while stack < empty:
        alike = 1
        while stack + alike < empty and are_alike(s, stack, alike):
            alike += 1
        add_group(s, stack * s.width, alike, s.width)
        stack += alike
    for stack in range(s.stacks):
        start, undecided = stack * s.width, ways[way + OPEN + stack]
        zeros, new = 0, 0
        for i in range(start, start + undecided):
            zeros += s.text[i] == 0
            new += s.text[i] == NEW
        ways[s.made + OPEN + stack] = zeros
        add_group(s, start + undecided - new, new, 1)


@kernel
def lay_row(s: Search, ways: Shorts, way: int, line: int, best: int) -> int:
    """Place a row: write its least text and the way that gives it; return whether it may be one of the least."""
    for i in range(s.size):
        ways[s.made + i] = ways[way + i]
    if not read_row(s, ways, way, line, best):
        return 0
    empty = ways[way + EMPTY]
    sort_stacks(s, ways, empty)
    left = 0
    while left < empty and s.text[left * s.width + s.width - 1] == 0:
        left += 1
    ways[s.made + EMPTY] = left
    note_groups(s, ways, way, left, empty)
    used = ways[way + USED]
    for i in range(s.side):
        if s.text[i] == NEW:
            used += 1
            s.text[i] = used
    ways[s.made + USED] = used
    return 1


@kernel
def compared(s: Search, best: int) -> int:
    """Compare a row's text with the least so far, and replace that if it is less: negative, 0 or positive."""
    difference = -1 if s.form[best] < 0 else 0
    for i in range(s.side):
        if difference == 0:
            difference = s.text[i] - s.form[best + i]
        if difference > 0:
            break
        if difference < 0:
            s.form[best + i] = s.text[i]
    return difference


@kernel
def number_of_orders(s: Search) -> int:
    """Return the number of permutations of the groups; where it is more than ``room``, some number above that."""
    orders = 1
    for g in range(s.groups):
        for k in range(2, s.sizes[g] + 1):
            orders *= k
            if orders > s.room:
                return orders
    return orders


@kernel
def permute(s: Search, ways: Shorts, columns: int, number: int) -> None:
    """Apply a numbered permutation to the columns of the groups: stacks first, then columns within them."""
    for g in range(s.groups):
        first, size, width = columns + s.starts[g], s.sizes[g], s.widths[g]
        for i in range(size * width):
            s.kept[i] = ways[first + i]
        for i in range(size):
            s.taken[i] = i
        for i in range(size):
            pick = number % (size - i)
            number //= size - i
            source = s.taken[pick]
            for j in range(pick, size - i - 1):
                s.taken[j] = s.taken[j + 1]
            for j in range(width):
                ways[first + i * width + j] = s.kept[source * width + j]


@kernel
def add_way(s: Search, ways: Shorts, new: int, way: int, number: int, line: int) -> None:
    """Write the way that was made with a numbered permutation of its groups, and with names for the new digits."""
    for i in range(s.size):
        ways[new + i] = ways[s.made + i]
    permute(s, ways, new + s.columns, number)
    for i in range(s.side):
        if s.text[i] > ways[way + USED]:
            ways[new + s.names + s.lines[line + ways[new + s.columns + i]]] = s.text[i]


@kernel
def is_placed(s: Search, ways: Shorts, way: int, first: int, last: int, level: int) -> int:
    """Return whether one of the rows ``first`` to ``last`` is among the ``level`` rows that a way has placed."""
    for i in range(level):
        if first <= ways[way + s.rows + i] <= last:
            return 1
    return 0


@kernel
def is_band_empty(s: Search, turned: int, band: int) -> int:
    for row in range(band * s.height, band * s.height + s.height):
        if s.filled[turned * s.side + row]:
            return 0
    return 1


@kernel
def may_follow(s: Search, ways: Shorts, way: int, row: int, level: int) -> int:
    """Return whether a row may come next; among rows and bands without a digit only the first may."""
    turned, first = ways[way + TURNED], row // s.height * s.height
    begins = level % s.height == 0
    if is_placed(s, ways, way, first if begins else row, first + s.height - 1 if begins else row, level):
        return 0
    if s.filled[turned * s.side + row]:
        return 1
    for other in range(first, row):
        if not s.filled[turned * s.side + other] and not is_placed(s, ways, way, other, other, level):
            return 0
    if not begins or not is_band_empty(s, turned, first // s.height):
        return 1
    for band in range(first // s.height):
        placed = is_placed(s, ways, way, band * s.height, band * s.height + s.height - 1, level)
        if not placed and is_band_empty(s, turned, band):
            return 0
    return 1


@kernel
def begin_ways(s: Search, ways: Shorts) -> None:
    """Write the initial ways: nothing is decided except whether the board is transposed."""
    for turned in range(s.turns):
        way = turned * s.size
        for i in range(s.size):
            ways[way + i] = 0
        ways[way + TURNED] = turned
        ways[way + EMPTY] = s.stacks
        for stack in range(s.stacks):
            ways[way + OPEN + stack] = s.width
        for i in range(s.side):
            ways[way + s.columns + i] = i


@kernel
def least_form(s: Search, ways: Shorts, first: Shorts) -> int:
    """Write the least form of a board and the first way that gives it; return how many give it, -1 without room."""
    now, later, count = 0, s.room * s.size, s.turns
    begin_ways(s, ways)
    for level in range(s.side):
        fresh, best = 0, level * s.side
        s.form[best] = -1
        for w in range(count):
            way = now + w * s.size
            begin, end = 0, s.side
            if level % s.height:
                begin = ways[way + s.rows + level - 1] // s.height * s.height
                end = begin + s.height
            for row in range(begin, end):
                if not may_follow(s, ways, way, row, level):
                    continue
                line = (ways[way + TURNED] * s.side + row) * s.side
                if not lay_row(s, ways, way, line, best):
                    continue
                difference = compared(s, best)
                if difference > 0:
                    continue
                if difference < 0:
                    fresh = 0
                orders = number_of_orders(s)
                if fresh + orders > s.room:
                    return -1
                for number in range(orders):
                    new = later + fresh * s.size
                    add_way(s, ways, new, way, number, line)
                    ways[new + s.rows + level] = row
                    fresh += 1
        now, later, count = later, now, fresh
    for i in range(s.size):
        first[i] = ways[now + i]
    return count


@kernel
def least_forms(
    boards: Bytes, start: int, stop: int, s: Search, ways: Shorts, forms: Bytes, counts: Ints, firsts: Shorts
) -> int:
    """Write the forms of boards, from ``start`` on, and a way to each; return the first board without enough room."""
    side = s.side
    for board in range(start, stop):
        for i in range(2 * side):
            s.filled[i] = 0
        for r in range(side):
            for c in range(side):
                digit = boards[(board * side + r) * side + c]
                s.lines[r * side + c] = digit
                s.lines[(side + c) * side + r] = digit
                if digit:
                    s.filled[r] = 1
                    s.filled[side + c] = 1
        counts[board] = least_form(s, ways, after(firsts, board * s.size))
        if counts[board] < 0:
            return board
        for i in range(side * side):
            forms[board * side * side + i] = s.form[i]
    return stop


LIBRARY = Library("board_forms", {"least_forms": "miimmmmm"}, [Path(__file__)], lambda: KERNELS)
