"""The tables of a report, written as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, inf, isnan, log
from typing import TYPE_CHECKING

from ...display import seconds
from ...display.text_tables import Cell, Column, TextTable
from ...verbs.agreement import Verdict
from ..statistics import Changes, Interval, Study
from ..statistics.change import LEAST
from ..statistics.study import TIE, Standing
from ..summary import NOT_TAKEN, amount
from ..summary import phases as mean_phases

if TYPE_CHECKING:
    from .report import Report

LONG = 26
"""The most characters of a name that LaTeX keeps on one line."""


TEXTS = frozenset({"backend", "first", "second", "change"})
"""Headings of columns of text, which is aligned left; all others are of numbers."""


def table_of(
    name: str,
    title: str,
    headings: Mapping[str, str],
    rows: Sequence[Sequence[Cell]],
    caption: str = "",
    marked: frozenset[int] = frozenset(),
) -> TextTable:
    """Return a table; ``headings`` have explanations."""
    columns = tuple(Column(heading, heading not in TEXTS, help) for heading, help in headings.items())
    return TextTable(columns, rows, title, caption, marked, name)


def markdown_section(table: TextTable) -> str:
    """Return title, table and caption in Markdown."""
    caption = f"\n{table.caption}\n" if table.caption else ""
    return f"## {table.title}\n\n{table.markdown()}{caption}"


def latex_table(table: TextTable) -> str:
    """Return a LaTeX table (packages booktabs and graphicx), scaled down if it is wider than the page."""
    wide = [any(len(row[i]) > LONG for row in table.texts) for i in range(len(table.columns))]
    kinds = zip(table.columns, wide, strict=True)
    columns = "".join("r" if column.number else "p{12em}" if long else "l" for column, long in kinds)
    caption = latex(f"{table.title}. {table.caption}".strip())
    return (
        "\\begin{table}\n\\centering\n"
        f"\\caption{{{caption}}}\n\\label{{tab:{table.name}}}\n\\par\\smallskip\n"
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_latex_row([c.heading for c in table.columns])}\\midrule\n"
        f"{''.join(map(_latex_row, table.texts))}\\bottomrule\n"
        "\\end{tabular}}\n\\end{table}\n"
    )


_LATEX = {
    "\\": r"\textbackslash{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "×": r"$\times$",
    "–": "--",
    "−": "$-$",
}


def latex(text: str) -> str:
    """Escape text for LaTeX; " us" becomes microseconds."""
    parts = re.split(r"(?<=\d) us\b", text)
    return r" $\mu$s".join("".join(_LATEX.get(char, char) for char in part) for part in parts)


def _latex_row(texts: Sequence[str]) -> str:
    """Write a row; a long text may be broken after the punctuation of a specification, but not within its words."""
    found = [
        latex(text)
        if len(text) <= LONG
        else r"\raggedright " + re.sub(r"(:|,|\\textbar\{\})", r"\1\\allowbreak{}", latex(text))
        for text in texts
    ]
    return " & ".join(found) + " \\\\\n"


# ---- the tables


def tables(study: Study) -> tuple[TextTable, ...]:
    """Return all tables that have content, the most important first."""
    made = (standings(study), oracle(study), statuses(study), paired(study), phases(study), sizes(study))
    return tuple(table for table in made if table.rows and len(table.columns) > 1)


def standings(study: Study) -> TextTable:
    """Return one row for each backend, best first: answers and times."""
    refused = Counter(row.backend for row in study.rows if row.verdict is Verdict.UNSUPPORTED)
    headings = {
        "backend": "",
        "solved": "Runs with an answer, unsatisfiable included",
        **({NOT_TAKEN: "Runs on puzzles that it does not accept"} if refused else {}),
        "PAR2": "Mean time; a run without an answer counts as twice the limit",
        "95 % interval": "of PAR2, had other instances been drawn (bootstrap)",
        "median": "of all runs; those without an answer are slower than all others",
        "p90": "Nine in ten runs took no longer",
        "max": "The longest run",
        "geo. mean": "Geometric mean shifted by 1 ms; a run without an answer counts as the limit",
        "CPU": "Median CPU time, if it is known",
        "first in": "Share of resamples of the instances in which its PAR2 is the least",
    }
    wrong = _wrong(study)
    rows: list[list[Cell]] = [
        [
            s.backend,
            (f"{s.solved}/{s.runs}", s.solved),
            *([refused[s.backend]] if refused else []),
            ("out" if i in wrong else time(s.score.value), s.score.value),
            ("" if isnan(s.score.low) else f"{seconds(s.score.low)} – {seconds(s.score.high)}", s.score.low),
            *(_quantile(s, value, study.limit) for value in (s.median, s.p90, s.most)),
            (time(s.shifted.value), s.shifted.value),
            (seconds(s.cpu), s.cpu),
            (f"{100 * s.first:.0f} %" if s.ranked and s.first >= 0 else "", s.first),
        ]
        for i, s in enumerate(study.standings)
    ]
    caption = "Wall time of a run."
    if refused and not study.over_all:
        caption += " Everything but the puzzles that are not taken is over the puzzles that every backend takes."
    return table_of("standings", "Standings", headings, rows, caption, wrong)


def _quantile(standing: Standing, value: float, limit: float | None) -> Cell:
    """Return a quantile of the times; an infinite one is beyond the limit, if all other runs timed out."""
    missing = {verdict for verdict in standing.verdicts if not verdict.settled}
    if standing.verdicts.keys() <= {Verdict.UNSUPPORTED}:
        return "", inf
    late = f"> {limit:g} s" if limit is not None and missing <= {Verdict.TIMEOUT} else "none"
    return seconds(value) if value < inf else late, value


def _wrong(study: Study) -> frozenset[int]:
    """Return the rows of the backends with wrong answers."""
    wrong = {row.backend for row in study.wrong}
    return frozenset(i for i, standing in enumerate(study.standings) if standing.backend in wrong)


def oracle(study: Study) -> TextTable:
    """Return the relation of each backend to the virtual best solver."""
    headings = {
        "backend": "",
        "fastest": "Instances on which it is the fastest, or within 5 % of the fastest",
        "of them tied": "Instances on which another backend is within 5 % too",
        "alone": "Instances that no other backend answers",
        "gap": "Its PAR2 divided by the PAR2 of the virtual best",
        "contribution": "Seconds per instance that the virtual best would lose without it",
    }
    best = study.best
    rows = [
        (name, s.fastest, s.ties, s.alone, (factor(s.gap), s.gap), (time(s.contribution), s.contribution))
        for name, s in best.shares.items()
    ]
    score = f"with PAR2 {time(best.par2)}" if not isnan(best.par2) else "and no PAR2 without a limit"
    caption = (
        f"On each instance the virtual best solver runs the backend that is best there: {best.solved} of "
        f"{study.instances} solved, {score}. It picks the luckiest of noisy times, so it flatters a little."
    )
    return table_of("oracle", "Virtual best solver", headings, rows, caption)


def statuses(study: Study) -> TextTable:
    """Return the number of runs with each status that occurs."""
    ends = Counter((row.backend, row.verdict) for row in study.rows)
    proved = Counter(row.backend for row in study.rows if row.proof)
    met = [verdict for verdict in Verdict if any(status is verdict for _, status in ends)]
    headings = {"backend": "", **{status_word(verdict): "" for verdict in met}}
    headings |= {"proved": "Answers with a checked proof"} if proved else {}
    rows: list[list[Cell]] = [
        [s.backend, *(ends[s.backend, verdict] for verdict in met), *([proved[s.backend]] if proved else [])]
        for s in study.standings
    ]
    return table_of("statuses", "How the runs ended", headings, rows, "", _wrong(study))


def status_word(verdict: Verdict) -> str:
    return NOT_TAKEN if verdict is Verdict.UNSUPPORTED else str(verdict)


def paired(study: Study) -> TextTable:
    """Return every pair of ranked backends, the better one first."""
    headings = {
        "first": "",
        "second": "",
        "speed-up": "Geometric mean of the second's time divided by the first's",
        "95 % interval": "had other instances been drawn (bootstrap, paired)",
        "faster": "Instances on which the first is quicker by 5 % or more",
        "ties": "",
        "slower": "",
        "neither": "Instances that neither answered",
        "bounds": "Instances with one missing answer: the true ratio is more extreme",
        "p": "Wilcoxon's signed ranks, on the logarithms of the ratios",
        "p (Holm)": "corrected for the number of pairs",
    }
    rows: list[list[Cell]] = [
        [
            pair.first,
            pair.second,
            (factor(pair.speedup.value), pair.speedup.value),
            (factors(pair.speedup), pair.speedup.low),
            *(pair.faster, pair.ties, pair.slower, pair.neither, pair.censored),
            *((p_value(p), p) for p in (pair.p, pair.corrected)),
        ]
        for pair in study.pairs
    ]
    return table_of("pairs", "Pairs", headings, rows)


def phases(study: Study) -> TextTable:
    """Return the mean time of each phase."""
    table = mean_phases(study.standings)
    caption = f"Means over the runs that report their phases. {table.caption}"
    return replace(table, name="phases", caption=caption)


def sizes(study: Study) -> TextTable:
    """Return sizes of the engines' models and peak memory, if any are known."""
    known = ("variables", "clauses", "constraints", "literals")
    met = {name for s in study.standings for name in s.sizes}
    names = [*(name for name in known if name in met), *sorted(met.difference(known))]
    headings = dict.fromkeys(("backend", *names), "")
    memory = any(s.memory for s in study.standings)
    headings |= {"memory": "Median peak, MiB", "most memory": "MiB"} if memory else {}
    rows: list[list[Cell]] = [
        [
            s.backend,
            *(_number(s.sizes.get(name), 1, 0) for name in names),
            *(_number(peak, 1 << 20, 1) for peak in (s.memory or (None, None)) if memory),
        ]
        for s in study.standings
        if s.sizes or s.memory
    ]
    caption = "Medians over the runs that report them; memory is the peak in MiB."
    return table_of("sizes", "Size and memory", headings, rows, caption)


