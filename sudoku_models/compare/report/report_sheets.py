"""The tables of a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf, isnan

from ...display import seconds
from ...verbs.agreement import Verdict
from ..statistics import BackendPair, Interval, Study
from ..statistics.standing import Standing
from ..statistics.virtual_best import VirtualBestShare
from ..summary import PHASES
from .sheet import Heading, Sheet, SheetEntry, named

BACKEND = Heading("backend", number=False)
MEBIBYTE = 1 << 20


def sheets(study: Study) -> tuple[Sheet, ...]:
    """Return all tables that have content, the most important first."""
    made = (standings(study), oracle(study), statuses(study), paired(study), phases(study), sizes(study))
    return tuple(sheet for sheet in made if sheet.rows and len(sheet.headings) > 1)


def standings(study: Study) -> Sheet:
    """Return one row for each backend, best first: answers and times."""
    headings = (
        BACKEND,
        Heading("solved", "Runs with an answer, unsatisfiable included"),
        Heading("PAR2", "Mean time; a run without an answer counts as twice the limit"),
        Heading("95 % interval", "of PAR2, had other instances been drawn (bootstrap)"),
        Heading("median", "of all runs; those without an answer are slower than all others"),
        Heading("p90", "Nine in ten runs took no longer"),
        Heading("max", "The longest run"),
        Heading("geo. mean", "Geometric mean shifted by 1 ms; a run without an answer counts as the limit"),
        Heading("CPU", "Median CPU time, if it is known"),
        Heading("first in", "Share of resamples of the instances in which its PAR2 is the least"),
    )
    rows = tuple(_standing(standing, study.limit) for standing in study.standings)
    return Sheet("standings", "Standings", headings, rows, "Wall time of a run.", _unranked(study))


def _unranked(study: Study) -> frozenset[int]:
    """Return the rows of the backends that are not ranked."""
    return frozenset(i for i, standing in enumerate(study.standings) if not standing.ranked)


def _standing(standing: Standing, limit: float | None) -> tuple[SheetEntry, ...]:
    par2, shifted = standing.par2, standing.shifted
    failed = any(not status.settled and status is not Verdict.TIMEOUT for status in standing.statuses)
    quantiles = (_quantile(standing.quantiles[q], None if failed else limit) for q in (0.5, 0.9, 1.0))
    return (
        named(standing.backend),
        SheetEntry(f"{standing.solved}/{standing.runs}", standing.solved),
        SheetEntry(time(par2.value) if standing.ranked else "out", par2.value),
        SheetEntry(span(par2), par2.low),
        *quantiles,
        SheetEntry(time(shifted.value), shifted.value),
        SheetEntry(seconds(standing.cpu), standing.cpu),
        SheetEntry(_share(standing.first) if standing.ranked else "", standing.first),
    )


def oracle(study: Study) -> Sheet:
    """Return the relation of each backend to the virtual best solver."""
    headings = (
        BACKEND,
        Heading("fastest", "Instances on which it is the fastest, or within 5 % of the fastest"),
        Heading("of them tied", "Instances on which another backend is within 5 % too"),
        Heading("alone", "Instances that no other backend answers"),
        Heading("gap", "Its PAR2 divided by the PAR2 of the virtual best"),
        Heading("contribution", "Seconds per instance that the virtual best would lose without it"),
    )
    best = study.best
    rows = tuple(_oracle(s.backend, best.shares[s.backend]) for s in study.ranked)
    score = f"with PAR2 {time(best.par2)}" if not isnan(best.par2) else "and no PAR2 without a limit"
    caption = (
        f"On each instance the virtual best solver runs the backend that is best there: {best.solved} of "
        f"{study.instances} solved, {score}. It picks the luckiest of noisy times, so it flatters a little."
    )
    return Sheet("oracle", "Virtual best solver", headings, rows, caption)


def _oracle(backend: str, share: VirtualBestShare) -> tuple[SheetEntry, ...]:
    counts = (SheetEntry(str(count), count) for count in (share.fastest, share.ties, share.alone))
    gap = SheetEntry("" if isnan(share.gap) else factor(share.gap), share.gap)
    return named(backend), *counts, gap, SheetEntry(time(share.contribution), share.contribution)


def statuses(study: Study) -> Sheet:
    """Return the number of runs with each status that occurs."""
    met = [verdict for verdict in Verdict if any(s.statuses[verdict] for s in study.standings)]
    proved = Counter(row.backend for row in study.rows if row.proof)
    rows = tuple(
        (
            named(s.backend),
            *(SheetEntry(str(s.statuses[verdict]), s.statuses[verdict]) for verdict in met),
            *([SheetEntry(str(proved[s.backend]), proved[s.backend])] if proved else []),
        )
        for s in study.standings
    )
    headings = (BACKEND, *(Heading(str(verdict)) for verdict in met))
    headings += (Heading("proved", "Answers with a checked proof"),) if proved else ()
    return Sheet("statuses", "How the runs ended", headings, rows, "", _unranked(study))


def paired(study: Study) -> Sheet:
    """Return every pair of ranked backends, the better one first."""
    headings = (
        Heading("first", number=False),
        Heading("second", number=False),
        Heading("speed-up", "Geometric mean of the second's time divided by the first's"),
        Heading("95 % interval", "had other instances been drawn (bootstrap, paired)"),
        Heading("faster", "Instances on which the first is quicker by 5 % or more"),
        Heading("ties"),
        Heading("slower"),
        Heading("neither", "Instances that neither answered"),
        Heading("bounds", "Instances with one missing answer: the true ratio is more extreme"),
        Heading("p", "Wilcoxon's signed ranks, on the logarithms of the ratios"),
        Heading("p (Holm)", "corrected for the number of pairs"),
    )
    return Sheet("pairs", "Pairs", headings, tuple(map(_paired, study.pairs)))


def _paired(pair: BackendPair) -> tuple[SheetEntry, ...]:
    counts = (pair.faster, pair.ties, pair.slower, pair.neither, pair.censored)
    return (
        named(pair.first),
        named(pair.second),
        SheetEntry(factor(pair.speedup.value), pair.speedup.value),
        SheetEntry(factors(pair.speedup), pair.speedup.low),
        *(SheetEntry(str(count), count) for count in counts),
        SheetEntry(p_value(pair.p), pair.p),
        SheetEntry(p_value(pair.corrected), pair.corrected),
    )


def phases(study: Study) -> Sheet:
    """Return the mean time of each phase."""
    met = {name for s in study.standings for name in s.phases}
    names = [name for name in (*PHASES, *sorted(met - set(PHASES))) if name in met]
    rows = tuple(
        (named(s.backend), *(SheetEntry(seconds(s.phases.get(name)), s.phases.get(name)) for name in names))
        for s in study.standings
        if s.phases
    )
    headings = (BACKEND, *map(Heading, names))
    return Sheet("phases", "Mean time by phase", headings, rows, "Means over the runs that report their phases.")


def sizes(study: Study) -> Sheet:
    """Return sizes of the engines' models and peak memory, if any are known."""
    met = sorted({name for s in study.standings for name in s.sizes}, key=_size_order)
    memory = any(s.memory for s in study.standings)
    headings = (BACKEND, *map(Heading, met))
    headings += (Heading("memory", "Median peak, MiB"), Heading("most memory", "MiB")) if memory else ()
    rows = tuple(tuple(_sizes(s, met, memory)) for s in study.standings if s.sizes or s.memory)
    return Sheet(
        "sizes", "Size and memory", headings, rows, "Medians over the runs that report them; memory is the peak in MiB."
    )


