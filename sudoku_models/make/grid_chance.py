"""Random classic grids, uniformly distributed, by rejection.

Box by box a grid is put together from parts whose number does not depend on earlier choices; if parts do
not fit, everything is discarded. With the first box fixed:

- boxes 2 and 4 are one of 12,096 each;
- box 5 is one of 56 ways to spread digits over its rows (by box 4) crossed with 56 over its columns (by box 2), and
  such a box exists if every row meets every column in one digit: about one in seven;
- boxes 3 and 7 are one of 216 each: their rows (columns) are fixed, and any order is possible;
- in box 6 the digits of a row avoid their columns in box 3: there are two such orders, or none; likewise in box 8;
- box 9 is fixed by its rows and columns, if they meet in one digit each.

One trial gives each complete grid with the probability 1 / (12,096^2 x 56^2 x 216^2 x 2^6): all are equal. A quick
form takes any fitting one of the 64 choices in boxes 6 and 8, which favours grids with fewer fitting neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

from .chance import Array
from .compiled_loops import compiled, inlined

ALL = 0x1FF
NUMBERS = 6
"""The most random numbers that a trial needs."""


@dataclass(frozen=True)
class GridTables:
    """The parts that grids are put together from; digits are 0 to 8, sets of them are bits.

    ``beside`` (int8, 12,096 x 9) are the boxes that can be beside the first one, by rows; ``below`` (alike) those below
    it. ``places`` (int8, 56 x 9) are the cells of a box whose digits come in each row of the next, ``turned`` those
    whose digits come in each column of the one below. ``orders`` (int8, 6 x 3) are the orders of three, ``members``
    (int8, 512 x 3) the digits of a set of up to three, -1 where it has fewer.
    """

    beside: Array
    below: Array
    places: Array
    turned: Array
    orders: Array
    members: Array


@lru_cache(maxsize=1)
def tables() -> GridTables:
    """Make the tables, once in a process."""
    orders = np.array(list(permutations(range(3))))
    three = np.array([[orders[number // 6**i % 6] for i in range(3)] for number in range(216)])
    spread = spreads()
    beside = spread[:, None, np.arange(3)[:, None], three].reshape(-1, 3, 3)
    below = (3 * (beside % 3) + beside // 3).transpose(0, 2, 1)
    members = np.full((512, 3), -1)
    for digits in range(512):
        found = [digit for digit in range(9) if digits >> digit & 1][:3]
        members[digits, : len(found)] = found
    places = spread.reshape(-1, 9)
    turned = 3 * (places % 3) + places // 3
    made = (beside.reshape(-1, 9), below.reshape(-1, 9), places, turned, orders, members)
    return GridTables(*(np.ascontiguousarray(table, np.int8) for table in made))


def spreads() -> Array:
    """Return 56 ways to spread the digits of three rows, three new ones in each (56 x 3 x 3)."""
    found = []
    for top in combinations((3, 4, 5, 6, 7, 8), 3):
        for middle in combinations(sorted({0, 1, 2, 6, 7, 8} - set(top)), 3):
            bottom = sorted(set(range(9)) - set(top) - set(middle))
            if max(bottom) < 6:
                found.append((top, middle, bottom))
    return np.array(found)


@inlined
def _meets(rows: Array, column: int) -> bool:
    """Return whether a column (a set of digits) meets each row in one digit."""
    a, b, c = rows[0] & column, rows[1] & column, rows[2] & column
    return bool(a != 0 and b != 0 and c != 0 and (a & a - 1 | b & b - 1 | c & c - 1) == 0)


@inlined
def _fifth(fifth: int, places: Array, turned: Array, box2: Array, box4: Array, rows: Array, columns: Array) -> bool:
    """Record the digits in the rows and columns of the middle box, by a number below 3136; return whether they meet."""
    across, down = fifth // 56, fifth % 56
    good, i = True, 0
    for k in range(0, 9, 3):
        rows[k // 3] = (
            1 << box4[places[across, k]] | 1 << box4[places[across, k + 1]] | 1 << box4[places[across, k + 2]]
        )
    while good and i < 3:
        k = 3 * i
        columns[i] = 1 << box2[turned[down, k]] | 1 << box2[turned[down, k + 1]] | 1 << box2[turned[down, k + 2]]
        good = _meets(rows, columns[i])
        i += 1
    return good


@inlined
def _met(rows: Array, columns: Array, members: Array, box: Array) -> None:
    """Write the box whose rows and columns contain these sets."""
    for i in range(3):
        for j in range(3):
            box[3 * i + j] = members[rows[i] & columns[j], 0]


@inlined
def _third_and_seventh(
    lines: int, orders: Array, members: Array, box2: Array, box4: Array, box3: Array, box7: Array
) -> None:
    """Write the boxes in the corners from a number below 46,656: each of their lines contains the remaining digits."""
    left = lines // 216
    for i in range(3):
        above = ALL & ~(7 << 3 * i | 1 << box2[3 * i] | 1 << box2[3 * i + 1] | 1 << box2[3 * i + 2])
        beside = ALL & ~(73 << i | 1 << box4[i] | 1 << box4[3 + i] | 1 << box4[6 + i])
        for j in range(3):
            box3[3 * i + j] = members[above, orders[lines % 6, j]]
            box7[3 * j + i] = members[beside, orders[left % 6, j]]
        lines, left = lines // 6, left // 6


@inlined
def _used(
    box2: Array, box3: Array, box4: Array, box7: Array, rows: Array, columns: Array, sets: Array, used: Array
) -> None:
    """Record the digits in the columns of box 3, rows of 7, rows of 4 and 5, and columns of 2 and 5."""
    for i in range(3):
        sets[0, i] = 1 << box3[i] | 1 << box3[3 + i] | 1 << box3[6 + i]
        sets[1, i] = 1 << box7[3 * i] | 1 << box7[3 * i + 1] | 1 << box7[3 * i + 2]
        used[0, i] = rows[i] | 1 << box4[3 * i] | 1 << box4[3 * i + 1] | 1 << box4[3 * i + 2]
        used[1, i] = columns[i] | 1 << box2[i] | 1 << box2[3 + i] | 1 << box2[6 + i]


@inlined
def _sixth_and_eighth(used: Array, sets: Array, orders: Array, members: Array, choices: Array) -> bool:
    """List two orders (sets of a digit) for each row of box 6 and each column of box 8; return whether there are
    any.
    """
    fits = True
    for k in range(6):
        side, i = k % 2, k // 2
        digits, count = ALL & ~used[side, i], 0
        for order in range(6):
            first, second = 1 << members[digits, orders[order, 0]], 1 << members[digits, orders[order, 1]]
            third = digits ^ first ^ second
            if count < 2 and not (first & sets[side, 0] or second & sets[side, 1] or third & sets[side, 2]):
                at = 2 * i + count
                choices[side, at, 0], choices[side, at, 1], choices[side, at, 2] = first, second, third
                count += 1
        fits = count > 0
        if not fits:
            break
    return fits


@inlined
def _ends(choices: Array, sets: Array, ends: Array) -> None:
    """Record the columns (rows) of box 9 for each of eight choices in box 6 (in box 8)."""
    for side in range(2):
        for choice in range(8):
            a, b, c = choice & 1, 2 + (choice >> 1 & 1), 4 + (choice >> 2)
            for i in range(3):
                used = choices[side, a, i] | choices[side, b, i] | choices[side, c, i]
                ends[side, choice, i] = ALL & ~(sets[side, i] | used)


@inlined
def _fitting(choice: int, tries: int, ends: Array) -> int:
    """Return a choice, or the next one, for which rows and columns of box 9 meet; or -1."""
    found = -1
    while tries and found < 0:
        rows, columns = ends[1, choice >> 3], ends[0, choice & 7]
        if _meets(rows, columns[0]) and _meets(rows, columns[1]) and _meets(rows, columns[2]):
            found = choice
        choice, tries = (choice + 27) % 64, tries - 1
    return found


@inlined
def _sixth_to_ninth(choice: int, choices: Array, ends: Array, members: Array, boxes: Array) -> None:
    """Write boxes 6, 8 and 9 by a choice that fits."""
    for i in range(3):
        for j in range(3):
            boxes[5, 3 * i + j] = members[choices[0, 2 * i + (choice >> i & 1), j], 0]
            boxes[7, 3 * j + i] = members[choices[1, 2 * i + (choice >> 3 + i & 1), j], 0]
    _met(ends[1, choice >> 3], ends[0, choice & 7], members, boxes[8])


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
    for band in range(3):
        for stack in range(3):
            for r in range(3):
                for c in range(3):
                    grid[27 * band + 9 * r + 3 * stack + c] = names[boxes[3 * band + stack, 3 * r + c]]


@compiled
def _random_grids(
    chance: Array, beside: Array, below: Array, places: Array, turned: Array, orders: Array, members: Array,
    quick: bool, grids: Array, made: int,
) -> tuple[int, int]:  # fmt: skip
    """Make grids from random numbers until either runs out; return the number of grids and of used numbers."""
    boxes, listed, names = np.zeros((9, 9), np.int64), np.zeros(9, np.int64), np.zeros(9, np.int64)
    boxes[0] = np.arange(9)
    rows, columns, sets, lines = listed[:3].copy(), listed[:3].copy(), boxes[1:3, :3].copy(), boxes[1:3, :3].copy()
    choices, ends = np.zeros((2, 6, 3), np.int64), np.zeros((2, 8, 3), np.int64)
    used = 0
    while made < len(grids) and used + NUMBERS <= len(chance):
        box2, box4 = beside[int(chance[used] * 12096)], below[int(chance[used + 1] * 12096)]
        fits = _fifth(int(chance[used + 2] * 3136), places, turned, box2, box4, rows, columns)
        used += 3
        if not fits:
            continue
        corners = int(chance[used] * 46656)
        choice, order = int(chance[used + 1] * 64), int(chance[used + 2] * 362880)
        used += 3
        _third_and_seventh(corners, orders, members, box2, box4, boxes[2], boxes[6])
        _used(box2, boxes[2], box4, boxes[6], rows, columns, sets, lines)
        if not _sixth_and_eighth(lines, sets, orders, members, choices):
            continue
        _ends(choices, sets, ends)
        choice = _fitting(choice, 64 if quick else 1, ends)
        if choice < 0:
            continue
        for k in range(9):
            boxes[1, k], boxes[3, k] = box2[k], box4[k]
        _met(rows, columns, members, boxes[4])
        _sixth_to_ninth(choice, choices, ends, members, boxes)
        _write(boxes, order, listed, names, grids[made])
        made += 1
    return made, used


def random_grids(chance: Array, quick: bool, grids: Array, made: int) -> tuple[int, int]:
    """Make grids (uint8, n x 81, from row ``made`` on) from numbers in [0, 1), until either runs out.

    Returns the number of grids and of used numbers. ``quick`` selects the form that is not quite uniform.
    """
    t = tables()
    found: tuple[int, int] = _random_grids(
        chance, t.beside, t.below, t.places, t.turned, t.orders, t.members, quick, grids, made
    )  # fmt: skip
    return found
