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

from functools import lru_cache
from itertools import combinations, permutations
from pathlib import Path

import numpy as np

from ..engine.machine_code.language import Bytes, Floats, Ints, Kernels, Layout, after, items, size_of
from ..engine.machine_code.library import Library, address
from .chance import Array, machine

ALL = 0x1FF
NUMBERS = 6
"""The most random numbers that a trial needs."""


@lru_cache(maxsize=1)
def tables() -> tuple[Array, ...]:
    """Make the parts that grids are put together from, once in a process; digits are 0 to 8, sets of them are bits.

    They are (int8): the boxes that can be beside the first one, by rows, and those below it (12,096 x 9 each); the
    cells of a box whose digits come in each row of the next, and those whose digits come in each column of the one
    below (56 x 9 each); the orders of three (6 x 3); the digits of a set of up to three, -1 if it has fewer (512 x 3).
    """
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
    return tuple(np.ascontiguousarray(table, np.int8) for table in made)


def spreads() -> Array:
    """Return 56 ways to spread the digits of three rows, three new ones in each (56 x 3 x 3)."""
    found = []
    for top in combinations((3, 4, 5, 6, 7, 8), 3):
        for middle in combinations(sorted({0, 1, 2, 6, 7, 8} - set(top)), 3):
            bottom = sorted(set(range(9)) - set(top) - set(middle))
            if max(bottom) < 6:
                found.append((top, middle, bottom))
    return np.array(found)


KERNELS = Kernels()
kernel = KERNELS.mark


class Work(Layout):
    """What is written while grids are made: nine boxes by rows, and what their lines hold, as sets of digits."""

    used: int  # of the random numbers
    boxes: Ints = items(81)
    listed: Ints = items(9)
    names: Ints = items(9)
    rows: Ints = items(3)  # of the middle box
    columns: Ints = items(3)
    sets: Ints = items(6)  # the columns of box 3, the rows of box 7
    lines: Ints = items(6)  # the rows of boxes 4 and 5, the columns of boxes 2 and 5
    choices: Ints = items(36)  # in boxes 6 and 8: two orders of three digits for each of three lines
    ends: Ints = items(48)  # the columns and the rows of box 9 for each of eight choices


@kernel
def meets(rows: Ints, column: int) -> int:
    """Return whether a column (a set of digits) meets each of three rows in one digit."""
    a, b, c = rows[0] & column, rows[1] & column, rows[2] & column
    return a != 0 and b != 0 and c != 0 and (a & a - 1 | b & b - 1 | c & c - 1) == 0


@kernel
def fifth(number: int, places: Bytes, turned: Bytes, box2: Bytes, box4: Bytes, w: Work) -> int:
    """Record the digits in the rows and columns of the middle box, by a number below 3136; return whether they meet."""
    across, down = number // 56 * 9, number % 56 * 9
    for i in range(3):
        k = across + 3 * i
        w.rows[i] = 1 << box4[places[k]] | 1 << box4[places[k + 1]] | 1 << box4[places[k + 2]]
    for i in range(3):
        k = down + 3 * i
        w.columns[i] = 1 << box2[turned[k]] | 1 << box2[turned[k + 1]] | 1 << box2[turned[k + 2]]
        if not meets(w.rows, w.columns[i]):
            return 0
    return 1


@kernel
def met(rows: Ints, columns: Ints, members: Bytes, box: Ints) -> None:
    """Write into ``box`` the value that each of these rows and columns share."""
    for i in range(3):
        for j in range(3):
            box[3 * i + j] = members[3 * (rows[i] & columns[j])]


@kernel
def third_and_seventh(
    lines: int, orders: Bytes, members: Bytes, box2: Bytes, box4: Bytes, box3: Ints, box7: Ints
) -> None:
    """Write the boxes in the corners from a number below 46,656: each of their lines contains the remaining digits."""
    left = lines // 216
    for i in range(3):
        above = ALL & ~(7 << 3 * i | 1 << box2[3 * i] | 1 << box2[3 * i + 1] | 1 << box2[3 * i + 2])
        beside = ALL & ~(73 << i | 1 << box4[i] | 1 << box4[3 + i] | 1 << box4[6 + i])
        for j in range(3):
            box3[3 * i + j] = members[3 * above + orders[lines % 6 * 3 + j]]
            box7[3 * j + i] = members[3 * beside + orders[left % 6 * 3 + j]]
        lines, left = lines // 6, left // 6


@kernel
def note_lines(box2: Bytes, box4: Bytes, w: Work) -> None:
    """Record the digits in the columns of box 3, rows of 7, rows of 4 and 5, and columns of 2 and 5."""
    for i in range(3):
        w.sets[i] = 1 << w.boxes[18 + i] | 1 << w.boxes[21 + i] | 1 << w.boxes[24 + i]
        w.sets[3 + i] = 1 << w.boxes[54 + 3 * i] | 1 << w.boxes[55 + 3 * i] | 1 << w.boxes[56 + 3 * i]
        w.lines[i] = w.rows[i] | 1 << box4[3 * i] | 1 << box4[3 * i + 1] | 1 << box4[3 * i + 2]
        w.lines[3 + i] = w.columns[i] | 1 << box2[i] | 1 << box2[3 + i] | 1 << box2[6 + i]


