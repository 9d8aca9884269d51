"""Singles and locked candidates before a solver is asked: a kernel over the lists of a formula.

Lists are swept in turn until nothing changes; locked candidates are looked for only when singles stop.
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

CLASH = -1

KERNELS = Kernels()
kernel = KERNELS.mark


class Work(Layout):
    """The lists of one puzzle while literals, its open candidates numbered from 0, are removed from them.

    The lists are those of the ``cells``, then those of the AllDifferents: ``cells + group * width + value``. The
    literals of list ``i`` are those in ``lits`` from ``starts[i]`` on. ``needs`` (by list) is 1 if one of its literals
    has to be true and none is yet; ``left`` is the number of its open literals. ``out`` flags the literals that are
    removed, ``removed`` of them; ``lists_of`` has ``most`` lists for each literal, -1 where a cell is in fewer.
    ``queue`` has the lists that were left with one literal, of which ``done`` of ``queued`` have been looked at.
    """

    cells: int
    width: int
    literals: int
    lists: int
    most: int
    removed: int
    done: int
    queued: int
    lits: Signed = section()
    starts: Signed = section()
    needs: Bytes = section()
    left: Signed = section()
    out: Bytes = section()
    lists_of: Signed = section()
    queue: Signed = section()


@kernel
def list_of(work: Work, group_of: Signed, layer: int, cell: int, column: int) -> int:
    """Return the list of a literal in a layer (0: that of its cell); -1 if the cell is in no AllDifferent of it."""
    item = cell
    if layer:
        item = work.cells + group_of[(layer - 1) * work.cells + cell] * work.width + column
    return item if item < work.lists else -1


@kernel
def enter(work: Work, group_of: Signed, needed: Bytes, fixed: Signed) -> None:
    """Note which lists need a true literal: those of cells and houses, unless they have one."""
    for item in range(work.lists):
        work.needs[item] = 1 if item < work.cells else needed[item - work.cells]
    for cell in range(work.cells):
        for layer in range(work.most if fixed[cell] >= 0 else 0):
            item = list_of(work, group_of, layer, cell, fixed[cell])
            if item >= 0:
                work.needs[item] = 0


@kernel
def fill(work: Work, group_of: Signed, cell: Signed, column: Signed) -> None:
    """Note the lists of each literal, and the literals of each list."""
    for i in range(work.literals):
        for layer in range(work.most):
            item = list_of(work, group_of, layer, cell[i], column[i])
            work.lists_of[i * work.most + layer] = item
            if item >= 0:
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
def is_in(work: Work, literal: int, item: int) -> int:
    for at in range(literal * work.most, (literal + 1) * work.most):
        if work.lists_of[at] == item:
            return 1
    return 0


@kernel
def first_open(work: Work, item: int) -> int:
    """Return the first open literal of a list that has one."""
    place = work.starts[item]
    while work.out[work.lits[place]]:
        place += 1
    return work.lits[place]


@kernel
def confined(work: Work, item: int, other: int) -> int:
    """Return whether all open literals of a list are in another one too."""
    for place in range(work.starts[item], work.starts[item + 1]):
        if work.out[work.lits[place]] == 0 and is_in(work, work.lits[place], other) == 0:
            return 0
    return 1


@kernel
def remove(work: Work, literal: int) -> int:
    """Remove an open literal; return CLASH if a list is emptied that needs one, otherwise 0."""
    work.out[literal] = 1
    work.removed += 1
    for at in range(literal * work.most, (literal + 1) * work.most):
        item = work.lists_of[at]
        if item >= 0:
            work.left[item] -= 1
            if work.needs[item] and work.left[item] < 2:
                if work.left[item] == 0:
                    return CLASH
                work.queue[work.queued] = item
                work.queued += 1
    return 0


@kernel
def clear_outside(work: Work, item: int, other: int) -> int:
    """Remove from the list ``other`` what is not in ``item``; return the same as ``remove``."""
    for place in range(work.starts[other], work.starts[other + 1]):
        literal = work.lits[place]
        if work.out[literal] == 0 and is_in(work, literal, item) == 0 and remove(work, literal) == CLASH:
            return CLASH
    return 0


@kernel
def tighten(work: Work, item: int) -> int:
    """Remove what a list that needs a true literal excludes; return the same as ``remove``.

    If all literals of the list are in another list, this one has its true literal there. A list of one literal needs
    nothing more after that: the literal is alone in all its lists, so nothing can remove it.
    """
    if work.left[item] == 0:
        return CLASH
    first = first_open(work, item) * work.most
    for at in range(first, first + work.most):
        other = work.lists_of[at]
        if other < 0 or work.left[other] <= work.left[item] or confined(work, item, other) == 0:
            continue
        if clear_outside(work, item, other) == CLASH:
            return CLASH
    if work.left[item] == 1:
        work.needs[item] = 0
    return 0


@kernel
def sweep(work: Work, most: int) -> int:
    """Tighten by the lists of up to ``most`` literals that need one, then by those that are left with one."""
    for item in range(work.lists):
        if work.needs[item] and work.left[item] <= most and tighten(work, item) == CLASH:
            return CLASH
    while work.done < work.queued:
        work.done += 1
        if tighten(work, work.queue[work.done - 1]) == CLASH:
            return CLASH
    return 0


@kernel
def leave(work: Work, fixed: Signed, cell: Signed, column: Signed) -> int:
    """Fix the cells with one literal left, and keep the literals of the others, in order; return how many are kept."""
    kept = 0
    for i in range(work.literals):
        if work.out[i] == 0 and work.left[cell[i]] == 1:
            fixed[cell[i]] = column[i]
        elif work.out[i] == 0:
            cell[kept] = cell[i]
            column[kept] = column[i]
            kept += 1
    return kept


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
    if sweep(work, 1) == CLASH:
        return CLASH
    before = -1
    while locked and before < work.removed:
        before = work.removed
        if sweep(work, work.literals) == CLASH:
            return CLASH
    return leave(work, fixed, cell, column)


LIBRARY = Library("propagation", {"narrow": "mmmmmmi"}, [Path(__file__)], lambda: KERNELS)

# ---------------------------------------------------------------- from domains to a problem


def propagated(structure: Structure, reduced: Reduced, locked: bool, code: LoadedKernels) -> Reduced | None:
    """Return what is open still after propagation; None if there is a clash."""
    fixed, cell, column = (np.array(part, np.int32) for part in (reduced.fixed, reduced.cell, reduced.column))
    literals, cells, most = len(cell), len(structure.names), len(structure.group_of) + 1
    lists = cells + structure.groups * structure.width
    memory = memory_of(
        Work, lits=literals * most, starts=lists + 1, needs=lists, left=lists, out=literals,
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
