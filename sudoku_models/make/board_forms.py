"""The least forms of boards with open cells, of any size: row by row, all ways that are least so far kept together.

An open cell counts as 0. What no row has told apart yet stays undecided: columns without a digit so far stand first in
their stack, stacks without a digit first on the board, and only digits of one row that are new make several ways.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from ..errors import LimitReached
from .bands import Array
from .compiled import compiled

MOST = 1 << 21
"""The most ways that are kept at once."""

TURNED, EMPTY, USED, OPEN = 0, 1, 2, 3
"""Where a way notes: is it transposed, its stacks without a digit, its digits named, each stack's undecided columns.

Then come the source columns, the names of the digits (of 0, which is open, too) and the source rows.
"""


def _key(line: Array, way: Array, position: int, stack: int, width: int, names: int, slots: Array) -> int:
    """Sort a stack's undecided columns in a row: open, then named digits, then new ones; how many are new."""
    undecided, columns = way[OPEN + stack], position + stack * width
    new = 0
    for i in range(undecided):
        digit = line[way[columns + i]]
        name = way[names + digit] if digit else 0
        if digit and not name:
            name = 10_000
            new += 1
        slot = i
        while slot > 0 and slots[slot - 1, 0] > name:
            slots[slot, 0], slots[slot, 1] = slots[slot - 1, 0], slots[slot - 1, 1]
            slot -= 1
        slots[slot, 0], slots[slot, 1] = name, way[columns + i]
    return new


_key = compiled(_key)


def _lay(
    line: Array, way: Array, made: Array, shape: Array, slots: Array, text: Array, groups: Array, best: Array
) -> int:
    """Lay a row by a way: write its least text and a way that leads there; how many groups may change places.

    The result is -1 as soon as the text is seen to be above ``best`` (which begins with -1 where there is none yet). A
    group is (first place, size, columns in a place): new digits of one stack, or stacks that read alike.
    """
    n, width, stacks = shape[0], shape[1], shape[2]
    position, names = OPEN + stacks, OPEN + stacks + n
    empty, found, used = way[EMPTY], 0, way[USED]
    below = best[0] < 0
    made[:] = way
    for stack in range(stacks):
        _key(line, way, position, stack, width, names, slots)
        start, undecided = stack * width, way[OPEN + stack]
        for i in range(undecided):
            text[start + i], made[position + start + i] = slots[i, 0], slots[i, 1]
        for i in range(start + undecided, start + width):
            digit = line[way[position + i]]
            name = way[names + digit] if digit else 0
            text[i] = 10_000 if digit and not name else name
        if empty == 0 and not below:
            for i in range(start, start + width):
                shown = text[i]
                if shown == 10_000:
                    used += 1
                    shown = used
                if shown > best[i]:
                    return -1
                if shown < best[i]:
                    below = True
                    break
    for stack in range(1, empty):
        at = stack
        while at > 0 and _less(text, at, width):
            for i in range(at * width, at * width + width):
                text[i], text[i - width] = text[i - width], text[i]
                first, second = made[position + i], made[position + i - width]
                made[position + i], made[position + i - width] = second, first
            at -= 1
    left = 0
    while left < empty and text[left * width + width - 1] == 0:
        left += 1
    made[EMPTY] = left
    stack = left
    while stack < empty:
        alike = 1
        while stack + alike < empty and _alike(text, stack, alike, width):
            alike += 1
        if alike > 1:
            groups[found, 0], groups[found, 1], groups[found, 2] = stack * width, alike, width
            found += 1
        stack += alike
    for stack in range(stacks):
        start, undecided = stack * width, way[OPEN + stack]
        zeros, new = 0, 0
        for i in range(start, start + undecided):
            zeros += text[i] == 0
            new += text[i] == 10_000
        made[OPEN + stack] = zeros
        if new > 1:
            groups[found, 0], groups[found, 1], groups[found, 2] = start + undecided - new, new, 1
            found += 1
    used = way[USED]
    for i in range(n):
        if text[i] == 10_000:
            used += 1
            text[i] = used
    made[USED] = used
    return found


