"""What has changed since an earlier run, as a table."""

from __future__ import annotations

from ..statistics import Change, Changes
from .sheet import Entry, Heading, Sheet, named
from .sheets import factor, factors, p_value


def change_sheet(changes: Changes) -> Sheet:
    """Return one row a backend of both runs."""
    headings = (
        Heading("backend", number=False),
        Heading("change", number=False),
        Heading("speed-up", "Geometric mean of the time then over the time now"),
        Heading("95 % interval", "had other instances been drawn (bootstrap, paired)"),
        Heading("p (Holm)", "Wilcoxon's signed ranks, corrected for the number of backends"),
        Heading("instances", "that both runs share"),
        Heading("gained", "Instances answered only now"),
        Heading("lost", "Instances answered only then"),
    )
    rows = tuple(map(_row, changes.found))
    marked = frozenset(i for i, change in enumerate(changes.found) if change.verdict == "WRONG")
    return Sheet("changes", "Since the earlier run", headings, rows, _caption(changes), marked)


def _row(change: Change) -> tuple[Entry, ...]:
    pair = change.pair
    counts = (change.instances, len(change.gained), len(change.lost))
    return (
        named(change.backend),
        named(change.verdict),
        Entry(factor(pair.speedup.value), pair.speedup.value),
        Entry(factors(pair.speedup), pair.speedup.low),
        Entry(p_value(pair.corrected), pair.corrected),
        *(Entry(str(count), count) for count in counts),
    )


def _caption(changes: Changes) -> str:
    told = "A backend is faster or slower where both the interval and the corrected test exclude chance."
    told += f" Not in the earlier run: {', '.join(changes.only_new)}." if changes.only_new else ""
    return told + (f" Only in the earlier run: {', '.join(changes.only_old)}." if changes.only_old else "")
