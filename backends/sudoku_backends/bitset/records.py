"""What the search keeps in memory (numbers of 64 bits, by name), and their numeric codes."""

from __future__ import annotations

from sudoku_models.engine.machine_code.language import Layout

CHARACTERS, VALUES, MASKS = 0, 1, 2  # what the puzzles are given as
LIMIT, EXHAUSTED = 1, 2  # what is known of a puzzle in the end: as many solutions as asked for; no more exist
DONE, PAUSED, FULL, WRONG = 0, 1, 2, 3
"""How a call ends: no work left; passes used up; no room for a solution; bad text."""


class Question(Layout):
    """What is asked: n puzzles, one every ``stride`` bytes from ``text`` on, in a form, up to a limit of solutions.

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
    wrong: int
    victim: int
    spread: int
    now: int
    last: int
    flags: int
    live_even: int
    live_odd: int

    passes: int
    splits: int
    parses: int
    renders: int


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
