"""The tables of a report, written as text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import exp, inf, isfinite, isnan, log
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from ...display import seconds
from ...display.text_tables import Cell, Column, TextTable
from ...prove.certificate import amount
from ...verbs.agreement import Verdict
from ..statistics import Changes, Interval, Study
from ..statistics.change import LEAST
from ..statistics.study import TIE, Standing, wrong_backends
from ..summary import NOT_TAKEN, time_text
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
    columns: Iterable[tuple[Any, ...]],
    found: Iterable[Any],
    caption: str = "",
    wrong: Container[str] = (),
) -> TextTable:
    """Return a table with a row for each of what was found; those of backends that are ``wrong`` are marked.

    A column is its heading, its explanation, where its value is (a path of attributes, or a function), and a function
    that writes it, unless it is written as it is.
    """
    shown, about = list(columns), list(found)
    headings = tuple(Column(heading, heading not in TEXTS, help) for heading, help, *_ in shown)
    rows = [[_cell(one, *how) for _, _, *how in shown] for one in about]
    marked = frozenset(i for i, one in enumerate(about) if getattr(one, "backend", None) in wrong)
    return TextTable(headings, rows, title, caption, marked, name)


def _cell(about: Any, of: str | Callable[[Any], Any], written: Callable[[Any], str] | None = None) -> Cell:
    """Return a value and its text; intervals are sorted by their lower bounds."""
    value = of(about) if callable(of) else attrgetter(of)(about)
    if written is None:
        return value  # type: ignore[no-any-return]
    return written(value), value.low if isinstance(value, Interval) else value


def markdown_section(table: TextTable) -> str:
    """Return title, table, caption and what the columns mean in Markdown."""
    meant = "; ".join(f"*{column.heading}*: {column.help}" for column in table.columns if column.help)
    below = [table.caption, f"{meant}." if meant and not table.name.startswith("group") else ""]
    return f"## {table.title}\n\n{table.markdown()}" + "".join(f"\n{text}\n" for text in below if text)


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
    wrong = wrong_backends(study.rows)
    shifted = "Geometric mean shifted by 1 ms; a run without an answer counts as the limit"
    not_taken = (NOT_TAKEN, "Runs on puzzles that it does not accept", lambda s: refused[s.backend])
    columns = (
        ("backend", "", "backend"),
        ("solved", "Runs with an answer, unsatisfiable included", lambda s: (f"{s.solved}/{s.runs}", s.solved)),
        *([not_taken] if refused else []),
        ("PAR2", "Mean time; a run without an answer counts as twice the limit", partial(_par2, wrong)),
        ("95 % interval", "of PAR2, had other instances been drawn (bootstrap)", "score", _between),
        ("median", "of all runs; those without an answer are slower than all others", partial(_late, study, "median")),
        ("p90", "Nine in ten runs took no longer", partial(_late, study, "p90")),
        ("max", "The longest run", partial(_late, study, "most")),
        ("geo. mean", shifted, "shifted.value", time),
        ("CPU", "Median CPU time, if it is known", "cpu", seconds),
        ("first in", "Share of resamples of the instances in which its PAR2 is the least", _first),
    )
    caption = "Wall time of a run."
    if refused and not study.over_all:
        caption += " Everything but the puzzles that are not taken is over the puzzles that every backend takes."
    return table_of("standings", "Standings", columns, study.standings, caption, wrong)


def _par2(wrong: Container[str], standing: Standing) -> Cell:
    return "out" if standing.backend in wrong else time(standing.score.value), standing.score.value


def _between(interval: Interval) -> str:
    return "" if isnan(interval.low) else f"{seconds(interval.low)} – {seconds(interval.high)}"


def _late(study: Study, name: str, standing: Standing) -> Cell:
    value = getattr(standing, name)
    return time_text(standing, value, study.limit), value


def _first(standing: Standing) -> Cell:
    return f"{100 * standing.first:.0f} %" if standing.ranked and standing.first >= 0 else "", standing.first


def oracle(study: Study) -> TextTable:
    """Return the relation of each backend to the virtual best solver."""
    best, lost = study.best, "Seconds per instance that the virtual best would lose without it"
    columns = (
        ("backend", "", itemgetter(0)),
        ("fastest", "Instances on which it is the fastest, or within 5 % of the fastest", lambda s: s[1].fastest),
        ("of them tied", "Instances on which another backend is within 5 % too", lambda s: s[1].ties),
        ("alone", "Instances that no other backend answers", lambda s: s[1].alone),
        ("gap", "Its PAR2 divided by the PAR2 of the virtual best", lambda s: s[1].gap, factor),
        ("contribution", lost, lambda s: s[1].contribution, time),
    )
    score = f"with PAR2 {time(best.par2)}" if not isnan(best.par2) else "and no PAR2 without a limit"
    caption = (
        f"On each instance the virtual best solver runs the backend that is best there: {best.solved} of "
        f"{study.instances} solved, {score}. It picks the luckiest of noisy times, so it flatters a little."
    )
    return table_of("oracle", "Virtual best solver", columns, best.shares.items(), caption)


def statuses(study: Study) -> TextTable:
    """Return the number of runs with each status that occurs."""
    ends = Counter((row.backend, row.verdict) for row in study.rows)
    proved = Counter(row.backend for row in study.rows if row.proof)
    met = [verdict for verdict in Verdict if any(status is verdict for _, status in ends)]
    columns: list[tuple[Any, ...]] = [("backend", "", "backend")]
    columns += [(status_word(verdict), "", lambda s, v=verdict: ends[s.backend, v]) for verdict in met]
    columns += [("proved", "Answers with a checked proof", lambda s: proved[s.backend])] if proved else []
    return table_of("statuses", "How the runs ended", columns, study.standings, "", wrong_backends(study.rows))


def status_word(verdict: Verdict) -> str:
    return NOT_TAKEN if verdict is Verdict.UNSUPPORTED else str(verdict)


def paired(study: Study) -> TextTable:
    """Return every pair of ranked backends, the better one first."""
    columns = (
        ("first", "", "first"),
        ("second", "", "second"),
        ("speed-up", "Geometric mean of the second's time divided by the first's", "speedup.value", factor),
        ("95 % interval", "had other instances been drawn (bootstrap, paired)", "speedup", factors),
        ("faster", "Instances on which the first is quicker by 5 % or more", "faster"),
        ("ties", "", "ties"),
        ("slower", "", "slower"),
        ("neither", "Instances that neither answered", "neither"),
        ("bounds", "Instances with one missing answer: the true ratio is more extreme", "censored"),
        ("p", "Wilcoxon's signed ranks, on the logarithms of the ratios", "p", p_value),
        ("p (Holm)", "corrected for the number of pairs", "corrected", p_value),
    )
    return table_of("pairs", "Pairs", columns, study.pairs)


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
    columns: list[tuple[Any, ...]] = [("backend", "", "backend")]
    columns += [(name, "", lambda s, name=name: s.sizes.get(name), partial(_number, "{:,.0f}")) for name in names]
    if any(s.memory for s in study.standings):
        peaks = (("memory", "Median peak, MiB"), ("most memory", "MiB"))
        size = partial(_number, "{:,.1f}")
        columns += [(*peak, lambda s, i=i: s.memory and s.memory[i] / (1 << 20), size) for i, peak in enumerate(peaks)]
    caption = "Medians over the runs that report them; memory is the peak in MiB."
    return table_of("sizes", "Size and memory", columns, (s for s in study.standings if s.sizes or s.memory), caption)


def _number(form: str, value: float | None) -> str:
    return "" if value is None else form.format(value)


def group_tables(report: Report, before: str = "") -> list[TextTable]:
    """Return the standings of each group, under its name; empty for a report without groups."""
    found = []
    for number, (name, own) in enumerate((report.groups() if report.group_by else {}).items(), 1):
        title = f"{before}{name}: {amount(len({row.sha256 for row in own.rows}), 'puzzle')}"
        found.append(replace(standings(own.study), name=f"group-{number}", title=title, caption=""))
    return found


def change_table(changes: Changes) -> TextTable:
    """Return one row for each backend that is in both runs: what has changed since the earlier run."""
    interval = "had other instances been drawn (bootstrap, paired), and for the noise of the runs"
    corrected = "The larger of Wilcoxon's and that of the noise, corrected for the number of backends"
    columns = (
        ("backend", "", "backend"),
        ("change", "", "verdict"),
        ("speed-up", "Geometric mean of the earlier time divided by the present time", "pair.speedup.value", factor),
        ("95 % interval", interval, "pair.speedup", lambda it: factors(it) if it.high < inf else "not known"),
        ("shows from", "The smallest change that these runs could show, given their own spread", "noise.least", factor),
        ("p (Holm)", corrected, "pair.corrected", p_value),
        ("instances", "that both runs share", "instances"),
        ("gained", "Instances answered only now", lambda change: len(change.gained)),
        ("lost", "Instances answered only then", lambda change: len(change.lost)),
    )
    wrong = [change.backend for change in changes.found if change.verdict == "WRONG"]
    caption = "A backend is faster or slower where both the interval and the corrected test exclude chance."
    caption += "".join(f" {line}" for line in _noise(changes))
    caption += f" Not in the earlier run: {', '.join(changes.only_new)}." if changes.only_new else ""
    caption += f" Only in the earlier run: {', '.join(changes.only_old)}." if changes.only_old else ""
    return table_of("changes", "Since the earlier run", columns, changes.found, caption, wrong)


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
    """Format a ratio with three digits; empty for NaN, and an infinite one is not known."""
    if not isfinite(value):
        return "" if isnan(value) else "not known"
    return f"{value:,.0f} ×" if value >= 100 else f"{value:#.3g} ×"


def factors(interval: Interval) -> str:
    """Format an interval of ratios."""
    return "" if isnan(interval.low) else f"{factor(interval.low).removesuffix(' ×')} – {factor(interval.high)}"


def p_value(p: float) -> str:
    return "" if isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"
