"""The least forms of boards with open cells, of any size: row by row, keeping all transformations that are least so
far.

An open cell counts as 0. What no row has distinguished yet stays undecided: columns without a digit come first in their
stack, stacks without a digit first on the board, and several transformations arise only from new digits within one row.
"""

from __future__ import annotations

from math import factorial, isqrt
from typing import Any

import numpy as np

from ..errors import LimitReached
from .chance import Array
from .compiled_loops import compiled, inlined

MOST = 1 << 21
"""The most transformations that are kept at a time."""


def board_forms(boards: Array, height: int, width: int) -> tuple[Array, Array, Array, Array]:
    """Return the least forms of boards with ``height`` rows in a band and ``width`` columns in a stack.

    ``boards`` has m rows of n * n values, 0 for open cells; no line may hold a value twice. The result is as that of
    `grid_forms`: forms, automorphisms, source cells, new names of the values; values that a board lacks get the names
    that are left, in order. LimitReached if there are too many ways to a form.
    """
    m, n = len(boards), isqrt(boards.shape[1])
    stacks = n // width
    size = OPEN + stacks + 3 * n + 1
    shape = np.array([n, width, stacks, height, 2 if height == width else 1], np.int64)
    scratch = np.zeros((6, size), np.int64), np.zeros((2 * n, 3), np.int64)
    board = np.zeros((2, n, n), np.int64), np.zeros((2, n), np.bool_), np.zeros((n, n), np.int64)
    forms, counts, firsts = np.zeros((m, n * n), np.int64), np.zeros(m, np.int64), np.zeros((m, size), np.int16)
    done, room = 0, 256
    while done < m:
        ways = np.zeros((room, size), np.int16), np.zeros((room, size), np.int16)
        done = _least_forms(boards, done, shape, *ways, *scratch, *board, forms, counts, firsts)
        room *= 4
        if done < m and room > MOST:
            raise LimitReached(
                f"a board of side {n} has more than {MOST:,} candidates for its least form: "
                "it is too large, too full or too regular for this search"
            )
    return forms, _automorphisms(forms.reshape(m, n, n) > 0, counts, height, width), *_read_ways(firsts, n, stacks)


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

    This is the number of ways to its form, times the permutations of lines without a value. (Python integers above
    side 9.)
    """
    kind = object if filled.shape[1] > 9 else np.int64
    found: Array = ways.astype(kind) * _free(filled, 2, height, kind) * _free(filled, 1, width, kind)
    return found


def _free(squares: Array, axis: int, height: int, kind: Any) -> Array:
    """Return the number of permutations of the empty lines, and of the empty bands, of each board."""
    filled = np.asarray(squares.any(axis))
    factorials = np.array([factorial(k) for k in range(filled.shape[1] + 1)], kind)
    empty = height - filled.reshape(len(filled), -1, height).sum(2)
    found: Array = factorials[empty].prod(1) * factorials[(empty == height).sum(1)]
    return found


# ---- the compiled loops

NEW = 10_000
"""The value read for a digit that has no name yet."""

TURNED, EMPTY, USED, OPEN = 0, 1, 2, 3
"""Offsets in a way (a partial transformation): whether it is transposed, the stacks without a digit, the number of
named digits, the undecided columns of each stack.

Then come the source columns, the names of the digits (including 0 for open cells) and the source rows.
"""


@compiled
def _key(line: Array, way: Array, position: int, stack: int, width: int, names: int, slots: Array) -> int:
    """Sort a stack's undecided columns in a row: open, then named digits, then new ones; return how many are new."""
    undecided, columns = way[OPEN + stack], position + stack * width
    new = 0
    for i in range(undecided):
        digit = line[way[columns + i]]
        name = way[names + digit] if digit else 0
        if digit and not name:
            name = NEW
            new += 1
        slot = i
        while slot > 0 and slots[slot - 1, 0] > name:
            slots[slot, 0], slots[slot, 1] = slots[slot - 1, 0], slots[slot - 1, 1]
            slot -= 1
        slots[slot, 0], slots[slot, 1] = name, way[columns + i]
    return new


@compiled
def _less(text: Array, at: int, width: int) -> bool:
    """Return whether a stack reads less than the one before it."""
    for i in range(at * width, at * width + width):
        if text[i] != text[i - width]:
            return bool(text[i] < text[i - width])
    return False


@compiled
def _alike(text: Array, stack: int, further: int, width: int) -> bool:
    """Return whether a stack and a further one contain only new digits, in the same places."""
    for i in range(stack * width, stack * width + width):
        if text[i] != text[i + further * width] or 0 < text[i] < NEW:
            return False
    return True


