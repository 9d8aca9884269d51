"""The layout of the two integer arrays that every kernel gets.

``net`` is the problem; nothing writes to it. ``mem`` is what one walk writes. Both begin with numbers; ``net`` contains
the offsets of the sections of both. Candidates are masks of at most 62 bits. A node is an atom, or a part of one.
"""

from sudoku_models.engine.machine_code.language import Kernels

KERNELS = Kernels()
"""All kernels by name, in the order of definition."""

kernel = KERNELS.mark

# Kinds of nodes.
HOUSE = 0  # record: values, 1 if there are as many values as cells
DIAGRAM = 1  # record: positions, nodes, places of the positions, where edges begin, edges (a node, a mask)
EITHER = 2  # record: parts, of each its node, its width and its places
GROUP = 3  # record: visible, hidden, masks of the hidden, parts, of each its node, its width and its places
JOINED = 4  # record: values, where the neighbours of each cell begin, neighbours
PERMUTED = 5  # record: the length of a side, the places of one side, those of the other
# Record: values, cells, the right numbers of many cells (first, last), of few, by the bit of the cell after them.
COUNTED = 6

WORD = 62
FAR = 1 << 40
"""The depth of a candidate that does not fail."""

# Numbers in net.
CELLS = 0
ATOMS = 1
BITS = 2  # of a cell; that many numbers by cell and bit
# Sections of net.
FULL = 3  # by cell: its candidates without any given
KIND = 4  # by node
RECORD = 5  # by node
WIDTH = 6  # by node: its variables
COST = 7  # by node: an estimate of its work
START = 8  # by atom: where its cells begin
MEMBERS = 9  # cells of atoms
USERS_AT = 10  # by cell
USERS = 11  # atoms of cells
BANDS = 12  # by kind of trial, three times 16 numbers: the rounds that are distinguished, FAR at the end
# Sections of mem.
FLAGS = 13  # by atom: whether it is queued
QUEUE = 14
NEXT = 15
NEW = 16  # by cell: its mask after a round
TOUCHED = 17  # cells that a round changed
IS_TOUCHED = 18
TRIED = 19  # by cell: the state of a trial
DOM = 20  # by cell: the state that trials start from
OUT = 21  # by cell and bit: the depth of a trial
ABLE = 22  # by atom: whether it removes something
LEFT = 23  # by member: what an atom leaves
USE = 24  # by atom: whether it takes part
CHOICE = 25  # the cells that are read
OPEN = 26  # the cells of an atom that were narrowed
CLOSED = 27  # by kind of trial, cell and bit: what is left of each cell when that candidate is followed to the end
IS_CLOSED = 28  # by kind of trial, cell and bit: whether that is known
BASE = 29  # by atom, in net: the place in mem of what is known of a group, 0 of others; see ``bases``
CACHE = 30  # by slot: an atom and one more than what it returned, candidates before and after
SLOTS = 31  # a power of two, or 0; not a place but a number, in net
SLOT = 32  # the length of a slot; a number in net
SCRATCH = 33
READS = 34  # by atom, in net: the most of its cells that are chosen to be read
DIRTY = 35  # by atom: whether it may remove something
LOG = 36  # by stage of this call: its rung, the candidates after it, and by member what single atoms left (or -1)
ONLY_HOUSES = 37  # whether every atom is a house; a number in net
WITHIN = 38  # beside USERS, in net: where the places of that house begin, -1 if it is not exact; the cell's bit there
PLACES = 39  # by house and bit: the positions of a value
TRIED_PLACES = 40  # the same in a trial
PENDING = 41  # what has one candidate or one place left in a trial
SINGLED = 42  # the candidates that these leave: cell and bit
PEERS_AT = 43  # by cell, in net
PEERS = 44  # the cells that share a house with a cell
HEADER = 45

COSTLY = 150
"""From this cost on, what an atom leaves is remembered."""

# Numbers in mem.
BUDGET = 0  # the work left for this call
AT = 1  # the atom, or the cell and bit, that comes next
CHOOSING = 2  # whether a choice of cells has been begun
BEST = 3
FOUND = 4
QUEUED = 5
SINCE = 6  # candidates tried since the last one that fell
COMPLETE = 7  # whether all was followed to the end
PHASE = 8  # how far the search for a stage has come
LOGGED = 9  # the stages in the log
WAITING = 10  # the number of those in PENDING
EMPTIED = 11  # whether a cell has no candidate left in a trial of houses
LOST = 12  # whether a value has no place left
MEM_HEADER = 13

RUNGS = 25
"""The number of levels: 1.k for five k, ten of short trials, six of strong ones, four of nested ones."""
ALL_RUNG = 4
"""The position of level 1.all among the levels."""
WEAK_RUNG, STRONG_RUNG, NESTED_RUNG = 5, 15, 21
"""The positions of the lowest levels with trials, with strong ones and with nested ones."""
