"""The two layouts that every kernel gets: ``Net`` is the problem, which nothing writes to; ``Mem`` is one walk.

Candidates are masks of at most 62 bits. A node is an atom, or a part of one. A *place* is a word of ``Mem``.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, Kernels, Layout, section

KERNELS = Kernels()
"""All kernels by name, in the order of definition."""

kernel = KERNELS.mark

# Kinds of nodes.
HOUSE = 0  # record: values, 1 if there are as many values as cells, 1 + the greatest bit of a value
DIAGRAM = 1  # record: positions, nodes, places of the positions, where edges begin, edges (a node, a mask)
EITHER = 2  # record: parts, of each its node, its width and its places
GROUP = 3  # record: visible, hidden, masks of the hidden, parts, of each its node, its width and its places
JOINED = 4  # record: values, where the neighbours of each cell begin, neighbours
LOOSE = 5  # record: the number of a constraint that has no form but plain Python

WORD = 62
FAR = 1 << 40
"""The depth of a candidate that does not fail."""

ALL_RUNG = 4
"""The position of level 1.all among the levels."""
STRONG_RUNG, NESTED_RUNG = 15, 21
"""The positions of the lowest levels with strong trials and with nested ones."""


# What is known of an atom, once a cell of it has changed.
UNKNOWN = 0
IDLE = 1  # it removes nothing
ABLE = 2  # it removes something if all its cells are read
PRODUCTIVE = 3  # it removes something in this stage

# What is known of a candidate, or of a pair of them, that was supposed, besides nothing.
KEPT = 1  # it was followed to the end, and did not fail
FAILED = 2


class Net(Layout):
    """The problem."""

    cells: int
    atoms: int
    bits: int  # of a cell; that many numbers by cell and bit
    full: Ints = section()  # by cell: its candidates without any given
    kind: Ints = section()  # by node
    record: Ints = section()  # by node: the word of this layout where its record begins
    width: Ints = section()  # by node: its variables
    cost: Ints = section()  # by node: an estimate of its work
    start: Ints = section()  # by atom: where its cells begin
    members: Ints = section()  # cells of atoms
    users_at: Ints = section()  # by cell
    users: Ints = section()  # atoms of cells
    bands: Ints = section()  # by kind of trial, 16 numbers each: the rounds that are distinguished, FAR at the end
    reads: Ints = section()  # by atom: the most of its cells that are chosen to be read
    records: Ints = section()


class Mem(Layout):
    """What one walk writes."""

    budget: int  # the work left for this call
    at: int  # the atom, or the cell and bit, that comes next
    choosing: int  # whether a choice of cells has been begun
    best: int
    found: int
    queued: int
    since: int  # candidates tried since the last one that fell
    complete: int  # whether all was followed to the end
    phase: int  # how far the search for a stage has come
    logged: int  # the stages in the log
    fact: int  # the cell and bit that a sweep supposes
    kept: int  # the address of what is left of candidates, by kind of trial, cell and bit; 0: nothing is kept
    pairs: int  # the same of pairs of candidates, by their numbers
    dom: Ints = section()  # by cell: the state that trials start from
    tried: Ints = section()  # by cell: the state of a trial
    flags: Ints = section()  # by atom: whether it is queued
    queue: Ints = section()
    next: Ints = section()
    new: Ints = section()  # by cell: its mask after a round
    touched: Ints = section()  # cells that a round changed
    is_touched: Ints = section()
    out: Ints = section()  # by cell and bit: the depth of a trial
    able: Ints = section()  # by atom: what is known of it, see IDLE and the others
    use: Ints = section()  # by atom: whether it takes part
    left: Ints = section()  # by member: what an atom leaves
    choice: Ints = section()  # the cells that are read
    open: Ints = section()  # the cells of an atom that were narrowed
    number: Ints = section()  # by cell and bit: the number of the candidate, from which a pair's place follows
    log: Ints = section()  # by stage of this call: its rung, the candidates after it, what atoms left (or -1)
    scratch: Ints = section()
