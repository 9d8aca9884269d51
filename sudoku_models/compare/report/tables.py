"""The tables of a report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from math import exp, inf, isinf, isnan, log
from typing import TYPE_CHECKING

from ...display import seconds
from ...display.text_tables import Column, TextTable
from ...verbs.agreement import Verdict
from ..statistics import BackendPair, Change, Changes, Interval, Study
from ..statistics.change import LEAST
from ..statistics.study import TIE, Standing
from ..summary import NOT_TAKEN, in_order, phase_words

if TYPE_CHECKING:
    from .report import Report

Value = float | str | None

LONG = 26
"""The most characters of a name that LaTeX keeps on one line."""


@dataclass(frozen=True)
class SheetEntry:
    """The content of a cell: its text, and its key for sorting."""

    text: str
    value: Value = None


@dataclass(frozen=True)
class Heading:
    """A column's heading, with an explanation; text is aligned left, numbers right."""

    text: str
    help: str = ""
    number: bool = True


@dataclass(frozen=True)
class Sheet:
    """A table. ``name`` is a word for links and files, ``marked`` are the numbers of highlighted rows.

    The first column names a backend.
    """

    name: str
    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[SheetEntry, ...], ...]
    caption: str = ""
    marked: frozenset[int] = frozenset()

    def table(self) -> TextTable:
        """Return the table as text, for the terminal and Markdown."""
        columns = tuple(Column(heading.text, heading.number) for heading in self.headings)
        rows = tuple(tuple(entry.text for entry in row) for row in self.rows)
        return TextTable(columns, rows, self.title, self.caption, self.marked)

    def markdown(self) -> str:
        """Return title, table and caption in Markdown."""
        caption = f"\n{self.caption}\n" if self.caption else ""
        return f"## {self.title}\n\n{self.table().markdown()}{caption}"

    def latex(self) -> str:
        """Return a LaTeX table (packages booktabs and graphicx), scaled down if it is wider than the page."""
        columns = "".join(_latex_column(h, [row[i] for row in self.rows]) for i, h in enumerate(self.headings))
        head = _latex_row([heading.text for heading in self.headings])
        body = "".join(_latex_row([entry.text for entry in row]) for row in self.rows)
        caption = latex(f"{self.title}. {self.caption}".strip())
        return (
            "\\begin{table}\n\\centering\n"
            f"\\caption{{{caption}}}\n\\label{{tab:{self.name}}}\n\\par\\smallskip\n"
            "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
            f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{body}\\bottomrule\n"
            "\\end{tabular}}\n\\end{table}\n"
        )

    def html(self, colours: dict[str, int]) -> str:
        """Return an HTML table whose headings sort it; ``colours`` are the numbers of the backends' colours."""
        head = "".join(map(_html_heading, self.headings))
        body = "".join(_html_row(row, self.headings, colours, i in self.marked) for i, row in enumerate(self.rows))
        caption = f'<p class="caption">{escape(with_micro(self.caption))}</p>' if self.caption else ""
        return (
            f'<div class="scroll"><table class="sheet sortable" id="sheet-{self.name}">'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{caption}"
        )


def named(backend: str) -> SheetEntry:
    """Return the entry that names a backend."""
    return SheetEntry(backend, backend)


def _html_heading(heading: Heading) -> str:
    title = f' title="{escape(heading.help)}"' if heading.help else ""
    kind = "number" if heading.number else "text"
    return f'<th scope="col" class="{kind}"{title}><button type="button">{escape(heading.text)}</button></th>'


def _html_row(row: tuple[SheetEntry, ...], headings: tuple[Heading, ...], colours: dict[str, int], marked: bool) -> str:
    cells = "".join(_html_cell(entry, heading, colours) for entry, heading in zip(row, headings, strict=True))
    kind = ' class="marked"' if marked else ""
    return f"<tr{kind}>{cells}</tr>"


def _html_cell(entry: SheetEntry, heading: Heading, colours: dict[str, int]) -> str:
    kind = "number" if heading.number else "text"
    value = f' data-value="{escape(_sortable(entry.value))}"'
    known = entry.text in colours and not heading.number
    dot = f'<i class="dot" style="--colour: var(--c{colours[entry.text]})"></i>' if known else ""
    return f'<td class="{kind}"{value}>{dot}{_breakable(entry.text) if known else escape(with_micro(entry.text))}</td>'


def _breakable(name: str) -> str:
    """Write a backend's name so that it may be broken after punctuation."""
    return re.sub(r"([:,=|(])", r"\1<wbr>", escape(name))


def with_micro(text: str) -> str:
    """Write "us" as microseconds with the Greek letter, for formats that can show it."""
    return re.sub(r"(\d) us\b", r"\1 µs", text)


def _sortable(value: Value) -> str:
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    return "1e999" if isinstance(value, float) and isinf(value) else str(value)


_MICRO = re.compile(r"(?<=\d) us\b")

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
    return r" $\mu$s".join("".join(_LATEX.get(char, char) for char in part) for part in _MICRO.split(text))