def _less(text: Array, at: int, width: int) -> bool:
    """Tell whether a stack reads less than the one before it."""
    for i in range(at * width, at * width + width):
        if text[i] != text[i - width]:
            return bool(text[i] < text[i - width])
    return False


def _alike(text: Array, stack: int, further: int, width: int) -> bool:
    """Tell whether a stack and a further one both hold nothing but new digits, in the same places."""
    for i in range(stack * width, stack * width + width):
        if text[i] != text[i + further * width] or 0 < text[i] < 10_000:
            return False
    return True


def _permute(made: Array, position: int, groups: Array, found: int, number: int, taken: Array, kept: Array) -> None:
    """Bring the columns of the groups into the order of a number: stacks first, then columns in them."""
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


_less, _alike, _permute = compiled(_less), compiled(_alike), compiled(_permute)
_lay = compiled(_lay)


def _candidate(filled: Array, turned: int, way: Array, at: int, row: int, level: int, height: int, n: int) -> bool:
    """Tell whether a row may come next; of rows and bands without a digit only the first."""
    for i in range(level):
        if way[at + i] == row:
            return False
    band = row // height
    if level % height and way[at + level - 1] // height != band:
        return False
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


def _band_empty(filled: Array, turned: int, band: int, height: int) -> bool:
    """Tell whether a band holds no digit."""
    found = False
    for row in range(band * height, band * height + height):
        found = found or filled[turned, row]
    return not found


_band_empty = compiled(_band_empty)
_candidate = compiled(_candidate)


def _least_form(
    lines: Array, filled: Array, shape: Array, now: Array, later: Array, form: Array, scratch: Array, groups: Array
) -> int:
    """Write the least form of one board; how many ways lead there (they are in ``now``), -1 where there is no room."""
    n, width, stacks, height, turns = shape[0], shape[1], shape[2], shape[3], shape[4]
    position, names, at = OPEN + stacks, OPEN + stacks + n, OPEN + stacks + 2 * n + 1
    text, taken, kept, made = scratch[0], scratch[1], scratch[2], scratch[3]
    slots = scratch[4:6, :].T
    count = turns
    for turned in range(turns):
        now[turned, :] = 0
        now[turned, TURNED], now[turned, EMPTY] = turned, stacks
        for stack in range(stacks):
            now[turned, OPEN + stack] = width
        for i in range(n):
            now[turned, position + i] = i
    size = now.shape[1]
    for level in range(n):
        fresh, first = 0, True
        for w in range(count):
            way = now[w]
            turned = way[TURNED]
            for row in range(n):
                if not _candidate(filled, turned, way, at, row, level, height, n):
                    continue
                line = lines[turned, row]
                if first:
                    form[level, 0] = -1
                found = _lay(line, way, made[:size], shape, slots, text, groups, form[level])
                if found < 0:
                    continue
                difference = -1 if first else 0
                for i in range(n):
                    if difference == 0:
                        difference = text[i] - form[level, i]
                    if difference > 0:
                        break
                    if difference < 0:
                        form[level, i] = text[i]
                if difference > 0:
                    continue
                if difference < 0:
                    fresh, first = 0, False
                orders = 1
                for g in range(found):
                    for k in range(2, groups[g, 1] + 1):
                        orders *= k
                if fresh + orders > len(later):
                    return -1
                for number in range(orders):
                    new = later[fresh]
                    new[:] = made[:size]
                    _permute(new, position, groups, found, number, taken, kept)
                    for i in range(n):
                        if text[i] > way[USED]:
                            new[names + line[new[position + i]]] = text[i]
                    new[at + level] = row
                    fresh += 1
        now, later = later, now
        count = fresh
    if n % 2:
        later[0, :] = now[0]
    return int(count)


_least_form = compiled(_least_form)


