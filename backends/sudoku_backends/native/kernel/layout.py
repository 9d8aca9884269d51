"""Where things lie in the two arrays of whole numbers that every kernel gets.

``net`` is the network of constraints; nothing writes to it, and threads share it. ``mem`` is what one search writes.
Both begin with numbers, among them the places of their sections. A third array, ``weight``, has the weight of each
variable, followed by what a failure currently adds.

A set of values is a mask: bit b is the value b above the least one of the whole model. A row of domains has a mask for
each variable; kernels get the place of a row in ``mem``.
"""

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
PAIRED = 16
IN_ORDER = 17
PARTED = 18
UNLIKE_BAGS = 19
KINDS_OF_CONSTRAINT = 20

# Operators of sums and counts; BELOW is AT_MOST with a bound that the search lowers.
EQUAL = 0
AT_MOST = 1
UNEQUAL = 2
AT_LEAST = 3
BELOW = 4

# Numbers in net.
VARIABLES = 0
WORDS = 1  # of a bit set of variables
TABLE_BITS = 2  # the tables of sums are for masks of a given number of bits
CONSTRAINTS = 3  # those that are queued; the parts of EITHER come after them
QUEUE = 4  # places in a queue
SKIP = 5  # reasoning that is switched off, see SKIP_... below
ROW = 6  # the length of a row of ROWS
OBJECTIVE = 7  # the constraint that says "better than the last"; -1 without an objective
# Sections of net.
KINDS = 8
RECORDS = 9
PRIORITIES = 10
IDEMPOTENT = 11
SCOPE_AT = 12
SCOPES = 13
WATCH_AT = 14
WATCHES = 15
PEER_AT = 16
PEERS = 17
PEER_BITS = 18
SUMS = 19  # by number of cells and mask: the sums of a given number of different bit numbers
SETS_AT = 20  # by number of cells and sum: where its masks begin in SETS
SETS = 21
NET_HEADER = 24

# Numbers in mem.
DEPTH = 0
STATE = 1
NODES = 2
FAILURES = 3
RUNS = 4
VALUE = 5  # the mask that `choose` settled on
SEED = 6
INSIDE = 7  # 1 while a part of EITHER is tried
CHANGED = 8  # the number of changed variables that are listed ...
CHANGES = 9  # ... from this place on
TERMS = 10
LOWEST_SUM = 11
HIGHEST_SUM = 12
BOUND = 13  # of the objective
PARTLY = 14  # 1 when only some variables are kept
DIRECT = 15  # 1 when the last decision failed immediately
# Sections of mem.
STACK = 16
DECIDED = 17
DECISION = 18
WAITING = 19
HEADS = 20
TAILS = 21
QUEUED = 22
CHANGE_LIST = 23
INNER_CHANGES = 24
SCRATCH = 25
UNION = 26
FLAGS = 27
ROWS = 28
LAST_PART = 29
LIVE = 30
ORDER = 31
ENDS = 32
KEPT = 33
LAST_RUN = 34  # a number, not a section: the search stops when RUNS has reached it
CREDIT = 35  # runs that LOCKED may still make without removing anything; then it sleeps at most nodes
NEXT_START = 36  # a number: the search begins anew at this node, if it has found nothing before
STARTS = 37  # the number of times that it has begun anew
PROBING = 38  # the variable whose values are tried at the root; -1 when none are
UNTRIED = 39  # the mask of its values that have not been tried
LAST_PROBE = 40  # a number: probing ends when RUNS has reached it
MEM_HEADER = 41

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
REACHED = 8
LEFT = 9
CELL_VALUES = 10
CELL = 11
COMMON = 12  # a bit set of variables
ROWS_IN_ALL = 13

# Reasoning that can be switched off, to measure what it is worth.
SKIP_LOCKED = 1
SKIP_COMMON_PEERS = 2
SKIP_CLIQUES = 4
SKIP_REACHED = 8
SKIP_HIDDEN = 16
SKIP_SLEEP = 32
SKIP_RESTARTS = 64
SKIP_PROBING = 128

MOST_BITS = 62  # values of a model, from the least to the greatest
WORD = 62  # bits that a word of a bit set uses, so that none is negative
IMPOSSIBLE = 0x4000000000000000
