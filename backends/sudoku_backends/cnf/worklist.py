"""Singles and locked candidates by a worklist, and the encoding of what is left: the compiled (numba) road.

A list enters the worklist when its length reaches 1; the locked candidates are swept only when singles stop.

Candidate (cell, value) is ``cell * width + value``; AllDifferents ("houses" here, flagged in ``full`` where they are)
are numbered over all layers; the list of a value in a house is ``house * width + value``. A count of SOLVED or below
says that the list has its true candidate. The cells are given by ``house_of[layer, cell]`` (-1 for none) and
``members[house]`` (padded with -1); the shared parts by ``part_of[crossing, cell]`` (-1 for none) and by
``crosses[part]`` (the crossing and the two houses).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from .space import Ints

SOLVED = -(1 << 24)
CLASH = -1

F = TypeVar("F", bound=Callable[..., Any])


def _compiled(function: F) -> F:
    """Compile when first called, keeping the machine code on disk where a folder can be written."""
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))


@_compiled
def _start(
    cells: Ints,
    columns: Ints,
    allowed: Ints,
    house_of: Ints,
    full: Ints,
    part_of: Ints,
    width: int,
    value: Ints,
    cand: Ints,
    options: Ints,
    places: Ints,
    shared: Ints,
) -> bool:
    """Apply the givens and count all lists; return False at a clash. ``allowed`` is empty where no cell is limited."""
    value[:] = -1
    places[:] = 0
    shared[:] = 0
    for i in range(len(cells)):
        value[cells[i]] = columns[i]
        for layer in range(house_of.shape[0]):
            house = house_of[layer, cells[i]]
            if house >= 0:
                if places[house * width + columns[i]] < 0:
                    return False
                places[house * width + columns[i]] = SOLVED
    for cell in range(len(value)):
        at = cell * width
        if value[cell] >= 0:
            cand[at : at + width] = 0
            options[cell] = SOLVED
            continue
        count = 0
        for v in range(width):
            is_open = len(allowed) == 0 or allowed[at + v] != 0
            for layer in range(house_of.shape[0]):
                house = house_of[layer, cell]
                if house >= 0 and places[house * width + v] < 0:
                    is_open = False
            cand[at + v] = is_open
            if is_open:
                count += 1
                for layer in range(house_of.shape[0]):
                    house = house_of[layer, cell]
                    if house >= 0:
                        places[house * width + v] += 1
                for crossing in range(part_of.shape[0]):
                    part = part_of[crossing, cell]
                    if part >= 0:
                        shared[part * width + v] += 1
        options[cell] = count
        if count == 0:
            return False
    for house in range(len(full)):
        if full[house]:
            for v in range(width):
                if places[house * width + v] == 0:
                    return False
    return True


@_compiled
def _remove(
    cell: int,
    v: int,
    house_of: Ints,
    full: Ints,
    part_of: Ints,
    width: int,
    cand: Ints,
    options: Ints,
    places: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> int:
    """Remove an open candidate; return the new end of the queue, or CLASH when a list is emptied."""
    cand[cell * width + v] = 0
    options[cell] -= 1
    if options[cell] == 0:
        return CLASH
    if options[cell] == 1:
        queue[end] = cell
        end += 1
    for layer in range(house_of.shape[0]):
        house = house_of[layer, cell]
        if house >= 0:
            at = house * width + v
            places[at] -= 1
            if full[house]:
                if places[at] == 0:
                    return CLASH
                if places[at] == 1:
                    queue[end] = len(options) + at
                    end += 1
    for crossing in range(part_of.shape[0]):
        part = part_of[crossing, cell]
        if part >= 0:
            shared[part * width + v] -= 1
    return end


@_compiled
def _place(
    cell: int,
    v: int,
    house_of: Ints,
    members: Ints,
    full: Ints,
    part_of: Ints,
    width: int,
    value: Ints,
    cand: Ints,
    options: Ints,
    places: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> int:
    """Decide a cell: its lists are solved, all that it excludes is removed. Returns as ``_remove``."""
    value[cell] = v
    cand[cell * width + v] = 0
    options[cell] = SOLVED
    for layer in range(house_of.shape[0]):
        house = house_of[layer, cell]
        if house >= 0:
            places[house * width + v] = SOLVED
    for crossing in range(part_of.shape[0]):
        part = part_of[crossing, cell]
        if part >= 0:
            shared[part * width + v] -= 1
    for w in range(width):
        if cand[cell * width + w]:
            end = _remove(cell, w, house_of, full, part_of, width, cand, options, places, shared, queue, end)
            if end < 0:
                return CLASH
    for layer in range(house_of.shape[0]):
        house = house_of[layer, cell]
        if house < 0:
            continue
        for i in range(members.shape[1]):
            peer = members[house, i]
            if peer < 0:
                break
            if cand[peer * width + v]:
                end = _remove(peer, v, house_of, full, part_of, width, cand, options, places, shared, queue, end)
                if end < 0:
                    return CLASH
    return end


@_compiled
def _sweep(
    house_of: Ints,
    members: Ints,
    full: Ints,
    part_of: Ints,
    crosses: Ints,
    width: int,
    cand: Ints,
    options: Ints,
    places: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> tuple[int, bool]:
    """Remove all that locked candidates exclude; return the end of the queue (or CLASH) and whether any was."""
    changed = False
    for part in range(crosses.shape[0]):
        crossing = crosses[part, 0]
        for v in range(width):
            count = shared[part * width + v]
            if count < 1:
                continue
            for side in range(2):
                here, there = crosses[part, 1 + side], crosses[part, 2 - side]
                if not full[here] or places[here * width + v] != count or places[there * width + v] <= count:
                    continue
                for i in range(members.shape[1]):
                    cell = members[there, i]
                    if cell < 0:
                        break
                    if cand[cell * width + v] and part_of[crossing, cell] != part:
                        changed = True
                        end = _remove(
                            cell, v, house_of, full, part_of, width, cand, options, places, shared, queue, end
                        )
                        if end < 0:
                            return CLASH, True
    return end, changed


@_compiled
def _single(item: int, members: Ints, width: int, cand: Ints, options: Ints) -> tuple[int, int]:
    """Return the cell and value of a list of length 1."""
    if item < len(options):
        for v in range(width):
            if cand[item * width + v]:
                return item, v
    house, v = divmod(item - len(options), width)
    for i in range(members.shape[1]):
        cell = members[house, i]
        if cell >= 0 and cand[cell * width + v]:
            return cell, v
    return -1, -1


@_compiled
def narrow(
    cells: Ints,
    columns: Ints,
    allowed: Ints,
    house_of: Ints,
    members: Ints,
    full: Ints,
    part_of: Ints,
    crosses: Ints,
    width: int,
    value: Ints,
    cand: Ints,
    options: Ints,
    places: Ints,
    shared: Ints,
    queue: Ints,
    locked: bool,
) -> int:
    """Apply the givens (``cells``, ``columns``), singles and perhaps locked candidates to the end.

    Fills ``value`` (-1 where open), ``cand``, ``options`` (candidates left by cell) and ``places`` (by house and
    value). Returns the number of open candidates, or CLASH.
    """
    if not _start(cells, columns, allowed, house_of, full, part_of, width, value, cand, options, places, shared):
        return CLASH
    end = 0
    for cell in range(len(options)):
        if options[cell] == 1:
            queue[end] = cell
            end += 1
    for house in range(len(full)):
        if full[house]:
            for at in range(house * width, house * width + width):
                if places[at] == 1:
                    queue[end] = len(options) + at
                    end += 1
    done = 0
    changed = True
    while changed:
        while done < end:
            item = queue[done]
            done += 1
            left = options[item] if item < len(options) else places[item - len(options)]
            if left != 1:
                continue
            cell, v = _single(item, members, width, cand, options)
            end = _place(
                cell, v, house_of, members, full, part_of, width, value, cand, options, places, shared, queue, end
            )
            if end < 0:
                return CLASH
        changed = False
        if locked:
            end, changed = _sweep(
                house_of, members, full, part_of, crosses, width, cand, options, places, shared, queue, end
            )
            if end < 0:
                return CLASH
    total = 0
    for cell in range(len(options)):
        if options[cell] > 0:
            total += options[cell]
    return total


@_compiled
def collect(cand: Ints, width: int, number: Ints, found: Ints, cell: Ints, column: Ints) -> None:
    """Write the open candidates with their cells and columns, and number them from 1."""
    at = 0
    for i in range(len(number)):
        if cand[i]:
            found[at] = i
            cell[at] = i // width
            column[at] = i % width
            at += 1
            number[i] = at


@_compiled
def measure(options: Ints, places: Ints) -> tuple[int, int, int]:
    """Return the numbers of pairs, of list entries and of lists that are open."""
    pairs, entries, lists = 0, 0, 0
    for counts in (options, places):
        for k in counts:
            if k > 0:
                pairs += k * (k - 1) // 2
                entries += k
                lists += 1
    return pairs, entries, lists


@_compiled
def write(
    cand: Ints,
    number: Ints,
    options: Ints,
    places: Ints,
    members: Ints,
    width: int,
    first: Ints,
    second: Ints,
    lits: Ints,
    lens: Ints,
) -> None:
    """Write the open lists, each as one clause and as its negated pairs; for models of houses only."""
    pair, entry, at = 0, 0, 0
    for item in range(len(options) + len(places)):
        count = options[item] if item < len(options) else places[item - len(options)]
        if count <= 0:
            continue
        begin = entry
        if item < len(options):
            for i in range(item * width, item * width + width):
                if cand[i]:
                    lits[entry] = number[i]
                    entry += 1
        else:
            house, v = divmod(item - len(options), width)
            for j in range(members.shape[1]):
                i = members[house, j] * width + v
                if members[house, j] >= 0 and cand[i]:
                    lits[entry] = number[i]
                    entry += 1
        lens[at] = count
        at += 1
        for i in range(begin, entry):
            for j in range(i + 1, entry):
                first[pair] = -lits[i]
                second[pair] = -lits[j]
                pair += 1
