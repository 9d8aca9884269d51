"""The changes since an earlier run, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log

from ..statistics import Change, Changes
from ..statistics.noise import LEAST
from ..statistics.virtual_best import TIE
from .report_sheets import factor, factors, p_value
from .sheet import Heading, Sheet, SheetEntry, named


def change_sheet(changes: Changes) -> Sheet:
    """Return one row for each backend that is in both runs."""
    headings = (
        Heading("backend", number=False),
        Heading("change", number=False),
        Heading("speed-up", "Geometric mean of the earlier time divided by the present time"),
        Heading("95 % interval", "had other instances been drawn (bootstrap, paired), and for the noise of the runs"),
        Heading("shows from", "The smallest change that these runs could show, given their own spread"),
        Heading("p (Holm)", "The larger of Wilcoxon's and that of the noise, corrected for the number of backends"),
        Heading("instances", "that both runs share"),
        Heading("gained", "Instances answered only now"),
        Heading("lost", "Instances answered only then"),
    )
    rows = tuple(map(_row, changes.found))
    marked = frozenset(i for i, change in enumerate(changes.found) if change.verdict == "WRONG")
    return Sheet("changes", "Since the earlier run", headings, rows, _caption(changes), marked)


def _row(change: Change) -> tuple[SheetEntry, ...]:
    pair = change.pair
    counts = (change.instances, len(change.gained), len(change.lost))
    return (
        named(change.backend),
        named(change.verdict),
        SheetEntry(factor(pair.speedup.value), pair.speedup.value),
        SheetEntry(factors(pair.speedup) if change.noise.measured else "not known", pair.speedup.low),
        SheetEntry(factor(change.noise.least) if change.noise.measured else "not known", change.noise.least),
        SheetEntry(p_value(pair.corrected), pair.corrected),
        *(SheetEntry(str(count), count) for count in counts),
    )


def _caption(changes: Changes) -> str:
    caption = "A backend is faster or slower where both the interval and the corrected test exclude chance."
    caption += "".join(f" {line}" for line in _noise(changes))
    caption += f" Not in the earlier run: {', '.join(changes.only_new)}." if changes.only_new else ""
    return caption + (f" Only in the earlier run: {', '.join(changes.only_old)}." if changes.only_old else "")


def _noise(changes: Changes) -> Iterator[str]:
    """Say how the noise of the runs was measured, and what they cannot show."""
    noises = [change.noise for change in changes.found if change.instances]
    if any(noise.repeated for noise in noises):
        yield "The noise of the runs is the spread of their repeats."
    if any(not noise.repeated and noise.measured for noise in noises):
        yield (
            "Single runs cannot show a change below the machine's own spread, measured by how the times drift from the "
            "beginning of a session to its end: use --repeats in both runs to see smaller ones."
        )
    if any(not noise.measured for noise in noises):
        yield f"Single runs of fewer than {2 * LEAST} shared instances show no change: use --repeats in both runs."
    shift = max((noise.shift for noise in noises), key=abs, default=0.0)
    if abs(shift) > log(1 + TIE):
        faster = "faster" if shift > 0 else "slower"
        yield f"The machine itself was {factor(exp(abs(shift)))} {faster} now than then, by a fixed piece of work."
    crowd = max((noise.crowd for noise in noises), key=abs, default=0.0)
    if abs(crowd) > log(1 + TIE):
        when = "then as now" if crowd > 0 else "now as then"
        shared = f"{factor(exp(abs(crowd)))} as many processes shared a core {when}"
        yield f"{shared}: a smaller change says nothing about a backend."
