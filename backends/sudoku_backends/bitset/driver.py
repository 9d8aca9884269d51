"""The search: states of many puzzles move between lanes and stores until every puzzle has its answer.

A *lane* holds one state and runs the pass on it until the state is dead (a contradiction), solved, or stuck. What lanes
leave is gathered and worked on a vector at a time, so that loops have fixed lengths and branches can be predicted:
stuck states are split (the first half of each goes on, the later half waits), solved ones counted and written, the
slots of dead ones resumed, and new puzzles parsed. Two blocks of lanes take turns: one computes, one is managed.

A *slot* is one depth-first search: it has one state in a lane or a store and a stack of later halves. So each puzzle is
searched in its own order, whatever else is searched at the same time. When no new puzzle is left, an idle lane takes
the last later half (the bottom of the stack) of a busy slot into a slot of its own: the two are a *family*. Each slot
of a family has an interval of ranks, in the order of the depth-first search, and the answer is the solution of lowest
rank; so it is the one that a single slot would have found first.

Every number of states is bounded, W being the lanes of a vector. New puzzles, W at a time, are read only when there
are fewer fresh states than idle lanes, fewer than W are ready, and fewer than W each are stuck, solved or ended without
a later half fetched: below 8 W in all with the new ones and the lanes of both blocks. As each has a slot of its own and
a slot that only waits for its family has a member with a state, 16 W slots are enough; the stores have 9 W places. A
stack holds one state for each split on a path, at most `rules.DEPTH`. So no search stops for lack of room.

The functions here are compiled by `kernels`, once for each width, which binds the names declared below.
"""

from __future__ import annotations

from typing import Any

from sudoku_models.engine.machine_code.language import Bytes, Ints, Layout, Words, lowest, ones, prefetch

from .words import NUMBER, WORDS

VALUES, MASKS = 0, 1  # what the puzzles are given as
LIMIT, EXHAUSTED = 1, 2  # what is known of a puzzle in the end: as many solutions as asked for; no more exist
DONE, PAUSED, FULL = 0, 1, 2
"""How a call ends: no work left; passes used up; no room for a solution."""


class Question(Layout):
    """What is asked: up to ``limit`` solutions of each of ``n`` puzzles, ``stride`` bytes apart from ``text`` on.

    ``form`` says what the cells of a puzzle are: VALUES or MASKS.
    ``grids`` (81 bytes each) takes the first solution of each puzzle; with ``every`` one solution after another of a
    single puzzle, until there are ``capacity`` of them. ``counts`` (int32) and ``status`` (uint8) are written when a
    puzzle's search has ended. All places are addresses.
    """

    text: int
    stride: int
    form: int
    n: int
    limit: int
    every: int
    grids: int
    capacity: int
    counts: int
    status: int


class Search(Question):
    """A search: what is asked, the buffers (addresses), how far it has come, and what it took."""

    until: int

    blocks: int
    fresh: int
    stuck: int
    done: int
    slots: int
    stacks: int
    ended: int
    retired: int
    ready: int
    table: int
    spare: int

    taken: int
    nfresh: int
    nready: int
    nstuck: int
    ndone: int
    nended: int
    free: int
    nfree: int
    barren: int
    written: int
    victim: int
    spread: int
    now: int
    last: int
    flags: int
    live_even: int
    live_odd: int

    passes: int
    splits: int


EMPTY = ("nfresh", "nready", "nstuck", "nended", "ndone", "live_even", "live_odd", "victim", "free")
"""The fields that are zero before a search."""


class Slot(Layout):
    """A slot's puzzle, stack, ranks and family (the slot it began with); of a family its members, solutions and best
    rank; of a free slot the next.
    """

    puzzle: int
    bottom: int
    top: int
    low: int
    high: int
    family: int
    members: int
    found: int
    best: int
    next: int


# ---------------------------------------------------------------- the search


def _unbound(*_: int) -> Any:
    raise NotImplementedError("this runs only compiled: sudoku_backends.bitset.kernels binds its names for a width")