@compiled
def _permute(made: Array, position: int, groups: Array, found: int, number: int, taken: Array, kept: Array) -> None:
    """Apply a numbered permutation to the columns of the groups: stacks first, then columns within them."""
    for g in range(found):
        start, size, width = groups[g, 0], groups[g, 1], groups[g, 2]
        for i in range(size * width):
            kept[i] = made[position + start + i]
        for i in range(size):
            taken[i] = i
        for i in range(size):
            pick = number % (size - i)
            number //= size - i
            source = taken[pick]
            for j in range(pick, size - i - 1):
                taken[j] = taken[j + 1]
            for j in range(width):
                made[position + start + i * width + j] = kept[source * width + j]


@inlined
def _against(text: Array, best: Array, start: int, width: int, used: int) -> int:
    """Compare the text of a stack with the best one, with new digits named from ``used`` on: negative, 0 or
    positive.
    """
    for i in range(start, start + width):
        shown = text[i]
        if shown == NEW:
            used += 1
            shown = used
        if shown != best[i]:
            return int(shown - best[i])
    return 0


@inlined
def _read(
    line: Array, way: Array, made: Array, position: int, names: int, width: int, stacks: int, slots: Array,
    text: Array, best: Array,
) -> bool:  # fmt: skip
    """Write the least text of each stack, and its columns; return whether the text may be one of the least."""
    used = way[USED]
    below = best[0] < 0 or way[EMPTY] > 0
    for stack in range(stacks):
        _key(line, way, position, stack, width, names, slots)
        start, undecided = stack * width, way[OPEN + stack]
        for i in range(undecided):
            text[start + i], made[position + start + i] = slots[i, 0], slots[i, 1]
        for i in range(start + undecided, start + width):
            digit = line[way[position + i]]
            name = way[names + digit] if digit else 0
            text[i] = NEW if digit and not name else name
        if not below:
            difference = _against(text, best, start, width, used)
            if difference > 0:
                return False
            below = difference < 0
            for i in range(start, start + width):
                used += text[i] == NEW
    return True


@inlined
def _sort_stacks(text: Array, made: Array, position: int, empty: int, width: int) -> None:
    """Sort the stacks without earlier digits by their texts."""
    for stack in range(1, empty):
        at = stack
        while at > 0 and _less(text, at, width):
            for i in range(at * width, at * width + width):
                text[i], text[i - width] = text[i - width], text[i]
                first, second = made[position + i], made[position + i - width]
                made[position + i], made[position + i - width] = second, first
            at -= 1


@inlined
def _alike_stacks(text: Array, left: int, empty: int, width: int, groups: Array) -> int:
    """List the groups of stacks that read alike among those whose first digits are here; return how many groups there
    are.
    """
    found, stack = 0, left
    while stack < empty:
        alike = 1
        while stack + alike < empty and _alike(text, stack, alike, width):
            alike += 1
        if alike > 1:
            groups[found, 0], groups[found, 1], groups[found, 2] = stack * width, alike, width
            found += 1
        stack += alike
    return found


@inlined
def _new_digits(text: Array, way: Array, made: Array, stacks: int, width: int, groups: Array, found: int) -> int:
    """Record the columns without a digit, and list the groups of new digits of one stack; return how many groups there
    are.
    """
    for stack in range(stacks):
        start, undecided = stack * width, way[OPEN + stack]
        zeros, new = 0, 0
        for i in range(start, start + undecided):
            zeros += text[i] == 0
            new += text[i] == NEW
        made[OPEN + stack] = zeros
        if new > 1:
            groups[found, 0], groups[found, 1], groups[found, 2] = start + undecided - new, new, 1
            found += 1
    return found


@compiled
def _lay(
    line: Array, way: Array, made: Array, shape: Array, slots: Array, text: Array, groups: Array, best: Array
) -> int:
    """Place a row according to a way: write its least text and a way that gives it; return how many groups may be
    permuted.

    The result is -1 as soon as the text is known to be above ``best`` (which begins with -1 if there is none yet). A
    group is (first place, size, columns in a place): new digits of one stack, or stacks that read alike.
    """
    n, width, stacks = shape[0], shape[1], shape[2]
    position, names = OPEN + stacks, OPEN + stacks + n
    empty = way[EMPTY]
    made[:] = way
    if not _read(line, way, made, position, names, width, stacks, slots, text, best):
        return -1
    _sort_stacks(text, made, position, empty, width)
    left = 0
    while left < empty and text[left * width + width - 1] == 0:
        left += 1
    made[EMPTY] = left
    found = _alike_stacks(text, left, empty, width, groups)
    found = _new_digits(text, way, made, stacks, width, groups, found)
    used = way[USED]
    for i in range(n):
        if text[i] == NEW:
            used += 1
            text[i] = used
    made[USED] = used
    return int(found)


@compiled
def _band_empty(filled: Array, turned: int, band: int, height: int) -> bool:
    """Return whether a band has no digits."""
    found = False
    for row in range(band * height, band * height + height):
        found = found or filled[turned, row]
    return not found