def _latex_row(texts: list[str]) -> str:
    return " & ".join(latex(text) if len(text) <= LONG else _latex_breakable(text) for text in texts) + " \\\\\n"


def _latex_column(heading: Heading, entries: Iterable[SheetEntry]) -> str:
    if heading.number:
        return "r"
    return "l" if all(len(entry.text) <= LONG for entry in entries) else "p{12em}"


def _latex_breakable(text: str) -> str:
    """Allow line breaks after the punctuation of a backend's specification, but not within its words."""
    return r"\raggedright " + re.sub(r"(:|,|\\textbar\{\})", r"\1\\allowbreak{}", latex(text))


BACKEND = Heading("backend", number=False)
MEBIBYTE = 1 << 20


def sheets(study: Study) -> tuple[Sheet, ...]:
    """Return all tables that have content, the most important first."""
    made = (standings(study), oracle(study), statuses(study), paired(study), phases(study), sizes(study))
    return tuple(sheet for sheet in made if sheet.rows and len(sheet.headings) > 1)


def standings(study: Study) -> Sheet:
    """Return one row for each backend, best first: answers and times."""
    refused = Counter(row.backend for row in study.rows if row.verdict is Verdict.UNSUPPORTED)
    headings = (
        BACKEND,
        Heading("solved", "Runs with an answer, unsatisfiable included"),
        *([Heading(NOT_TAKEN, "Runs on puzzles that it does not accept")] if refused else []),
        Heading("PAR2", "Mean time; a run without an answer counts as twice the limit"),
        Heading("95 % interval", "of PAR2, had other instances been drawn (bootstrap)"),
        Heading("median", "of all runs; those without an answer are slower than all others"),
        Heading("p90", "Nine in ten runs took no longer"),
        Heading("max", "The longest run"),
        Heading("geo. mean", "Geometric mean shifted by 1 ms; a run without an answer counts as the limit"),
        Heading("CPU", "Median CPU time, if it is known"),
        Heading("first in", "Share of resamples of the instances in which its PAR2 is the least"),
    )
    wrong = {row.backend for row in study.wrong}
    rows = tuple(
        _standing(s, study.limit, refused[s.backend] if refused else None, s.backend in wrong) for s in study.standings
    )
    caption = "Wall time of a run."
    if refused and not study.over_all:
        caption += " Everything but the puzzles that are not taken is over the puzzles that every backend takes."
    return Sheet("standings", "Standings", headings, rows, caption, _wrong(study))


def _wrong(study: Study) -> frozenset[int]:
    """Return the rows of the backends with wrong answers."""
    wrong = {row.backend for row in study.wrong}
    return frozenset(i for i, standing in enumerate(study.standings) if standing.backend in wrong)


def _standing(standing: Standing, limit: float | None, refused: int | None, wrong: bool) -> tuple[SheetEntry, ...]:
    par2, shifted = standing.par2, standing.shifted
    failed = any(not status.settled and status is not Verdict.TIMEOUT for status in standing.statuses)
    took = any(status is not Verdict.UNSUPPORTED for status in standing.statuses)
    times = (_quantile(standing.quantiles[q], None if failed else limit) for q in (0.5, 0.9, 1.0))
    return (
        named(standing.backend),
        SheetEntry(f"{standing.solved}/{standing.runs}", standing.solved),
        *([] if refused is None else [SheetEntry(str(refused), refused)]),
        SheetEntry("out" if wrong else time(par2.value), par2.value),
        SheetEntry("" if isnan(par2.low) else f"{seconds(par2.low)} – {seconds(par2.high)}", par2.low),
        *(times if took else [SheetEntry("", inf)] * 3),
        SheetEntry(time(shifted.value), shifted.value),
        SheetEntry(seconds(standing.cpu), standing.cpu),
        SheetEntry(f"{100 * standing.first:.0f} %" if standing.ranked and standing.first >= 0 else "", standing.first),
    )


def _quantile(value: float, limit: float | None) -> SheetEntry:
    if value < inf:
        return SheetEntry(seconds(value), value)
    return SheetEntry("none" if limit is None else f"> {limit:g} s", inf)


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
    rows = tuple(
        (
            named(name),
            *_counts(share.fastest, share.ties, share.alone),
            SheetEntry(factor(share.gap), share.gap),
            SheetEntry(time(share.contribution), share.contribution),
        )
        for name, share in best.shares.items()
    )
    score = f"with PAR2 {time(best.par2)}" if not isnan(best.par2) else "and no PAR2 without a limit"
    caption = (
        f"On each instance the virtual best solver runs the backend that is best there: {best.solved} of "
        f"{study.instances} solved, {score}. It picks the luckiest of noisy times, so it flatters a little."
    )
    return Sheet("oracle", "Virtual best solver", headings, rows, caption)