# Bound for a width: lanes, and the bytes between things ...
LANES = 0
EVERY_LANE = 0  # the set of all lanes
FEW = 0  # this many ended lanes are worth a refill
LINE = 0  # from row to row of a block
SHORT = 0  # from row to row of the stores
BLOCK = 0  # from block to block
STACK = 0  # from stack to stack
LEVEL = 0  # from state to state of a stack
SLOTS = 0
SLOT_BYTES = 0  # from slot to slot

# ... and kernels over vectors.
propagate = split = fetch = parse = parse_masks = render = _unbound

BLOCKS, FOREVER, LAST_RANK = 2, 1 << 60, 1 << 62


def run(search: int, question: int, until: int, resume: int) -> int:
    """Begin, or go on with, the search that a question asks for; return DONE, PAUSED or FULL.

    After ``until`` passes it pauses.
    """
    s, q = Search(search), Question(question)
    s.text, s.grids, s.counts, s.status = q.text, q.grids, q.counts, q.status
    s.capacity, s.until, s.written = q.capacity, s.passes + until, 0
    if not resume:
        s.stride, s.form, s.n, s.limit, s.every = q.stride, q.form, q.n, q.limit, q.every
        s.taken = s.spread = s.now = s.flags = 0
        s.barren = -1
        s.last = -1
    return advance(s)


def advance(s: Search) -> int:
    """Pass over the two blocks in turn; while one is computed the other's lanes are managed."""
    while True:
        block, flags = s.last, s.flags
        s.last, s.now = s.now, 1 - s.now
        s.flags = one_pass(s, s.last)
        if block < 0:
            continue
        attend(s, block, flags)
        idle = s.taken == s.n and s.nfresh + s.nready + s.nstuck + s.nended + s.ndone + s.live_even + s.live_odd == 0
        ending = DONE if idle else FULL if s.written >= s.capacity else PAUSED
        if ending != PAUSED or s.passes >= s.until:
            while s.ndone:
                settle(s)
            return ending


def one_pass(s: Search, block: int) -> int:
    """Run the rules over a block."""
    if (s.live_odd if block else s.live_even) == 0:
        return 0
    s.passes += 1
    flags: int = propagate(s.blocks + block * BLOCK)
    return flags


def attend(s: Search, number: int, flags: int) -> None:
    """Handle the lanes that have ended, once there are enough of them, and fill them again."""
    block = s.blocks + number * BLOCK
    lanes = s.live_odd if number else s.live_even
    dead = flags & lanes
    moving = flags >> 32 & lanes & ~dead
    if moving and ones(moving) > LANES - FEW:
        return
    still = lanes & ~(dead | moving)
    stuck = still & flags >> 16
    solved = still & ~stuck
    if solved:
        take(block, s.done + 4 * s.ndone, solved)
        s.ndone += ones(solved)
    gather(s)
    if s.spread:
        dropped = useless_lanes(s, block, stuck)
        stuck, dead = stuck & ~dropped, dead | dropped
    if dead:
        note(block, s.ended + 4 * s.nended, dead)
        s.nended += ones(dead)
    lanes = refill(s, block, moving, stuck)
    if number:
        s.live_odd = lanes
    else:
        s.live_even = lanes


def gather(s: Search) -> None:
    """Work on what the lanes have left, a vector at a time; or at once, when there is no new puzzle to fill them."""
    least = LANES if s.taken < s.n else 1
    while s.ndone >= least:
        settle(s)
    while s.nended >= least:
        resume_slots(s)
    while s.nstuck >= LANES or (s.nstuck >= least and s.nfresh + s.nready == 0):
        split_stuck(s)


def slot_of(s: Search, number: int) -> Slot:
    return Slot(s.slots + number * SLOT_BYTES)


def number_of(store: int, stride: int, k: int) -> int:
    """Return the slot of the k-th state of a block or store."""
    return Words(store + NUMBER * stride)[k]


def settle(s: Search) -> None:
    """Count a vector of solutions, and write those that are wanted: every one, or the best of its puzzle so far."""
    k = min(s.ndone, LANES)
    s.ndone -= k
    ended = s.ended + 4 * s.nended
    for lane in range(k):
        number = number_of(s.done, SHORT, s.ndone + lane)
        slot = slot_of(s, number)
        family = slot_of(s, slot.family)
        row = s.written if s.every else slot.puzzle
        Ints(s.table)[lane] = s.grids + 81 * row if s.every or slot.low < family.best else s.spare
        Words(ended)[lane] = number
        s.written += 1
        family.found += 1
        family.best = min(family.best, slot.low)
        if family.found >= s.limit:
            slot.top = slot.bottom
    for lane in range(k, LANES):
        Ints(s.table)[lane] = s.spare
    s.nended += k
    render(s.done + 4 * s.ndone, s.table)


