"""The verdict in a sentence, and notes on ties, timeouts and intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import isnan

from ...display import seconds
from ...prove.certificate import amount
from ...verbs.agreement import Verdict
from ..statistics import Study
from ..statistics.study import EXACT, LEVEL, RESAMPLES, SHIFT, Standing
from .tables import factor, factors, p_value

FEW = 20
"""With fewer instances than this, intervals are rough."""

LONGEST = 300
"""The most characters that are shown of the reasons for missing proofs."""

MOST_NOTES = 3
"""The most kinds of notes of a backend that are shown."""


def verdict(study: Study) -> str:
    """Say in one or two sentences which backend is best, how certain that is, and which are wrong."""
    wrong = {row.backend for row in study.wrong}
    said = [_ranking(study)]
    for name in sorted(wrong):
        puzzles = len({row.sha256 for row in study.wrong if row.backend == name})
        said.append(f"{name} gave wrong answers on {amount(puzzles, 'puzzle')} and is out of the ranking.")
    unranked = [s.backend for s in study.standings if not s.ranked and s.backend not in wrong]
    return " ".join([*said, *(f"{name} takes none of the puzzles." for name in unranked)])


def _ranking(study: Study) -> str:
    ranked = study.ranked
    if not ranked:
        return "No backend is left in the ranking."
    if not study.instances:
        if _left_out(study):
            return "No puzzle is taken by every backend, so there is no ranking."
        return "No instance has been run by every backend yet, so there is no ranking."
    best = ranked[0]
    if not any(standing.solved for standing in ranked):
        puzzles = "the puzzle" if study.instances == 1 else f"any of the {amount(study.instances, 'puzzle')}"
        return f"No backend answered {puzzles}."
    if len(ranked) == 1:
        return (
            f"{best.backend} answered {_answers(best)}, in {_par2(best)}; there is no other backend to compare it with."
        )
    return _leader(study, best, ranked[1])


def _leader(study: Study, best: Standing, second: Standing) -> str:
    pair = study.pair(best.backend, second.backend)
    basis = f"On the {amount(study.instances, 'puzzle')} that every backend takes, " if _left_out(study) else ""
    lead = f"{basis}{best.backend} comes first: it answered {_answers(best)}, in {_par2(best)}"
    if best.solved > second.solved:
        more = best.solved - second.solved
        return f"{lead}, {amount(more, 'more answer')} than {second.backend}."
    if isnan(pair.speedup.value):
        return f"{lead}; it and {second.backend} have no answered puzzle in common."
    ratio = f"{factor(pair.speedup.value)} (95 % interval {factors(pair.speedup)})"
    if pair.significant and pair.speedup.low > 1:
        return f"{lead}, typically {ratio} quicker than {second.backend}."
    if pair.significant and pair.speedup.high < 1:
        turned = study.pair(second.backend, best.backend).speedup
        return (
            f"{lead}. On a typical puzzle {second.backend} is quicker, {factor(turned.value)} (95 % interval "
            f"{factors(turned)}), but its long runs cost it the lead."
        )
    doubt = f"the ratio of their times is {ratio}, p = {p_value(pair.corrected)} after Holm's correction"
    return f"{lead}, but its lead over {second.backend} is not significant: {doubt}."


def _answers(standing: Standing) -> str:
    if standing.solved == standing.runs == 1:
        return "the one run"
    if standing.solved == standing.runs:
        return f"all {amount(standing.runs, 'run')}"
    return f"{standing.solved} of {amount(standing.runs, 'run')}"


def _par2(standing: Standing) -> str:
    if isnan(standing.score.value):
        return "times without a mean (there is no limit to count a missing answer by)"
    return f"{seconds(standing.score.value)} each on average"


def notes(study: Study) -> list[str]:
    """Return notes on how to read the figures: what was combined, left out, and how it was counted."""
    return [*_basis(study), *_missing(study), *_uncertainty(study)]


def _basis(study: Study) -> Iterator[str]:
    runs = len({(row.seed, row.repeat) for row in study.rows})
    each = (
        f"each run {runs} times (seeds and repeats) on every backend; an instance's time is the median of its runs"
        if runs > 1
        else "each run once on every backend"
    )
    yield f"The figures are based on {amount(study.instances, 'instance')}, {each}."
    refused = len(_left_out(study))
    if refused:
        yield f"{amount(refused, 'instance')} not taken by every ranked backend and left out of all figures."
    if left := study.left_out - refused:
        yield f"{amount(left, 'instance')} not run by every ranked backend and left out of all figures."
    if study.over_all and any(row.verdict is Verdict.UNSUPPORTED for row in study.rows):
        yield "A puzzle that a backend does not take counts as a run without an answer, as was asked for."
    if any(row.relabelled for row in study.rows):
        yield (
            "Engines that take no seed got relabelled puzzles instead (digits, rows, columns, bands and transposition "
            "shuffled): the same puzzle to a person, another one to a search."
        )
    seeded = {row.sha256 for row in study.rows if row.seed}
    as_stated = len(seeded - {row.sha256 for row in study.rows if row.relabelled})
    if as_stated:
        yield (
            f"{amount(as_stated, 'instance')} relabelled for no engine: every engine takes a seed, or it is a variant. "
            "Rules of variants name cells and values, so an engine without a seed runs a variant as it is each time."
        )
    asked = {row.asked for row in study.rows}
    if len(asked) > 1:
        yield (
            "Backends that cannot enumerate were asked for a solution only, the others to prove uniqueness: the former "
            "had the easier question."
        )
    yield from _proofs(study)
    yield from _sentences(study)
    yield "The ranking is by answers, then by PAR2. A backend with a wrong answer is left out of all comparisons."


def _left_out(study: Study) -> set[str]:
    """Return the instances that are left out since a ranked backend does not take them."""
    ranked = set() if study.over_all else set(study.matrix.backends)
    return {row.sha256 for row in study.rows if row.verdict is Verdict.UNSUPPORTED and row.backend in ranked}


def _sentences(study: Study) -> Iterator[str]:
    """Return the notes of the adapters about their runs, with the number of a backend's runs for each note."""
    for name in dict.fromkeys(row.backend for row in study.rows):
        rows = [row for row in study.rows if row.backend == name]
        for note, count in Counter(note for row in rows for note in row.notes).most_common(MOST_NOTES):
            runs = "all runs" if count == len(rows) else amount(count, "run")
            yield f"{name}, {runs}: {note}."