def statuses(study: Study) -> Sheet:
    """Return the number of runs with each status that occurs."""
    ends = Counter((row.backend, row.verdict) for row in study.rows)
    met = [verdict for verdict in Verdict if any(status is verdict for _, status in ends)]
    proved = Counter(row.backend for row in study.rows if row.proof)
    rows = tuple(
        (
            named(s.backend),
            *_counts(*(ends[s.backend, verdict] for verdict in met), *([proved[s.backend]] if proved else [])),
        )
        for s in study.standings
    )
    headings = (BACKEND, *(Heading(status_word(verdict)) for verdict in met))
    headings += (Heading("proved", "Answers with a checked proof"),) if proved else ()
    return Sheet("statuses", "How the runs ended", headings, rows, "", _wrong(study))


def status_word(verdict: Verdict) -> str:
    return NOT_TAKEN if verdict is Verdict.UNSUPPORTED else str(verdict)


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
    return (
        named(pair.first),
        named(pair.second),
        SheetEntry(factor(pair.speedup.value), pair.speedup.value),
        SheetEntry(factors(pair.speedup), pair.speedup.low),
        *_counts(pair.faster, pair.ties, pair.slower, pair.neither, pair.censored),
        SheetEntry(p_value(pair.p), pair.p),
        SheetEntry(p_value(pair.corrected), pair.corrected),
    )


def phases(study: Study) -> Sheet:
    """Return the mean time of each phase."""
    names = in_order(name for standing in study.standings for name in standing.phases)
    rows = tuple(
        (named(s.backend), *(SheetEntry(seconds(s.phases.get(name)), s.phases.get(name)) for name in names))
        for s in study.standings
        if s.phases
    )
    caption = f"Means over the runs that report their phases. {phase_words(names)}"
    return Sheet("phases", "Mean time by phase", (BACKEND, *map(Heading, names)), rows, caption)


def sizes(study: Study) -> Sheet:
    """Return sizes of the engines' models and peak memory, if any are known."""
    met = sorted({name for s in study.standings for name in s.sizes}, key=_size_order)
    memory = any(s.memory for s in study.standings)
    headings = (BACKEND, *map(Heading, met))
    headings += (Heading("memory", "Median peak, MiB"), Heading("most memory", "MiB")) if memory else ()
    rows = tuple(tuple(_sizes(s, met, memory)) for s in study.standings if s.sizes or s.memory)
    caption = "Medians over the runs that report them; memory is the peak in MiB."
    return Sheet("sizes", "Size and memory", headings, rows, caption)


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


def group_sheets(report: Report, before: str = "") -> list[Sheet]:
    """Return the standings of each group, under its name; empty for a report without groups."""
    found = []
    for number, (name, own) in enumerate((report.groups() if report.group_by else {}).items(), 1):
        puzzles = len({row.sha256 for row in own.rows})
        title = f"{before}{name}: {puzzles:,} puzzle{'' if puzzles == 1 else 's'}"
        found.append(replace(standings(own.study), name=f"group-{number}", title=title, caption=""))
    return found


def change_sheet(changes: Changes) -> Sheet:
    """Return one row for each backend that is in both runs: what has changed since the earlier run."""
    headings = (
        BACKEND,
        Heading("change", number=False),
        Heading("speed-up", "Geometric mean of the earlier time divided by the present time"),
        Heading("95 % interval", "had other instances been drawn (bootstrap, paired), and for the noise of the runs"),
        Heading("shows from", "The smallest change that these runs could show, given their own spread"),
        Heading("p (Holm)", "The larger of Wilcoxon's and that of the noise, corrected for the number of backends"),
        Heading("instances", "that both runs share"),
        Heading("gained", "Instances answered only now"),
        Heading("lost", "Instances answered only then"),
    )
    marked = frozenset(i for i, change in enumerate(changes.found) if change.verdict == "WRONG")
    caption = "A backend is faster or slower where both the interval and the corrected test exclude chance."
    caption += "".join(f" {line}" for line in _noise(changes))
    caption += f" Not in the earlier run: {', '.join(changes.only_new)}." if changes.only_new else ""
    caption += f" Only in the earlier run: {', '.join(changes.only_old)}." if changes.only_old else ""
    return Sheet("changes", "Since the earlier run", headings, tuple(map(_change, changes.found)), caption, marked)


def _change(change: Change) -> tuple[SheetEntry, ...]:
    pair, noise = change.pair, change.noise
    return (
        named(change.backend),
        named(change.verdict),
        SheetEntry(factor(pair.speedup.value), pair.speedup.value),
        SheetEntry(factors(pair.speedup) if noise.measured else "not known", pair.speedup.low),
        SheetEntry(factor(noise.least) if noise.measured else "not known", noise.least),
        SheetEntry(p_value(pair.corrected), pair.corrected),
        *_counts(change.instances, len(change.gained), len(change.lost)),
    )


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


def _counts(*counts: int) -> list[SheetEntry]:
    return [SheetEntry(str(count), count) for count in counts]


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
    """Format a p-value."""
    return "" if isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"