def useless_lanes(s: Search, block: int, lanes: int) -> int:
    """Return the lanes whose slots can change neither the count (up to the limit) nor the answer of their puzzle.

    What waits on their stacks is dropped.
    """
    useless = 0
    while lanes:
        slot = slot_of(s, number_of(block, LINE, lowest(lanes)))
        family = slot_of(s, slot.family)
        if family.found >= s.limit and slot.low >= family.best:
            slot.top = slot.bottom
            useless |= lanes & -lanes
        lanes &= lanes - 1
    return useless


def resume_slots(s: Search) -> None:
    """Make ready the next later half of each of a vector of slots whose state has ended, or retire the slot.

    Without a branch, for which of the two it is cannot be foretold.
    """
    k = min(s.nended, LANES)
    s.nended -= k
    ended, ready, retired = s.ended + 4 * s.nended, s.ready + 8 * s.nready, s.retired
    for i in range(k):
        number = Words(ended)[i]
        slot = slot_of(s, number)
        more = 1 if slot.top > slot.bottom else 0
        slot.top -= more * LEVEL
        Ints(ready)[0] = slot.top
        Words(retired)[0] = number
        ready += 8 * more
        retired += 4 * (1 - more)
    s.nready = (ready - s.ready) // 8
    for at in range(s.retired, retired, 4):
        retire(s, Words(at)[0])


def fetch_ready(s: Search) -> None:
    """Move one vector of ready states from their stacks to the store of fresh states."""
    k = min(s.nready, LANES)
    s.nready -= k
    for lane in range(s.nready + k, s.nready + LANES):
        Ints(s.ready)[lane] = s.spare
    fetch(s.ready + 8 * s.nready, s.fresh + 4 * s.nfresh)
    s.nfresh += k


def copy_state(state: int, column: int, stride: int) -> None:
    """Copy a state of a stack into a column of a block or store."""
    for k in range(WORDS):
        Words(column + k * stride)[0] = Words(state)[k]


def retire(s: Search, number: int) -> None:
    """End a slot; with the last one of a family its puzzle is answered."""
    slot = slot_of(s, number)
    first = slot.family
    family = slot_of(s, first)
    if number != first:
        release(s, number)
    family.members -= 1
    if family.members == 0:
        Words(s.counts)[family.puzzle] = min(family.found, s.limit)
        Bytes(s.status)[family.puzzle] = EXHAUSTED if family.found < s.limit else LIMIT
        release(s, first)


def release(s: Search, number: int) -> None:
    """Put a slot on the list of free ones."""
    slot_of(s, number).next = s.free
    s.free = number
    s.nfree += 1


def new_slot(s: Search, puzzle: int, low: int, high: int) -> int:
    """Return the number of a slot for a puzzle, the first of its own family."""
    s.nfree -= 1
    number: int = s.free
    slot = slot_of(s, number)
    s.free = slot.next
    slot.puzzle, slot.low, slot.high = puzzle, low, high
    slot.bottom = slot.top = s.stacks + number * STACK
    slot.found = 0
    slot.family, slot.members, slot.best = number, 1, LAST_RANK
    return number


def split_stuck(s: Search) -> None:
    """Split a vector of stuck states: the first halves to the fresh store, the later ones to their slots' stacks."""
    k = min(s.nstuck, LANES)
    s.nstuck -= k
    for lane in range(k):
        number = number_of(s.stuck, SHORT, s.nstuck + lane)
        slot = slot_of(s, number)
        Ints(s.table)[lane] = slot.top
        slot.top += LEVEL
    for lane in range(k, LANES):
        Ints(s.table)[lane] = s.spare
    split(s.stuck + 4 * s.nstuck, s.table, s.fresh + 4 * s.nfresh)
    s.nfresh += k
    s.splits += k


