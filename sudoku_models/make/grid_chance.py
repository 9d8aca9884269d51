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
from .compiled import compiled

ALL = 0x1FF
NUMBERS = 6
"""Random numbers that a trial takes at most."""


@lru_cache(maxsize=1)
def spreads() -> tuple[Array, Array, Array]:
    """Return 56 ways to spread the digits of three rows, three new ones in each (int64, 56 x 3 x 3), the six orders of

    three, and which digit a set of one bit holds (-1 for other sets)."""
    found = []
    for top in combinations((3, 4, 5, 6, 7, 8), 3):
        for middle in combinations(sorted({0, 1, 2, 6, 7, 8} - set(top)), 3):
            bottom = sorted(set(range(9)) - set(top) - set(middle))
            if max(bottom) < 6:
                found.append((top, middle, bottom))
    single = np.full(512, -1, np.int64)
    single[1 << np.arange(9)] = np.arange(9)
    return np.array(found, np.int64), np.array(list(permutations(range(3))), np.int64), single


def _meet(rows: Array, columns: Array, single: Array, box: Array) -> bool:
    """Write the box whose rows and columns hold these sets; tell whether there is one."""
    for i in range(3):
        for j in range(3):
            digit = single[rows[i] & columns[j]]
            if digit < 0:
                return False
            box[i, j] = digit
    return True


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


_meet, _orders = compiled(_meet), compiled(_orders)


def _random_grids(
    chance: Array, spread: Array, orders: Array, single: Array, quick: bool, grids: Array, made: int
) -> tuple[int, int]:
    """Make grids from random numbers until either ends: how many grids there are, and how many numbers are used."""
    box2, box3, box4 = np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64)
    box5, box6, box7 = np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64)
    box8, box9 = np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64)
    rows, columns = np.zeros(3, np.int64), np.zeros(3, np.int64)
    rows3, rows7 = np.zeros(3, np.int64), np.zeros(3, np.int64)
    rows4, columns2 = np.zeros(3, np.int64), np.zeros(3, np.int64)
    sixes, eights = np.zeros((3, 2, 3), np.int64), np.zeros((3, 2, 3), np.int64)
    listed, names = np.zeros(9, np.int64), np.zeros(9, np.int64)
    used = 0
    while made < len(grids) and used + 6 <= len(chance):
        second, fourth = int(chance[used] * 12096), int(chance[used + 1] * 12096)
        fifth = int(chance[used + 2] * 3136)
        used += 3
        orders2, spread2, orders4, spread4 = second % 216, second // 216, fourth % 216, fourth // 216
        for i in range(3):
            order2, order4 = orders2 // 6**i % 6, orders4 // 6**i % 6
            for j in range(3):
                box2[i, j] = spread[spread2, i, orders[order2, j]]
                digit = spread[spread4, i, orders[order4, j]]
                box4[j, i] = 3 * (digit % 3) + digit // 3
        for i in range(3):
            rows[i], columns[i] = 0, 0
            for j in range(3):
                at = spread[fifth // 56, i, j]
                rows[i] |= 1 << box4[at // 3, at % 3]
                at = spread[fifth % 56, i, j]
                columns[i] |= 1 << box2[at % 3, at // 3]
        if not _meet(rows, columns, single, box5):
            continue
        lines = int(chance[used] * 46656)
        choice, order = int(chance[used + 1] * 64), int(chance[used + 2] * 362880)
        used += 3
        for i in range(3):
            rows4[i] = 1 << box4[i, 0] | 1 << box4[i, 1] | 1 << box4[i, 2]
            columns2[i] = 1 << box2[0, i] | 1 << box2[1, i] | 1 << box2[2, i]
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
        for i in range(3):
            rows3[i] = 1 << box3[0, i] | 1 << box3[1, i] | 1 << box3[2, i]
            rows7[i] = 1 << box7[i, 0] | 1 << box7[i, 1] | 1 << box7[i, 2]
        fits = True
        for i in range(3):
            fits = fits and _orders(ALL & ~(rows4[i] | rows[i]), rows3, orders, single, sixes[i], listed) > 0
            fits = fits and _orders(ALL & ~(columns2[i] | columns[i]), rows7, orders, single, eights[i], listed) > 0
        tries = 64 if quick else 1
        good = False
        while fits and tries and not good:
            for i in range(3):
                for j in range(3):
                    box6[i, j], box8[j, i] = sixes[i, choice >> i & 1, j], eights[i, choice >> 3 + i & 1, j]
            for i in range(3):
                rows[i] = ALL & ~(rows7[i] | 1 << box8[i, 0] | 1 << box8[i, 1] | 1 << box8[i, 2])
                columns[i] = ALL & ~(rows3[i] | 1 << box6[0, i] | 1 << box6[1, i] | 1 << box6[2, i])
            good = _meet(rows, columns, single, box9)
            choice, tries = (choice + 27) % 64, tries - 1
        if not good:
            continue
        for k in range(9):
            listed[k] = k + 1
        for k in range(9):
            pick = order % (9 - k)
            order //= 9 - k
            names[k] = listed[pick]
            for j in range(pick, 8 - k):
                listed[j] = listed[j + 1]
        for i in range(3):
            for j in range(3):
                at = 9 * i + j
                grids[made, at], grids[made, at + 3] = names[3 * i + j], names[box2[i, j]]
                grids[made, at + 6], grids[made, at + 27] = names[box3[i, j]], names[box4[i, j]]
                grids[made, at + 30], grids[made, at + 33] = names[box5[i, j]], names[box6[i, j]]
                grids[made, at + 54], grids[made, at + 57] = names[box7[i, j]], names[box8[i, j]]
                grids[made, at + 60] = names[box9[i, j]]
        made += 1
    return made, used


_random_grids = compiled(_random_grids)