def _number(value: float | None, unit: int, digits: int) -> Cell:
    return "" if value is None else f"{value / unit:,.{digits}f}", value


def group_tables(report: Report, before: str = "") -> list[TextTable]:
    """Return the standings of each group, under its name; empty for a report without groups."""
    found = []
    for number, (name, own) in enumerate((report.groups() if report.group_by else {}).items(), 1):
        title = f"{before}{name}: {amount(len({row.sha256 for row in own.rows}), 'puzzle')}"
        found.append(replace(standings(own.study), name=f"group-{number}", title=title, caption=""))
    return found


def change_table(changes: Changes) -> TextTable:
    """Return one row for each backend that is in both runs: what has changed since the earlier run."""
    headings = {
        "backend": "",
        "change": "",
        "speed-up": "Geometric mean of the earlier time divided by the present time",
        "95 % interval": "had other instances been drawn (bootstrap, paired), and for the noise of the runs",
        "shows from": "The smallest change that these runs could show, given their own spread",
        "p (Holm)": "The larger of Wilcoxon's and that of the noise, corrected for the number of backends",
        "instances": "that both runs share",
        "gained": "Instances answered only now",
        "lost": "Instances answered only then",
    }
    rows: list[list[Cell]] = [
        [
            change.backend,
            change.verdict,
            (factor(change.pair.speedup.value), change.pair.speedup.value),
            (factors(change.pair.speedup) if change.noise.measured else "not known", change.pair.speedup.low),
            (factor(change.noise.least) if change.noise.measured else "not known", change.noise.least),
            (p_value(change.pair.corrected), change.pair.corrected),
            *(change.instances, len(change.gained), len(change.lost)),
        ]
        for change in changes.found
    ]
    marked = frozenset(i for i, change in enumerate(changes.found) if change.verdict == "WRONG")
    caption = "A backend is faster or slower where both the interval and the corrected test exclude chance."
    caption += "".join(f" {line}" for line in _noise(changes))
    caption += f" Not in the earlier run: {', '.join(changes.only_new)}." if changes.only_new else ""
    caption += f" Only in the earlier run: {', '.join(changes.only_old)}." if changes.only_old else ""
    return table_of("changes", "Since the earlier run", headings, rows, caption, marked)


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


def time(value: float) -> str:
    """Format seconds; empty for NaN."""
    return "" if isnan(value) else seconds(value)


def factor(value: float) -> str:
    """Format a ratio with three digits; empty for NaN."""
    if isnan(value):
        return ""
    return f"{value:,.0f} ×" if value >= 100 else f"{value:#.3g} ×"


def factors(interval: Interval) -> str:
    """Format an interval of ratios."""
    return "" if isnan(interval.low) else f"{factor(interval.low).removesuffix(' ×')} – {factor(interval.high)}"


def p_value(p: float) -> str:
    return "" if isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"
