"""Singles and locked candidates by a worklist, and the encoding of what is left: the compiled (numba) road.

A list enters the worklist when its length reaches 1; the locked candidates are swept only when singles stop.

The numbering: candidate (cell, value) is ``cell * width + value``. The lists are those of the cells, by cell, then
those of the AllDifferents over all layers: list ``cells + group * width + value``. ``lists_at[cell, layer]`` is the
list of value 0 in the cell's group; cells in no group point behind the last one (``idle``). ``parts_at[cell, c]`` is
``part * width`` for the part shared in crossing c that the cell lies in, behind the last one where it lies in none.
``members[group]`` are the group's cells, padded with -1. ``crosses[part]``: the crossing and the two groups.

``count[list]`` is the number of open candidates; SOLVED or below when the list has its true one; SPARE or more where no
true one is needed (an AllDifferent that is no house), so that such a list is never found short.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from .space import Ints

SOLVED = -(1 << 26)
SPARE = 1 << 24
CLASH = -1

F = TypeVar("F", bound=Callable[..., Any])


def _compiled(function: F) -> F:
    """Compile when first called, keeping the machine code on disk where a folder can be written."""
    try:
        return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True, error_model="numpy")(function))


@_compiled
def _give(cells: Ints, columns: Ints, lists_at: Ints, idle: int, value: Ints, count: Ints) -> bool:
    """Enter the givens; return False when two of them clash."""
    for i in range(len(cells)):
        cell, v = cells[i], columns[i]
        value[cell] = v
        count[cell] = SOLVED
        for layer in range(lists_at.shape[1]):
            at = lists_at[cell, layer]
            if at < idle:
                if count[at + v] == SOLVED:
                    return False
                count[at + v] = SOLVED
    return True


@_compiled
def _count(
    allowed: Ints, lists_at: Ints, parts_at: Ints, width: int, value: Ints, cand: Ints, count: Ints, shared: Ints
) -> None:
    """Find the open candidates and the lengths of all lists. ``allowed`` is empty where no cell is limited."""
    for cell in range(len(value)):
        if value[cell] >= 0:
            cand[cell * width : cell * width + width] = 0
            continue
        row = cand[cell * width : cell * width + width]
        if len(allowed):
            row[:] = allowed[cell * width : cell * width + width]
        else:
            row[:] = 1
        for layer in range(lists_at.shape[1]):
            lists = count[lists_at[cell, layer] : lists_at[cell, layer] + width]
            for v in range(width):
                row[v] &= lists[v] >= 0
        for v in range(width):
            if row[v]:
                count[cell] += 1
                for layer in range(lists_at.shape[1]):
                    count[lists_at[cell, layer] + v] += 1
                for crossing in range(parts_at.shape[1]):
                    shared[parts_at[cell, crossing] + v] += 1


@_compiled
def _remove(
    cell: int,
    v: int,
    lists_at: Ints,
    parts_at: Ints,
    width: int,
    cand: Ints,
    count: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> int:
    """Remove an open candidate; return the new end of the queue, or CLASH when a list is emptied."""
    cand[cell * width + v] = 0
    count[cell] -= 1
    left = count[cell]
    if left <= 1:
        if left == 0:
            return CLASH
        if left == 1:
            queue[end] = cell
            end += 1
    for layer in range(lists_at.shape[1]):
        at = lists_at[cell, layer] + v
        count[at] -= 1
        if count[at] <= 1:
            if count[at] == 0:
                return CLASH
            if count[at] == 1:
                queue[end] = at
                end += 1
    for crossing in range(parts_at.shape[1]):
        shared[parts_at[cell, crossing] + v] -= 1
    return end


@_compiled
def _place(
    cell: int,
    v: int,
    lists_at: Ints,
    parts_at: Ints,
    members: Ints,
    width: int,
    idle: int,
    value: Ints,
    cand: Ints,
    count: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> int:
    """Decide a cell: its lists are solved, all that it excludes is removed. Returns as ``_remove``.

    A solved list still counts its others below SOLVED, so that each scan ends with the last of them.
    """
    value[cell] = v
    cand[cell * width + v] = 0
    left = count[cell] - 1
    count[cell] = SOLVED
    for layer in range(lists_at.shape[1]):
        if lists_at[cell, layer] < idle:
            count[lists_at[cell, layer] + v] += SOLVED - 1
    for crossing in range(parts_at.shape[1]):
        shared[parts_at[cell, crossing] + v] -= 1
    for w in range(width):
        if left == 0:
            break
        if cand[cell * width + w]:
            left -= 1
            end = _remove(cell, w, lists_at, parts_at, width, cand, count, shared, queue, end)
            if end < 0:
                return CLASH
    for layer in range(lists_at.shape[1]):
        at = lists_at[cell, layer]
        if at == idle:
            continue
        left = count[at + v] - SOLVED
        if left >= SPARE:
            left -= SPARE
        group = (at - len(value)) // width
        for i in range(members.shape[1]):
            peer = members[group, i]
            if left == 0 or peer < 0:
                break
            if cand[peer * width + v]:
                left -= 1
                end = _remove(peer, v, lists_at, parts_at, width, cand, count, shared, queue, end)
                if end < 0:
                    return CLASH
        count[at + v] = SOLVED
    return end


@_compiled
def _sweep(
    lists_at: Ints,
    parts_at: Ints,
    members: Ints,
    crosses: Ints,
    width: int,
    cells: int,
    cand: Ints,
    count: Ints,
    shared: Ints,
    queue: Ints,
    end: int,
) -> int:
    """Remove all that locked candidates exclude; return as ``_remove``.

    Where all places of a value in one group lie in the shared part, the other group has none outside of it.
    """
    for part in range(crosses.shape[0]):
        crossing = crosses[part, 0]
        for v in range(width):
            inside = shared[part * width + v]
            if inside < 2:
                continue
            for side in range(2):
                here, there = crosses[part, 1 + side], crosses[part, 2 - side]
                if count[cells + here * width + v] != inside or count[cells + there * width + v] <= inside:
                    continue
                for i in range(members.shape[1]):
                    cell = members[there, i]
                    if cell < 0:
                        break
                    if cand[cell * width + v] and parts_at[cell, crossing] != part * width:
                        end = _remove(cell, v, lists_at, parts_at, width, cand, count, shared, queue, end)
                        if end < 0:
                            return CLASH
    return end


@_compiled
def _single(item: int, members: Ints, width: int, cells: int, cand: Ints) -> tuple[int, int]:
    """Return the cell and value of a list of length 1."""
    if item < cells:
        for v in range(width):
            if cand[item * width + v]:
                return item, v
    group, v = divmod(item - cells, width)
    for i in range(members.shape[1]):
        cell = members[group, i]
        if cell >= 0 and cand[cell * width + v]:
            return cell, v
    return -1, -1


@_compiled
def narrow(
    cells: Ints,
    columns: Ints,
    allowed: Ints,
    lists_at: Ints,
    parts_at: Ints,
    members: Ints,
    crosses: Ints,
    spare: Ints,
    width: int,
    value: Ints,
    cand: Ints,
    count: Ints,
    shared: Ints,
    queue: Ints,
    locked: bool,
) -> int:
    """Apply the givens (``cells``, ``columns``), singles and perhaps locked candidates to the end.

    ``spare`` is what each list's count starts from. Fills ``value`` (-1 where open), ``cand`` and ``count``. Returns
    the number of open candidates, or CLASH.
    """
    idle = len(count) - width
    value[:] = -1
    count[:] = spare
    shared[:] = 0
    if not _give(cells, columns, lists_at, idle, value, count):
        return CLASH
    _count(allowed, lists_at, parts_at, width, value, cand, count, shared)
    done = end = 0
    for item in range(idle):
        if count[item] == 0:
            return CLASH
        if count[item] == 1:
            queue[end] = item
            end += 1
    while True:
        while done < end:
            item = queue[done]
            done += 1
            if count[item] == 1:
                cell, v = _single(item, members, width, len(value), cand)
                end = _place(cell, v, lists_at, parts_at, members, width, idle, value, cand, count, shared, queue, end)
                if end < 0:
                    return CLASH
        removed = False
        if locked:
            before = _total(count, len(value))
            end = _sweep(lists_at, parts_at, members, crosses, width, len(value), cand, count, shared, queue, end)
            if end < 0:
                return CLASH
            removed = _total(count, len(value)) < before
        if not removed:
            return _total(count, len(value))


@_compiled
def _total(count: Ints, cells: int) -> int:
    """Return the number of open candidates."""
    total = 0
    for cell in range(cells):
        if count[cell] > 0:
            total += count[cell]
    return total


@_compiled
def collect(cand: Ints, width: int, number: Ints, found: Ints, cell: Ints, column: Ints) -> None:
    """Write the open candidates with their cells and columns, and number them from 1."""
    at = 0
    for c in range(len(number) // width):
        for v in range(width):
            if cand[c * width + v]:
                found[at] = c * width + v
                cell[at] = c
                column[at] = v
                at += 1
                number[c * width + v] = at


@_compiled
def measure(count: Ints, idle: int) -> tuple[int, int, int]:
    """Return the numbers of pairs, of list entries and of lists that are open."""
    pairs, entries, lists = 0, 0, 0
    for item in range(idle):
        k = count[item]
        if k > 0:
            pairs += k * (k - 1) // 2
            entries += k
            lists += 1
    return pairs, entries, lists


@_compiled
def write(
    cand: Ints,
    number: Ints,
    count: Ints,
    members: Ints,
    width: int,
    first: Ints,
    second: Ints,
    lits: Ints,
    lens: Ints,
) -> None:
    """Write the open lists, each as one clause and as its negated pairs; for models of houses only."""
    cells = len(number) // width
    pair, entry, at = 0, 0, 0
    for item in range(len(count) - width):
        if count[item] <= 0:
            continue
        begin = entry
        if item < cells:
            for i in range(item * width, item * width + width):
                if cand[i]:
                    lits[entry] = number[i]
                    entry += 1
        else:
            group, v = divmod(item - cells, width)
            for j in range(members.shape[1]):
                i = members[group, j] * width + v
                if i >= 0 and cand[i]:
                    lits[entry] = number[i]
                    entry += 1
        lens[at] = entry - begin
        at += 1
        for i in range(begin, entry):
            for j in range(i + 1, entry):
                first[pair] = -lits[i]
                second[pair] = -lits[j]
                pair += 1
