"""The bounds on the numbers of a request, the same for Python and for the command line."""

from __future__ import annotations

import sys

LEAST_MEMORY = 16 << 20
"""Bytes that an engine's process needs in any case. A lower limit is a mistake, such as megabytes given as bytes."""

MOST_MEMORY = sys.maxsize >> 1
"""Bytes: the system counts to no more than twice this number, and the kernel's limit is set somewhat above the
request's.
"""

MOST_WORKERS = 10_000
"""Threads: more than any machine can use, and the most that CP-SAT accepts."""


def memory_fault(size: float) -> str:
    """Return what is wrong with a memory limit in bytes, as words that follow "it is"; empty if nothing is."""
    if size > MOST_MEMORY:
        return f"more than the {MOST_MEMORY >> 40:,}T ({MOST_MEMORY} bytes) that can be set as a memory limit"
    if size < LEAST_MEMORY:
        least = f"at least {LEAST_MEMORY} ({LEAST_MEMORY >> 20}M) is expected, as an engine's process alone takes that"
        return f"{int(size):,} byte{'' if size == 1 else 's'}: {least}"
    return ""


def check_number(name: str, value: int) -> None:
    """Raise ValueError if a number in a request is out of bounds; ``name`` is its field in ``Request``."""
    if name == "memory_limit":
        fault = memory_fault(value)
        if fault:
            raise ValueError(f"memory_limit is {fault}")
        return
    least = 0 if name == "seed" else 1
    if value < least:
        raise ValueError(f"{name} is {value}: at least {least} is expected")
    if name == "workers" and value > MOST_WORKERS:
        raise ValueError(f"workers is more than {MOST_WORKERS:,}, the most threads that may be asked for")