@kernel
def sixth_and_eighth(orders: Bytes, members: Bytes, w: Work) -> int:
    """List two orders (sets of a digit) for each row of box 6 and each column of box 8; return whether there are
    any.
    """
    for k in range(6):
        side, i, count = k % 2, k // 2, 0
        digits = ALL & ~w.lines[3 * side + i]
        for order in range(6):
            first = 1 << members[3 * digits + orders[3 * order]]
            second = 1 << members[3 * digits + orders[3 * order + 1]]
            third = digits ^ first ^ second
            clash = first & w.sets[3 * side] | second & w.sets[3 * side + 1] | third & w.sets[3 * side + 2]
            if count < 2 and not clash:
                at = 18 * side + 3 * (2 * i + count)
                w.choices[at] = first
                w.choices[at + 1] = second
                w.choices[at + 2] = third
                count += 1
        if count == 0:
            return 0
    return 1


@kernel
def list_ends(w: Work) -> None:
    """Record the columns (rows) of box 9 for each of eight choices in box 6 (in box 8)."""
    for side in range(2):
        for choice in range(8):
            a, b, c = choice & 1, 2 + (choice >> 1 & 1), 4 + (choice >> 2)
            for i in range(18 * side, 18 * side + 3):
                taken = w.choices[3 * a + i] | w.choices[3 * b + i] | w.choices[3 * c + i]
                line = i - 18 * side
                w.ends[24 * side + 3 * choice + line] = ALL & ~(w.sets[3 * side + line] | taken)


@kernel
def fitting(choice: int, tries: int, w: Work) -> int:
    """Return a choice, or the next one, for which rows and columns of box 9 meet; or -1."""
    for _ in range(tries):
        rows, column = after(w.ends, 24 + 3 * (choice >> 3)), 3 * (choice & 7)
        if meets(rows, w.ends[column]) and meets(rows, w.ends[column + 1]) and meets(rows, w.ends[column + 2]):
            return choice
        choice = (choice + 27) % 64
    return -1


@kernel
def sixth_to_ninth(choice: int, members: Bytes, w: Work) -> None:
    """Write boxes 6, 8 and 9 by a choice that fits."""
    for i in range(3):
        for j in range(3):
            w.boxes[45 + 3 * i + j] = members[3 * w.choices[3 * (2 * i + (choice >> i & 1)) + j]]
            w.boxes[63 + 3 * j + i] = members[3 * w.choices[18 + 3 * (2 * i + (choice >> 3 + i & 1)) + j]]
    met(after(w.ends, 24 + 3 * (choice >> 3)), after(w.ends, 3 * (choice & 7)), members, after(w.boxes, 72))


@kernel
def write_grid(order: int, w: Work, grids: Bytes, first: int) -> None:
    """Write a grid; ``order``, less than 9!, is the number of the permutation by which its digits are named."""
    for k in range(9):
        w.listed[k] = k + 1
    for k in range(9):
        pick = order % (9 - k)
        order //= 9 - k
        w.names[k] = w.listed[pick]
        for j in range(pick, 8 - k):
            w.listed[j] = w.listed[j + 1]
    for cell in range(81):
        band, r, stack, c = cell // 27, cell // 9 % 3, cell // 3 % 3, cell % 3
        grids[first + cell] = w.names[w.boxes[27 * band + 9 * stack + 3 * r + c]]


@kernel
def make_grids(
    chance: Floats, numbers: int, beside: Bytes, below: Bytes, places: Bytes, turned: Bytes, orders: Bytes,
    members: Bytes, quick: int, grids: Bytes, made: int, wanted: int, w: Work,
) -> int:  # fmt: skip
    """Make grids from random numbers until either runs out; return the number of grids; ``used`` is that of numbers."""
    for k in range(9):
        w.boxes[k] = k
    w.used = 0
    while made < wanted and w.used + NUMBERS <= numbers:
        at = w.used
        box2, box4 = after(beside, 9 * int(chance[at] * 12096)), after(below, 9 * int(chance[at + 1] * 12096))
        w.used += 3
        if not fifth(int(chance[at + 2] * 3136), places, turned, box2, box4, w):
            continue
        w.used += 3
        corners, order = int(chance[at + 3] * 46656), int(chance[at + 5] * 362880)
        third_and_seventh(corners, orders, members, box2, box4, after(w.boxes, 18), after(w.boxes, 54))
        note_lines(box2, box4, w)
        if not sixth_and_eighth(orders, members, w):
            continue
        list_ends(w)
        choice = fitting(int(chance[at + 4] * 64), 64 if quick else 1, w)
        if choice < 0:
            continue
        for k in range(9):
            w.boxes[9 + k] = box2[k]
            w.boxes[27 + k] = box4[k]
        met(w.rows, w.columns, members, after(w.boxes, 36))
        sixth_to_ninth(choice, members, w)
        write_grid(order, w, grids, 81 * made)
        made += 1
    return made


LIBRARY = Library("grid_chance", {"make_grids": "mimmmmmmimiim"}, [Path(__file__)], lambda: KERNELS)


def random_grids(chance: Array, quick: bool, grids: Array, made: int) -> tuple[int, int]:
    """Make grids (uint8, n x 81, from row ``made`` on) from numbers in [0, 1), until either runs out.

    Returns the number of grids and of used numbers. ``quick`` selects the form that is not quite uniform.
    """
    memory = bytearray(size_of(Work))
    numbers = np.ascontiguousarray(chance, np.float64)
    made = machine(LIBRARY).make_grids(
        numbers.ctypes.data, len(numbers), *(part.ctypes.data for part in tables()), quick, grids.ctypes.data, made,
        len(grids), address(memory),
    )  # fmt: skip
    return made, Work(memory).used
