"""Random classic grids, each with the same chance, by rejection.

Box by box a grid is put together from parts of which there are equally many whatever was chosen before; where parts do
not fit, all is thrown away. With the first box as it is:

- boxes 2 and 4 are two of 12,096 each;
- box 5 is one of 56 ways to spread digits over its rows (by box 4) crossed with 56 over its columns (by box 2), and
  there is such a box where every row meets every column in one digit: about one in seven;
- boxes 3 and 7 are two of 216 each: their rows (columns) are fixed, and any order will do;
- in box 6 the digits of a row avoid the columns they have in box 3: there are two such orders, or none; in box 8 alike;
- box 9 is fixed by its rows and columns, if they meet in one digit each.

Every complete grid comes out with the chance 1 / (12,096^2 x 56^2 x 216^2 x 2^6) of one trial: all are alike. A quick
form takes any of the 64 choices in boxes 6 and 8 that fits, which favours grids that have fewer fitting neighbours.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from .bands import Array
from .compiled import compiled, inlined

ALL = 0x1FF
NUMBERS = 6
"""Random numbers that a trial takes at most."""


@lru_cache(maxsize=1)
def spreads() -> tuple[Array, Array, Array]:
    """Return 56 ways to spread the digits of three rows, with the tables that go with them.

    The ways have three new digits in each row (int64, 56 x 3 x 3). With them come the six orders of three, and which
    digit a set of one bit holds (-1 for other sets).
    """
    found = []
    for top in combinations((3, 4, 5, 6, 7, 8), 3):
        for middle in combinations(sorted({0, 1, 2, 6, 7, 8} - set(top)), 3):
            bottom = sorted(set(range(9)) - set(top) - set(middle))
            if max(bottom) < 6:
                found.append((top, middle, bottom))
    single = np.full(512, -1, np.int64)
    single[1 << np.arange(9)] = np.arange(9)
    return np.array(found, np.int64), np.array(list(permutations(range(3))), np.int64), single


@compiled
def _meet(rows: Array, columns: Array, single: Array, box: Array) -> bool:
    """Write the box whose rows and columns hold these sets; tell whether there is one."""
    for i in range(3):
        for j in range(3):
            digit = single[rows[i] & columns[j]]
            if digit < 0:
                return False
            box[i, j] = digit
    return True


@compiled
def _orders(digits: int, beside: Array, orders: Array, single: Array, found: Array, listed: Array) -> int:
    """List the orders of three digits (a set) that avoid the places they have in ``beside`` (three sets)."""
    k = 0
    for digit in range(9):
        if digits >> digit & 1:
            listed[k] = digit
            k += 1
    count = 0
    for order in range(6):
        fits = True
        for place in range(3):
            if beside[place] >> listed[orders[order, place]] & 1:
                fits = False
        if fits and count < 2:
            for place in range(3):
                found[count, place] = listed[orders[order, place]]
            count += 1
    return count


@inlined
def _second_and_fourth(second: int, fourth: int, spread: Array, orders: Array, box2: Array, box4: Array) -> None:
    """Write the boxes beside and below the first, each from a number below 12,096."""
    for i in range(3):
        order2, order4 = second % 216 // 6**i % 6, fourth % 216 // 6**i % 6
        for j in range(3):
            box2[i, j] = spread[second // 216, i, orders[order2, j]]
            digit = spread[fourth // 216, i, orders[order4, j]]
            box4[j, i] = 3 * (digit % 3) + digit // 3


@inlined
def _fifth(fifth: int, spread: Array, box2: Array, box4: Array, rows: Array, columns: Array) -> None:
    """Note which digits are in the rows and columns of the box in the middle, from a number below 3136."""
    for i in range(3):
        rows[i], columns[i] = 0, 0
        for j in range(3):
            at = spread[fifth // 56, i, j]
            rows[i] |= 1 << box4[at // 3, at % 3]
            at = spread[fifth % 56, i, j]
            columns[i] |= 1 << box2[at % 3, at // 3]


@inlined
def _third_and_seventh(
    lines: int, orders: Array, box2: Array, box4: Array, box3: Array, box7: Array, listed: Array
) -> None:
    """Write the boxes in the corners from a number below 46,656: each of their lines holds what is left."""
    for i in range(3):
        above = 7 << 3 * i | 1 << box2[i, 0] | 1 << box2[i, 1] | 1 << box2[i, 2]
        left = 73 << i | 1 << box4[0, i] | 1 << box4[1, i] | 1 << box4[2, i]
        k = 0
        for digit in range(9):
            if not above >> digit & 1:
                listed[k] = digit
                k += 1
        for digit in range(9):
            if not left >> digit & 1:
                listed[k] = digit
                k += 1
        order3, order7 = lines // 6**i % 6, lines // 216 // 6**i % 6
        for j in range(3):
            box3[i, j], box7[j, i] = listed[orders[order3, j]], listed[3 + orders[order7, j]]


@inlined
def _used(
    box2: Array, box3: Array, box4: Array, box7: Array, rows: Array, columns: Array, sets: Array, used: Array
) -> None:
    """Note the digits in the rows of boxes 3 and 7, in the rows of boxes 4 and 5, and in the columns of 2 and 5."""
    for i in range(3):
        sets[0, i] = 1 << box3[i, 0] | 1 << box3[i, 1] | 1 << box3[i, 2]
        sets[1, i] = 1 << box7[i, 0] | 1 << box7[i, 1] | 1 << box7[i, 2]
        used[0, i] = rows[i] | 1 << box4[i, 0] | 1 << box4[i, 1] | 1 << box4[i, 2]
        used[1, i] = columns[i] | 1 << box2[0, i] | 1 << box2[1, i] | 1 << box2[2, i]


@inlined
def _sixth_and_eighth(used: Array, sets: Array, orders: Array, single: Array, choices: Array, listed: Array) -> bool:
    """List two orders for each row of box 6 and each column of box 8; tell whether there are any for all of them."""
    fits = True
    for i in range(3):
        fits = fits and _orders(ALL & ~used[0, i], sets[0], orders, single, choices[0, i], listed) > 0
        fits = fits and _orders(ALL & ~used[1, i], sets[1], orders, single, choices[1, i], listed) > 0
    return fits


@inlined
def _last(
    choice: int, tries: int, choices: Array, sets: Array, single: Array, box6: Array, box8: Array, box9: Array,
    rows: Array, columns: Array,
) -> bool:  # fmt: skip
    """Write boxes 6, 8 and 9 by a choice, or by one of those that follow; tell whether one fits."""
    good = False
    while tries and not good:
        for i in range(3):
            for j in range(3):
                box6[i, j], box8[j, i] = choices[0, i, choice >> i & 1, j], choices[1, i, choice >> 3 + i & 1, j]
        for i in range(3):
            rows[i] = ALL & ~(sets[1, i] | 1 << box8[i, 0] | 1 << box8[i, 1] | 1 << box8[i, 2])
            columns[i] = ALL & ~(sets[0, i] | 1 << box6[0, i] | 1 << box6[1, i] | 1 << box6[2, i])
        good = _meet(rows, columns, single, box9)
        choice, tries = (choice + 27) % 64, tries - 1
    return good


@inlined
def _write(boxes: Array, order: int, listed: Array, names: Array, grid: Array) -> None:
    """Write a grid, its digits named by the number of an order."""
    for k in range(9):
        listed[k] = k + 1
    for k in range(9):
        pick = order % (9 - k)
        order //= 9 - k
        names[k] = listed[pick]
        for j in range(pick, 8 - k):
            listed[j] = listed[j + 1]
    for box in range(9):
        for i in range(3):
            at = 27 * (box // 3) + 3 * (box % 3) + 9 * i
            for j in range(3):
                grid[at + j] = names[boxes[box, i, j]]


@compiled
def _random_grids(
    chance: Array, spread: Array, orders: Array, single: Array, quick: bool, grids: Array, made: int
) -> tuple[int, int]:
    """Make grids from random numbers until either ends: how many grids there are, and how many numbers are used."""
    boxes = np.arange(81).reshape((9, 3, 3))
    box2, box3, box4, box5, box6 = boxes[1], boxes[2], boxes[3], boxes[4], boxes[5]
    box7, box8, box9 = boxes[6], boxes[7], boxes[8]
    rows, columns = np.zeros(3, np.int64), np.zeros(3, np.int64)
    lines, sets = np.zeros((2, 3), np.int64), np.zeros((2, 3), np.int64)
    choices = np.zeros((2, 3, 2, 3), np.int64)
    listed, names = np.zeros(9, np.int64), np.zeros(9, np.int64)
    used = 0
    while made < len(grids) and used + NUMBERS <= len(chance):
        second, fourth = int(chance[used] * 12096), int(chance[used + 1] * 12096)
        _second_and_fourth(second, fourth, spread, orders, box2, box4)
        _fifth(int(chance[used + 2] * 3136), spread, box2, box4, rows, columns)
        used += 3
        if not _meet(rows, columns, single, box5):
            continue
        corners = int(chance[used] * 46656)
        choice, order = int(chance[used + 1] * 64), int(chance[used + 2] * 362880)
        used += 3
        _third_and_seventh(corners, orders, box2, box4, box3, box7, listed)
        _used(box2, box3, box4, box7, rows, columns, sets, lines)
        if not _sixth_and_eighth(lines, sets, orders, single, choices, listed):
            continue
        tries = 64 if quick else 1
        if not _last(choice, tries, choices, sets, single, box6, box8, box9, rows, columns):
            continue
        _write(boxes, order, listed, names, grids[made])
        made += 1
    return made, used