def refill(s: Search, block: int, moving: int, stuck: int) -> int:
    """Store the stuck states of a block, and fill its idle lanes; return the lanes that have a state.

    They get fresh states, or else new puzzles, or else halves of other slots.
    """
    idle = EVERY_LANE & ~moving
    if s.nfresh < ones(idle):
        freshen(s, ones(idle))
        while ones(idle) > s.nfresh:
            idle &= idle - 1
    s.nfresh -= ones(idle)
    take(block, s.stuck + 4 * s.nstuck, stuck)
    s.nstuck += ones(stuck)
    give(s.fresh + 4 * s.nfresh, block, idle)
    return moving | idle


def freshen(s: Search, wanted: int) -> None:
    """Bring states to the fresh store, which has less than are wanted."""
    if s.taken < s.n:
        if s.nready < LANES:
            read(s)
        else:
            fetch_ready(s)
    else:
        while s.nready and s.nfresh < wanted:
            fetch_ready(s)
        if s.nfresh < wanted and s.splits > s.barren and not s.every:
            share(s, wanted)


def read(s: Search) -> None:
    """Read a vector of new puzzles into the fresh store."""
    k = min(LANES, s.n - s.taken)
    for lane in range(LANES):
        index = s.taken + min(lane, k - 1)
        puzzle = s.text + index * s.stride
        Ints(s.table)[lane] = puzzle
        prefetch(puzzle + 2 * LANES * s.stride)  # a hint, which may point past the end
        prefetch(puzzle + 2 * LANES * s.stride + 63)
    fresh = s.fresh + 4 * s.nfresh
    for lane in range(k):
        Words(fresh + NUMBER * SHORT)[lane] = new_slot(s, s.taken + lane, 0, LAST_RANK)
    if s.form == MASKS:
        parse_masks(s.table, fresh)
    else:
        parse(s.table, fresh)
    s.taken += k
    s.nfresh += k


def share(s: Search, wanted: int) -> None:
    """Take up to ``wanted`` later halves out of busy slots into slots of their own.

    The half at the bottom of a stack comes after all the rest of its slot, so the new slot gets the upper half of its
    ranks. A slot whose interval has shrunk to one rank keeps what it has.
    """
    looked = 0
    while s.nfree and s.nfresh < wanted and looked < SLOTS:
        looked += 1
        s.victim = (s.victim + 1) % SLOTS
        slot = slot_of(s, s.victim)
        if slot.top > slot.bottom and slot.high - slot.low > 1:
            share_one(s, s.victim)
            looked = 0
    if s.nfresh < wanted:
        s.barren = s.splits  # nothing to take before the next split


def share_one(s: Search, number: int) -> None:
    """Move the bottom of one slot's stack to the fresh store, as a new slot of the same family."""
    slot = slot_of(s, number)
    middle = (slot.low + slot.high) // 2
    other = new_slot(s, slot.puzzle, middle, slot.high)
    slot.high = middle
    slot_of(s, other).family = slot.family
    slot_of(s, slot.family).members += 1
    copy_state(slot.bottom, s.fresh + 4 * s.nfresh, SHORT)
    Words(s.fresh + NUMBER * SHORT)[s.nfresh] = other
    slot.bottom += LEVEL
    s.nfresh += 1
    s.spread = 1


# ---------------------------------------------------------------- between lanes and stores


def take(block: int, store: int, lanes: int) -> None:
    """Write the states of a set of lanes side by side."""
    while lanes:
        column = block + 4 * lowest(lanes)
        lanes &= lanes - 1
        for k in range(WORDS):
            Words(store + k * SHORT)[0] = Words(column + k * LINE)[0]
        store += 4


def give(store: int, block: int, lanes: int) -> None:
    """Read states that lie side by side into a set of lanes."""
    while lanes:
        column = block + 4 * lowest(lanes)
        lanes &= lanes - 1
        for k in range(WORDS):
            Words(column + k * LINE)[0] = Words(store + k * SHORT)[0]
        store += 4


def note(block: int, numbers: int, lanes: int) -> None:
    """Write the numbers of a set of lanes side by side."""
    while lanes:
        Words(numbers)[0] = number_of(block, LINE, lowest(lanes))
        lanes &= lanes - 1
        numbers += 4