def _sizes(standing: Standing, names: list[str], memory: bool) -> Iterator[SheetEntry]:
    yield named(standing.backend)
    for name in names:
        size = standing.sizes.get(name)
        yield SheetEntry("" if size is None else f"{size:,.0f}", size)
    if memory:
        for peak in standing.memory or (None, None):
            yield SheetEntry("" if peak is None else f"{peak / MEBIBYTE:,.1f}", peak)


def _size_order(name: str) -> tuple[int, str]:
    known = ("variables", "clauses", "constraints", "literals")
    return (known.index(name) if name in known else len(known)), name


def time(value: float) -> str:
    """Format seconds; empty for NaN."""
    return "" if isnan(value) else seconds(value)


def span(interval: Interval) -> str:
    """Format an interval of times."""
    return "" if isnan(interval.low) else f"{seconds(interval.low)} – {seconds(interval.high)}"


def factor(value: float) -> str:
    """Format a ratio with three digits; empty for NaN."""
    if isnan(value):
        return ""
    return f"{value:,.0f} ×" if value >= 100 else f"{value:#.3g} ×"


def factors(interval: Interval) -> str:
    """Format an interval of ratios."""
    if isnan(interval.low):
        return ""
    return f"{factor(interval.low).removesuffix(' ×')} – {factor(interval.high)}"


def p_value(p: float) -> str:
    """Format a p-value."""
    return "" if isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"


def _share(share: float) -> str:
    return "" if isnan(share) else f"{100 * share:.0f} %"


def _quantile(value: float, limit: float | None) -> SheetEntry:
    if value < inf:
        return SheetEntry(seconds(value), value)
    return SheetEntry("none" if limit is None else f"> {limit:g} s", inf)