def _proofs(study: Study) -> Iterator[str]:
    proved = {row.sha256 for row in study.rows if row.proof}
    unproved = {row.sha256: row.unproved for row in study.rows if row.unproved}
    if proved:
        refuters = ", ".join(sorted({row.proof for row in study.rows if row.proof}))
        yield (
            f"{amount(len(proved), 'puzzle')} with a checked proof (by {refuters}) of one solution, or of none: "
            "the rows say which answers carry it."
        )
    if unproved:
        reasons = "; ".join(dict.fromkeys(unproved.values()))
        yield f"{amount(len(unproved), 'puzzle')} without the proof that was asked for: {reasons[:LONGEST]}."


def _missing(study: Study) -> Iterator[str]:
    if study.limit is None:
        yield "There was no time limit: where a run gave no answer there is no PAR2 and no ratio."
        return
    yield (
        f"A run without an answer within {study.limit:g} s, for whatever reason, stays in: behind all others in the "
        "quantiles, with twice the limit in PAR2, with the limit in the geometric mean and in ratios. Such a ratio is "
        "a bound: the true one is more extreme. An instance that neither of two answered says nothing about the two."
    )
    censored = sum(pair.censored for pair in study.pairs)
    if study.pairs:
        share = f"{censored} of {sum(p.faster + p.ties + p.slower for p in study.pairs)}"
        yield f"Of the ratios between two backends {share} are such bounds."


def _uncertainty(study: Study) -> Iterator[str]:
    yield (
        f"Intervals are those of {LEVEL * 100:.0f} % from {RESAMPLES} resamples of the instances, the same for every "
        "backend: they tell how far a figure would move with other instances of the same kind, not how noisy the "
        "machine is."
    )
    if study.instances < FEW:
        yield f"With {amount(study.instances, 'instance')} they are rough."
    yield (
        "Two times within 5 % are a tie in the counts. The p-values are Wilcoxon's (zero differences dropped; exact "
        f"for up to 50 instances, or {EXACT} if some differences are equal in size, otherwise by the normal "
        "distribution), corrected by Holm for all pairs; below 0.05 a difference counts as significant."
    )
    yield f"The geometric mean is shifted by {seconds(SHIFT)}, so that times far below it hardly count."