def _least_forms(
    boards: Array, start: int, shape: Array, now: Array, later: Array, scratch: Array, groups: Array,
    lines: Array, filled: Array, form: Array, forms: Array, counts: Array, firsts: Array,
) -> int:  # fmt: skip
    """Write the forms of boards, from one on, and a way to each; the number of the first for which room is wanting."""
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


_least_forms = compiled(_least_forms)


class BoardForms:
    """Finds the least forms of the boards of a shape: ``height`` rows in a band, ``width`` columns in a stack.

    Its buffers are kept between calls; not for use by two threads at once.
    """

    def __init__(self, n: int, height: int, width: int) -> None:
        self.n, self.height, self.width = n, height, width
        turns = 2 if height == width else 1
        stacks = n // width
        self._position = OPEN + stacks
        self._shape = np.array([n, width, stacks, height, turns], np.int64)
        self._size = OPEN + stacks + 3 * n + 1
        self._scratch = np.zeros((6, self._size), np.int64), np.zeros((2 * n, 3), np.int64)
        self._board = np.zeros((2, n, n), np.int64), np.zeros((2, n), np.bool_), np.zeros((n, n), np.int64)
        self._room(256)

    def _room(self, ways: int) -> None:
        if ways > MOST:
            raise LimitReached(
                f"a board of side {self.n} has more than {MOST:,} ways towards its least form: "
                "it is too large, too full or too regular for this search"
            )
        self._ways = np.zeros((ways, self._size), np.int16), np.zeros((ways, self._size), np.int16)

    def of(self, boards: Array) -> tuple[Array, Array, Array, Array]:
        """Return least forms (int64, m x n*n), ways to each (int64, m), and a transformation as `grid_forms` does.

        ``boards`` has m rows of n * n values, 0 for open cells; no line may hold a digit twice. Digits that a board
        lacks get the names that are left, in order. LimitReached when there are too many ways to a form.
        """
        m, n = boards.shape
        forms, counts, firsts = np.zeros((m, n), np.int64), np.zeros(m, np.int64), np.zeros((m, self._size), np.int16)
        done = 0
        while done < m:
            done = _least_forms(
                boards, done, self._shape, *self._ways, *self._scratch, *self._board, forms, counts, firsts
            )  # fmt: skip
            if done < m:
                self._room(4 * len(self._ways[0]))
        return forms, counts, *self._read(firsts)

    def _read(self, ways: Array) -> tuple[Array, Array]:
        """Return the source cells and the new names of the digits."""
        n, start = self.n, self._position
        parts = (ways[:, start + k : start + k + n].astype(np.int64) for k in (0, n + 1, 2 * n + 1))
        columns, names, rows = parts
        turned = ways[:, TURNED, None, None] == 1
        rows, columns = rows[:, :, None], columns[:, None, :]
        cells = np.where(turned, columns * n + rows, rows * n + columns).reshape(len(ways), -1)
        for row in np.flatnonzero((names == 0).any(1)):
            names[row, names[row] == 0] = np.setdiff1d(np.arange(1, n + 1), names[row])
        return cells, names

    def automorphisms(self, forms: Array, ways: Array) -> Array:
        """Return how many symmetries of the cells keep each board up to the names of its digits.

        So many ``ways`` lead to its form; lines without a digit change places freely. (Python integers above side 9.)
        """
        squares = forms.reshape(-1, self.n, self.n) > 0
        kind = object if self.n > 9 else np.int64
        rows, columns = _free(squares, 2, self.height, kind), _free(squares, 1, self.width, kind)
        found: Array = ways.astype(kind) * rows * columns
        return found


def _free(squares: Array, axis: int, height: int, kind: Any) -> Array:
    """Return in how many ways the empty lines of each board, and its empty bands, may change places."""
    filled = np.asarray(squares.any(axis))
    factorials = np.array([factorial(k) for k in range(filled.shape[1] + 1)], kind)
    empty = height - filled.reshape(len(filled), -1, height).sum(2)
    found: Array = factorials[empty].prod(1) * factorials[(empty == height).sum(1)]
    return found
