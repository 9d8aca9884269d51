"""Where things lie in the two arrays of whole numbers that every kernel gets.

``net`` is the network of constraints, ``mem`` is what one search writes. Both begin with numbers, among them the places
of their sections. A third array, ``weight``, has the weight of each variable, followed by what a failure currently
adds.

A set of values is a mask: bit b is the value b above the least one of the whole model. A row of domains has a mask for
each variable; kernels get the place of a row in ``mem``.
"""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Ints, Kernels, Layout, section

KERNELS = Kernels()
"""Every kernel by its name, in the order of definition."""

kernel = KERNELS.mark

# Kinds of constraints.
HOUSE = 0
LOCKED = 1
LINEAR = 2
RELATION = 3
DIAGRAM = 4
COUNTED = 5
CHOSEN = 6
ALLOWED = 7
EXTREMES = 8
DISTINCT = 9
JOINED = 10
SAME_BAG = 11
EITHER = 12
CLAUSE = 13
NEVER = 14
VALUE_SETS = 15
IN_ORDER = 16
LESS_WHERE = 17
NO_SUBSET_SUM = 18
KINDS_OF_CONSTRAINT = 19

# Operators of sums and counts; BELOW is AT_MOST with a bound that the search lowers.
EQUAL = 0
AT_MOST = 1
UNEQUAL = 2
AT_LEAST = 3
BELOW = 4


class Net(Layout):
    """The network of constraints. Nothing writes to it, and threads share it."""

    variables: int
    words: int  # of a bit set of variables
    table_bits: int  # the tables of sums are for masks of a given number of bits
    constraints: int  # those that are queued; the parts of EITHER come after them
    queue: int  # places in a queue
    skip: int  # reasoning that is switched off, see SKIP_... below
    row: int  # the length of a row of ``rows``
    objective: int  # the constraint that says "better than the last"; -1 without an objective
    kinds: Ints = section()  # by constraint, as are records, priorities and idempotent
    records: Ints = section()
    priorities: Ints = section()
    idempotent: Ints = section()
    scope_at: Ints = section()  # by constraint: where its variables begin in ``scopes``
    scopes: Ints = section()
    watch_at: Ints = section()  # by variable: where its constraints begin in ``watches``
    watches: Ints = section()
    peer_at: Ints = section()  # by value: how far into ``peer_bits`` the variables begin that cannot have it too
    peer_bits: Ints = section()  # by variable: those that differ from it as a bit set; then the same for some values
    sums: Ints = section()  # by number of cells and mask: the sums of a given number of different bit numbers
    sets_at: Ints = section()  # by number of cells and sum: where its masks begin in ``sets``
    sets: Ints = section()


class Mem(Layout):
    """What one search writes."""

    depth: int
    state: int
    nodes: int
    runs: int
    value: int  # the mask that `choose` settled on
    seed: int
    inside: int  # 1 while a part of EITHER is tried
    changed: int  # the number of changed variables that are listed ...
    changes: int  # ... from this place on
    terms: int
    lowest_sum: int
    highest_sum: int
    gaps: int  # 0 if the terms add every number between their least and their greatest
    widest: int  # the room that no term can exceed, if each is one cell
    bound: int  # of the objective
    partly: int  # 1 when only some variables are kept
    direct: int  # 1 when the last decision failed immediately
    last_run: int  # the search stops when ``runs`` has reached it
    next_start: int  # the search begins anew at this node, if it has found nothing before
    starts: int  # the number of times that it has begun anew
    stack: Ints = section()  # by depth: a row of domains
    decided: Ints = section()
    decision: Ints = section()
    waiting: Ints = section()
    heads: Ints = section()
    tails: Ints = section()
    queued: Ints = section()
    change_list: Ints = section()
    inner_changes: Ints = section()
    scratch: Ints = section()
    union: Ints = section()
    flags: Ints = section()
    rows: Ints = section()
    live: Ints = section()
    order: Ints = section()
    passed: Ints = section()
    ends: Ints = section()
    kept: Ints = section()


# States of a search.
BEGIN = 0
FOUND = 1
FINISHED = 2
STOPPED = 3

# Rows of ROWS.
COEFFICIENT = 0
POSSIBLE = 1  # the mask of sums that a term may have
FIRST = 2  # where the cells of a term begin in net
OPEN = 3  # the number of them that are open
VALUES = 4  # their values together
NEAR = 5  # the value at which a term adds least to the sum
SIZE = 6
FAR = 7  # ... and most
LEFT = 8
CELL_VALUES = 9
CELL = 10
COMMON = 11  # a bit set of variables
BEFORE = 12
ROWS_IN_ALL = 13

# Reasoning that can be switched off, to measure what it is worth.
SKIP_LOCKED = 1
SKIP_COMMON_PEERS = 2
SKIP_CLIQUES = 4
SKIP_HIDDEN = 8
SKIP_RESTARTS = 16

CLIQUE_BITS = 11  # a variable with a value this far or further above the least value is in no group of a sum
MOST_BITS = 62  # values of a model, from the least to the greatest
WORD = 62  # bits that a word of a bit set uses, so that none is negative
IMPOSSIBLE = 0x4000000000000000
