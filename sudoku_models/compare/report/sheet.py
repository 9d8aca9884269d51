"""A table that keeps the figures behind its texts, so that it can be sorted and written in several formats."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import isinf, isnan

from ...display.text_tables import Column, TextTable

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