@compiled
def _candidate(filled: Array, turned: int, way: Array, at: int, row: int, level: int, height: int, n: int) -> bool:
    """Return whether a row of the band may come next; among rows and bands without a digit only the first may."""
    for i in range(level):
        if way[at + i] == row:
            return False
    band = row // height
    if level % height == 0:
        for i in range(0, level, height):
            if way[at + i] // height == band:
                return False
    if filled[turned, row]:
        return True
    for other in range(band * height, row):
        if not filled[turned, other]:
            free = True
            for i in range(level):
                free = free and way[at + i] != other
            if free:
                return False
    if level % height or not _band_empty(filled, turned, band, height):
        return True
    for other in range(band):
        if _band_empty(filled, turned, other, height):
            free = True
            for i in range(0, level, height):
                free = free and way[at + i] // height != other
            if free:
                return False
    return True


@inlined
def _begin(now: Array, n: int, width: int, stacks: int, turns: int) -> None:
    """Write the initial ways: nothing is decided except whether the board is transposed."""
    for turned in range(turns):
        now[turned, :] = 0
        now[turned, TURNED], now[turned, EMPTY] = turned, stacks
        for stack in range(stacks):
            now[turned, OPEN + stack] = width
        for i in range(n):
            now[turned, OPEN + stacks + i] = i


@inlined
def _compared(text: Array, best: Array, n: int, first: bool) -> int:
    """Compare a row's text with the least so far, and replace that if it is less: negative, 0 or positive."""
    difference = -1 if first else 0
    for i in range(n):
        if difference == 0:
            difference = text[i] - best[i]
        if difference > 0:
            break
        if difference < 0:
            best[i] = text[i]
    return difference


@inlined
def _number(groups: Array, found: int) -> int:
    """Return the number of permutations of the groups."""
    orders = 1
    for g in range(found):
        for k in range(2, groups[g, 1] + 1):
            orders *= k
    return orders


@inlined
def _name(new: Array, line: Array, text: Array, used: int, position: int, names: int, n: int) -> None:
    """Record the names of the digits that are new in a row."""
    for i in range(n):
        if text[i] > used:
            new[names + line[new[position + i]]] = text[i]


@compiled
def _least_form(
    lines: Array, filled: Array, shape: Array, now: Array, later: Array, form: Array, scratch: Array, groups: Array
) -> int:
    """Write the least form of one board; return how many ways give it (they are in ``now``), -1 if there is no room."""
    n, width, stacks, height, turns = shape[0], shape[1], shape[2], shape[3], shape[4]
    position, names, at = OPEN + stacks, OPEN + stacks + n, OPEN + stacks + 2 * n + 1
    size = now.shape[1]
    text, taken, kept, made = scratch[0], scratch[1], scratch[2], scratch[3][:size]
    slots = scratch[4:6, :].T
    _begin(now, n, width, stacks, turns)
    count = turns
    for level in range(n):
        fresh, best = 0, form[level]
        best[0] = -1
        for w in range(count):
            way = now[w]
            start = way[at + level - 1] // height * height if level % height else 0
            for row in range(start, start + height if level % height else n):
                if not _candidate(filled, way[TURNED], way, at, row, level, height, n):
                    continue
                line = lines[way[TURNED], row]
                found = _lay(line, way, made, shape, slots, text, groups, best)
                difference = 1 if found < 0 else _compared(text, best, n, best[0] < 0)
                if difference > 0:
                    continue
                if difference < 0:
                    fresh = 0
                orders = _number(groups, found)
                if fresh + orders > len(later):
                    return -1
                for number in range(orders):
                    new = later[fresh]
                    new[:] = made
                    _permute(new, position, groups, found, number, taken, kept)
                    _name(new, line, text, way[USED], position, names, n)
                    new[at + level] = row
                    fresh += 1
        now, later = later, now
        count = fresh
    if n % 2:
        later[0, :] = now[0]
    return int(count)


@compiled
def _least_forms(
    boards: Array, start: int, shape: Array, now: Array, later: Array, scratch: Array, groups: Array,
    lines: Array, filled: Array, form: Array, forms: Array, counts: Array, firsts: Array,
) -> int:  # fmt: skip
    """Write the forms of boards, from ``start`` on, and a way to each; return the index of the first without enough
    room.
    """
    n = shape[0]
    for b in range(start, len(boards)):
        filled[:] = False
        for r in range(n):
            for c in range(n):
                digit = boards[b, n * r + c]
                lines[0, r, c], lines[1, c, r] = digit, digit
                if digit:
                    filled[0, r], filled[1, c] = True, True
        counts[b] = _least_form(lines, filled, shape, now, later, form, scratch, groups)
        if counts[b] < 0:
            return b
        firsts[b] = now[0]
        for r in range(n):
            for c in range(n):
                forms[b, n * r + c] = form[r, c]
    return len(boards)
