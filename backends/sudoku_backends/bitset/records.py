"""What the search keeps in memory (64-bit fields, by name), and their numeric codes."""

from __future__ import annotations

CHARACTERS, VALUES, MASKS = 0, 1, 2  # what the puzzles are given as
LIMIT, EXHAUSTED = 1, 2  # what is known of a puzzle in the end: as many solutions as asked for; no more exist
DONE, PAUSED, FULL, WRONG = 0, 1, 2, 3
"""How a call ends: no work left; passes used up; no room for a solution; bad text."""

SEARCH = (  # noqa: SIM905
    # where the work lies: addresses, and what is asked
    "text stride form n limit every grids capacity counts status until "
    # where the buffers are
    "blocks fresh stuck done slots stacks ended retired ready table spare "
    # how far it has come
    "taken nfresh nready nstuck ndone nended free nfree barren written wrong victim spread "
    "now last flags live_even live_odd "
    # what it took
    "passes splits parses renders"
).split()
EMPTY = ["nfresh", "nready", "nstuck", "nended", "ndone", "live_even", "live_odd", "victim", "free"]
"""The fields that are zero before a search."""

SLOT = ["puzzle", "bottom", "top", "low", "high", "family", "members", "found", "best", "next"]
"""A slot's puzzle, stack, ranks and family (the slot it began with); of a family its members, solutions and best rank;
of a free slot the next."""
