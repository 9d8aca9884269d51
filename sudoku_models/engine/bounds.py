"""The least and the most that a request may ask for, the same for Python and for the command line."""

from __future__ import annotations

import sys

LEAST_MEMORY = 16 << 20
"""Bytes: what an engine's process takes by itself. A limit below is a mistake, such as megabytes for bytes."""

MOST_MEMORY = sys.maxsize >> 1
"""Bytes: the system counts no further than to twice this number, and some is added where the kernel keeps the limit."""

MOST_WORKERS = 10_000
"""Threads: more than any machine has use for, and the most that CP-SAT takes."""


def memory_fault(size: float) -> str:
    """Return what is wrong with a limit of memory in bytes, to follow "it is"; empty where nothing is."""
    if size > MOST_MEMORY:
        return f"more than the {MOST_MEMORY >> 40:,}T ({MOST_MEMORY} bytes) that can be set as a limit of memory"
    if size < LEAST_MEMORY:
        least = f"at least {LEAST_MEMORY} ({LEAST_MEMORY >> 20}M) is expected, as an engine's process alone takes that"
        return f"{int(size):,} byte{'' if size == 1 else 's'}: {least}"
    return ""


def check_number(name: str, value: int) -> None:
    """Raise ValueError where a number of a request is out of bounds; ``name`` is that of a field of ``Request``."""
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
