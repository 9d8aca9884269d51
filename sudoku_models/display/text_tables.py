"""Tables of text for a terminal (rich), Markdown and HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from html import escape
from math import inf
from typing import Any

from ..dataclass import dataclass

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters by which a text could move the cursor, change colours or reverse what follows; not tab and newline."""


def harmless(text: str) -> str:
    """Return a text with control characters as escapes, for a terminal: it may come from a file of anybody."""
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


@dataclass(frozen=True)
class Column:
    """A column's heading, and its explanation. Numbers are right-aligned and stay on one line; text may be wrapped."""

    heading: str
    number: bool = True
    help: str = ""


Cell = str | int | tuple[str, float | str | None]
"""The content of a cell: its text and its key for sorting, or one that is both."""


@dataclass(frozen=True)
class TextTable:
    """Rows of cells under headings. ``marked`` holds the numbers of rows to highlight; ``name`` is a word for links."""

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    caption: str = ""
    marked: frozenset[int] = field(default=frozenset())
    name: str = ""

    @property
    def texts(self) -> list[list[str]]:
        """The texts of the cells, row by row."""
        return [[cell[0] if isinstance(cell, tuple) else str(cell) for cell in row] for row in self.rows]

    def rich(self) -> Any:
        """Return the table for a terminal."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(
            title=Text(harmless(self.title)) if self.title else None,
            caption=Text(harmless(self.caption)) if self.caption else None,
            box=box.SIMPLE_HEAD,
            padding=(0, 0, 0, 1),
            pad_edge=False,
            show_edge=False,
            title_justify="left",
            caption_justify="left",
        )
        for column in self.columns:
            table.add_column(
                Text(column.heading),
                justify="right" if column.number else "left",
                no_wrap=column.number,
                overflow="fold",
                min_width=None if column.number else 12,
            )
        for i, row in enumerate(self.texts):
            table.add_row(*(Text(harmless(cell)) for cell in row), style="bold red" if i in self.marked else None)
        return table

    def markdown(self) -> str:
        """Return the table in Markdown, without title and caption."""
        rules = ["---:" if column.number else "---" for column in self.columns]
        rows: list[Sequence[str]] = [[c.heading for c in self.columns], rules, *self.texts]
        return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in rows)

    def html(self, colours: Mapping[str, int] | None = None) -> str:
        """Return an HTML table that scrolls if it is wider than the page, without title.

        ``colours`` are the numbers of the backends' colours on the page of a comparison.
        """
        head = "".join(
            f'<th scope="col"{_kind(column)} title="{escape(column.help)}">{escape(column.heading)}</th>'
            for column in self.columns
        )
        body = ""
        for i, row in enumerate(self.rows):
            mark = ' class="marked" style="color: firebrick"' if i in self.marked else ""
            cells = (_html_cell(*pair, colours or {}) for pair in zip(row, self.columns, strict=True))
            body += f"<tr{mark}>{''.join(cells)}</tr>"
        caption = f'<p class="caption">{escape(with_micro(self.caption))}</p>' if self.caption else ""
        link = f' id="sheet-{self.name}"' if self.name else ""
        table = f'<table class="sheet sortable"{link}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return f'<div class="scroll" style="overflow-x: auto">{table}</div>{caption}'


def _kind(column: Column) -> str:
    kind, side = ("number", "right") if column.number else ("text", "left")
    return f' class="{kind}" style="text-align: {side}"'


def _html_cell(cell: Cell, column: Column, colours: Mapping[str, int]) -> str:
    text, value = cell if isinstance(cell, tuple) else (str(cell), cell)
    value = "" if value is None or value != value else "1e999" if value == inf else value
    begin = f'<td{_kind(column)} data-value="{escape(str(value))}">'
    if column.number or text not in colours:
        return f"{begin}{escape(with_micro(text))}</td>"
    name = re.sub(r"([:,=|(])", r"\1<wbr>", escape(text))  # may be broken after punctuation
    return f'{begin}<i class="dot" style="--colour: var(--c{colours[text]})"></i>{name}</td>'


def with_micro(text: str) -> str:
    """Write "us" as microseconds with the Greek letter, for formats that can show it."""
    return re.sub(r"(\d) us\b", r"\1 µs", text)


def rendered(parts: Sequence[Any], width: int = 100) -> str:
    """Write parts (tables, text) as plain text of the given width, without colours."""
    from io import StringIO

    from rich.console import Console

    text = StringIO()
    console = Console(file=text, width=width, color_system=None, force_terminal=False)
    for part in parts:
        console.print(part.rich() if isinstance(part, TextTable) else part, markup=False, highlight=False)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def seconds(value: float | None) -> str:
    """Write a time with three digits and its unit; return "" for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    size, unit = next(((size, unit) for size, unit in _UNITS if abs(value) >= 0.9995 * size), _UNITS[-1])
    number = value / size
    decimals = 0 if abs(number) >= 99.95 else 1 if abs(number) >= 9.995 else 2
    return f"{number:,.{decimals}f} {unit}"
