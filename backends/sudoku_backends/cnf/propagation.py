"""Singles and locked candidates before a solver is asked: a kernel over the lists of a formula.

A list enters the worklist when one literal is left in it; the locked candidates are swept only when singles stop.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from sudoku_models.engine.machine_code.language import Bytes, Kernels, Layout, Signed, memory_of, section
from sudoku_models.engine.machine_code.library import Library, LoadedKernels, NoMachineCode, address
from sudoku_models.model import Domain

from .compiled import EncodingOptions
from .formula import Problem, Reduced, Structure, encode, reduce, textbook

OPEN, OUT, TRUE = 0, 1, 2
"""The states of a literal."""
CLASH = -1

KERNELS = Kernels()
kernel = KERNELS.mark


class Work(Layout):
    """The lists of one puzzle while literals, its open candidates numbered from 0, are removed from them.

    The lists are those of the ``cells``, then those of the AllDifferents: ``cells + group * width + value``. The
    literals of list ``i`` are those in ``lits`` from ``starts[i]`` on. ``needs`` (by list) is 1 if one of its literals
    has to be true and none is yet; ``left`` is the number of its open literals. ``state`` is by literal; so are
    ``lists_of``, ``most`` for each, -1 where a cell is in fewer. ``queue`` holds the lists that had one literal left.
    ``removed`` counts the literals removed.
    """

    cells: int
    width: int
    literals: int
    lists: int
    most: int
    removed: int
    lits: Signed = section()
    starts: Signed = section()
    needs: Bytes = section()
    left: Signed = section()
    state: Bytes = section()
    lists_of: Signed = section()
    queue: Signed = section()


@kernel
def enter(work: Work, group_of: Signed, needed: Bytes, fixed: Signed) -> None:
    """Note which lists need a true literal: those of cells and houses, unless they have one."""
    for item in range(work.lists):
        work.needs[item] = 1 if item < work.cells else needed[item - work.cells]
    for cell in range(work.cells):
        if fixed[cell] >= 0:
            work.needs[cell] = 0
            for layer in range(work.most - 1):
                item = work.cells + group_of[layer * work.cells + cell] * work.width + fixed[cell]
                if item < work.lists:
                    work.needs[item] = 0


@kernel
def fill(work: Work, group_of: Signed, cell: Signed, column: Signed) -> None:
    """Note the lists of each literal, and the literals of each list."""
    for i in range(work.literals):
        for k in range(work.most):
            item = cell[i]
            if k:
                item = work.cells + group_of[(k - 1) * work.cells + cell[i]] * work.width + column[i]
            work.lists_of[i * work.most + k] = item if item < work.lists else -1
            if item < work.lists:
                work.left[item] += 1
    end = 0
    for item in range(work.lists):
        work.starts[item] = end
        end += work.left[item]
        work.left[item] = 0
    work.starts[work.lists] = end
    for at in range(work.literals * work.most):
        item = work.lists_of[at]
        if item >= 0:
            work.lits[work.starts[item] + work.left[item]] = at // work.most
            work.left[item] += 1


@kernel
def first_singles(work: Work) -> int:
    """Enter the lists that need a literal and have one left into the queue; return the same as ``remove``."""
    end = 0
    for item in range(work.lists):
        if work.needs[item] and work.left[item] == 0:
            return CLASH
        if work.needs[item] and work.left[item] == 1:
            work.queue[end] = item
            end += 1
    return end


@kernel
def remove(work: Work, literal: int, end: int) -> int:
    """Remove an open literal; return the new end of the queue, or CLASH if a list is emptied that needs one."""
    work.state[literal] = OUT
    work.removed += 1
    for at in range(literal * work.most, (literal + 1) * work.most):
        item = work.lists_of[at]
        if item < 0:
            continue
        left = work.left[item] - 1
        work.left[item] = left
        if left < 2 and work.needs[item]:
            if left == 0:
                return CLASH
            work.queue[end] = item
            end += 1
    return end


@kernel
def make_true(work: Work, literal: int, end: int) -> int:
    """Make a literal true, and remove the others of its lists; return the same as ``remove``."""
    work.state[literal] = TRUE
    for at in range(literal * work.most, (literal + 1) * work.most):
        if work.lists_of[at] >= 0:
            work.needs[work.lists_of[at]] = 0
    for at in range(literal * work.most, (literal + 1) * work.most):
        item = work.lists_of[at]
        if item >= 0:
            end = clear_outside(work, -1, item, end)
        if end < 0:
            return CLASH
    return end


@kernel
def first_open(work: Work, item: int) -> int:
    """Return the first open literal of a list that has one."""
    place = work.starts[item]
    while work.state[work.lits[place]] != OPEN:
        place += 1
    return work.lits[place]


@kernel
def settle(work: Work, done: int, end: int) -> int:
    """Decide all singles of the queue from ``done`` on, and those that follow; return the same as ``remove``."""
    while done < end:
        item = work.queue[done]
        done += 1
        if work.needs[item]:
            end = make_true(work, first_open(work, item), end)
    return end


@kernel
def is_in(work: Work, literal: int, item: int) -> int:
    for at in range(literal * work.most, (literal + 1) * work.most):
        if work.lists_of[at] == item:
            return 1
    return 0


@kernel
def confined(work: Work, item: int, other: int) -> int:
    """Return whether all open literals of a list are in another one too."""
    for place in range(work.starts[item], work.starts[item + 1]):
        if work.state[work.lits[place]] == OPEN and is_in(work, work.lits[place], other) == 0:
            return 0
    return 1


@kernel
def clear_outside(work: Work, item: int, other: int, end: int) -> int:
    """Remove from the list ``other`` what is not in ``item`` (-1: everything); return the same as ``remove``."""
    for place in range(work.starts[other], work.starts[other + 1]):
        if work.state[work.lits[place]] == OPEN and (item < 0 or is_in(work, work.lits[place], item) == 0):
            end = remove(work, work.lits[place], end)
            if end < 0:
                return CLASH
    return end


@kernel
def sweep(work: Work, end: int) -> int:
    """Remove all that locked candidates exclude; return the same as ``remove``.

    If all literals of a list that needs a true one are in another list, this one has its true literal there.
    """
    for item in range(work.lists):
        if work.needs[item] == 0:
            continue
        first = first_open(work, item) * work.most
        for at in range(first, first + work.most):
            other = work.lists_of[at]
            if other >= 0 and other != item and work.left[other] > work.left[item] and confined(work, item, other):
                end = clear_outside(work, item, other, end)
                if end < 0:
                    return CLASH
    return end


@kernel
def leave(work: Work, fixed: Signed, cell: Signed, column: Signed) -> int:
    """Fix the cells of true literals, and keep those that are open still, in their order; return how many are left."""
    left = 0
    for i in range(work.literals):
        if work.state[i] == TRUE:
            fixed[cell[i]] = column[i]
        elif work.state[i] == OPEN:
            cell[left] = cell[i]
            column[left] = column[i]
            left += 1
    return left


@kernel
def narrow(
    work: Work, group_of: Signed, needed: Bytes, fixed: Signed, cell: Signed, column: Signed, locked: int
) -> int:
    """Apply singles, and perhaps locked candidates, until nothing changes.

    ``fixed`` are the columns of the decided cells (or -1); ``cell`` and ``column`` the open candidates. All three are
    changed. Returns how many candidates are left, or CLASH.
    """
    enter(work, group_of, needed, fixed)
    fill(work, group_of, cell, column)
    done, end, before = 0, first_singles(work), -1
    while end >= 0 and before < work.removed:
        end = settle(work, done, end)
        before = work.removed
        if end >= 0 and locked:
            done, end = end, sweep(work, end)
    return CLASH if end < 0 else leave(work, fixed, cell, column)


LIBRARY = Library("propagation", {"narrow": "mmmmmmi"}, [Path(__file__)], lambda: KERNELS)

# ---------------------------------------------------------------- from domains to a problem


def propagated(structure: Structure, reduced: Reduced, locked: bool, code: LoadedKernels) -> Reduced | None:
    """Return what is open still after propagation; None if there is a clash."""
    fixed, cell, column = (np.array(part, np.int32) for part in (reduced.fixed, reduced.cell, reduced.column))
    literals, cells, most = len(cell), len(structure.names), len(structure.group_of) + 1
    lists = cells + structure.groups * structure.width
    memory = memory_of(
        Work, lits=literals * most, starts=lists + 1, needs=lists, left=lists, state=literals,
        lists_of=literals * most, queue=lists,
    )  # fmt: skip
    struct.pack_into("=5q", memory, 0, cells, structure.width, literals, lists, most)
    arrays = map(address, (memory, structure.group_of, structure.needed, fixed, cell, column))
    left = code.narrow(*arrays, locked)
    return None if left == CLASH else Reduced(cell[:left], column[:left], fixed)


def prepared(structure: Structure, domains: Mapping[str, Domain], options: EncodingOptions) -> tuple[Problem, str]:
    """Narrow a structure by ``domains``, propagate, and encode what is left; also return how it was propagated.

    The option ``propagate=auto`` is ``locked`` where there can be machine code, and ``none`` elsewhere. The formula
    depends on the puzzle alone, so that an engine returns the same one of several solutions whatever was asked before.
    Raise ValueError if ``domains`` name an unknown variable.
    """
    if options.reduction == "none":
        return textbook(structure, domains, options), note("none")
    level, reduced = options.propagate, reduce(structure, domains)
    if level == "auto":
        level = "locked" if machine() else "none"
    layers = len(structure.group_of)
    if reduced and layers and level != "none":
        reduced = propagated(structure, reduced, level == "locked", machine() or LIBRARY.plain())
    return encode(structure, reduced, options), note(level if layers else "none")


def note(level: str) -> str:
    """Return what the record says of the propagation."""
    return f"propagation before the encoding: {level}"


@cache
def machine() -> LoadedKernels | None:
    """Load the kernels, or compile them; None where there can be no machine code."""
    try:
        return LIBRARY.load()
    except NoMachineCode:
        return None
