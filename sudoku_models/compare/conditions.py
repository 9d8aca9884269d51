"""Whether the machine was quiet during the measurements: the first thing to know about any figure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean

from .run_rows import Row
from .summary import quantile

STEADY = 1.25
"""A note is made if the fixed piece of work takes this many times longer in one tenth of the runs than in another."""


def conditions(rows: Iterable[Row]) -> list[str]:
    """Return a sentence for each problem of the machines: too many processes, a throttled processor, an uneven
    speed.
    """
    hosts: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        hosts[row.host].append(row)
    return [line for host, own in hosts.items() for line in _faults(f"The machine {host}" if host else "It", own)]


def _faults(machine: str, rows: Sequence[Row]) -> Iterable[str]:
    loads = [row.load for row in rows if row.load is not None]
    if loads and fmean(loads) > 1:
        yield (
            f"{machine} was overloaded while it measured: on average {fmean(loads):.1f} processes wanted to run for "
            "each core. The times are too long and uneven; measure again when nothing else runs."
        )
    slowed = sum(row.throttled for row in rows)
    if slowed:
        yield f"{machine} slowed its processor down (heat, or a quota) at {slowed:,} of {len(rows):,} runs."
    speeds = sorted(row.control for row in rows if row.control)
    low, high = quantile(speeds, 0.1), quantile(speeds, 0.9)
    if speeds and high > STEADY * low:
        yield f"{machine} did not run at an even speed: a fixed piece of work took from {low:.2g} s to {high:.2g} s."
