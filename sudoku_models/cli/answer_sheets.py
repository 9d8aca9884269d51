"""How the answers to the rows of a source are written: in every format from the same columns.

A row begins with the columns of its table, or with number, source, line and puzzle; the columns of the answer follow.
A JSON record has all of them, and fields that a column cannot hold (see ``Shown.details``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..bulk.question import BlockAnswers, RowAnswer, Verb
from ..bulk.sinks import BINARY, Sink, format_of, same_columns, written
from ..bulk.text_rows import CsvRows, JsonDocument, JsonRows, RowText, lines_of_block, spliced, values_at
from ..formats import Entry
from .codes import Code, UsageError
from .outputs import Write, output

if TYPE_CHECKING:
    from ..bulk.blocks import Block
    from ..bulk.joined_text import TextPart


class Shown(Protocol):
    """A question on the command line, and how its answers are shown."""

    @property
    def name(self) -> str:
        """The name of the question in the schema of its records."""

    @property
    def doing(self) -> str:
        """The description shown in the progress bar."""

    @property
    def verb(self) -> Verb:
        """The verb that answers."""

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the answer as a line of text with its newline, or "" if there is no answer."""

    def drawn(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the answer as a drawing with its newline, or "" if there is no answer."""

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return the lines for columns of arrays, and the rows that must be written separately."""

    def details(self, found: Any) -> dict[str, Any]:
        """Return the fields that only JSON records have, given what the verb returned; None means no answer."""

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block that was answered in a batch."""


class AnswerSheet(Protocol):
    """Writes the answers to rows, in order."""

    def entry(self, entry: Entry, answer: RowAnswer) -> None:
        """Write the answer to the entry of a file."""

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the answers to a block of rows."""

    def end(self, code: Code) -> None:
        """Write what is left, and the end of the document."""


@contextmanager
def sheet_of(shown: Shown, format: str | None, out: str | None) -> Iterator[AnswerSheet]:
    """Yield the sheet for a format, or for the format that the file name implies."""
    format = format or format_of(out or "") or "line"
    if format in BINARY:
        with written(out or "-", shown.verb.kinds, format) as sink:
            yield TableSheet(shown.verb, sink)
        return
    with output(out) as write:
        yield _text_sheet(shown, format, write)


def check_format(format: str | None, out: str | None, terminal: bool) -> None:
    """Refuse to write a binary table to a terminal."""
    if format in BINARY and out in (None, "-") and terminal:
        raise UsageError(f"--format {format} is binary and cannot be shown on a terminal: use --out FILE or a pipe")


def _text_sheet(shown: Shown, format: str, write: Write) -> AnswerSheet:
    if format in ("line", "grid"):
        return LineSheet(shown, write, gaps=format == "grid")
    if format == "json":
        return DocumentSheet(shown, write, JsonDocument(schema_of(shown.name)))
    form = CsvRows() if format == "csv" else JsonRows(schema_of(shown.name))
    return RowSheet(shown, write, form, detailed=format == "jsonl")


def schema_of(name: str) -> str:
    """Return the schema of the records of a question, and its version, in which fields are only added."""
    return f"sudoku-models/{name}/1"


@dataclass
class LineSheet:
    """Lines of text, or drawings separated by empty lines."""

    shown: Shown
    write: Write
    gaps: bool
    any: bool = False

    def entry(self, entry: Entry, answer: RowAnswer) -> None:
        """Write the answer to an entry."""
        text = (self.shown.drawn if self.gaps else self.shown.line)(entry, answer)
        self.write("\n" + text if text and self.gaps and self.any else text)
        self.any = self.any or bool(text)

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the answers to a block, in one piece as far as possible."""
        if self.gaps or len(answers.alone) == len(block):
            for row in range(len(block)):
                self.entry(block.entry(row), answer_at(answers, row))
            return
        parts, odd = self.shown.parts(answers)
        for piece in spliced(parts, odd, lambda row: self.shown.line(block.entry(row), answer_at(answers, row))):
            self.write(piece)

    def end(self, code: Code) -> None:
        """Write nothing more."""


def answer_at(answers: BlockAnswers, row: int) -> RowAnswer:
    """Return the answer to one row of a block."""
    return answers.alone.get(row) or RowAnswer(values_at(answers, row))


@dataclass
class RowSheet:
    """CSV or JSON lines; ``detailed`` records also have fields that columns cannot hold."""

    shown: Shown
    write: Write
    form: RowText
    detailed: bool
    names: list[str] | None = None

    def entry(self, entry: Entry, answer: RowAnswer) -> None:
        """Write a row."""
        values = row_of(entry) | answer.values
        self._begun(values)
        self.write(self.form.row(values | entry_details(self.shown, entry, answer) if self.detailed else values))

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the rows of a block."""
        columns = columns_of(block, answers)
        self._begun(columns)
        if self.detailed:
            columns |= block_details(self.shown, block, answers, columns)
        for piece in lines_of_block(self.form, columns):
            self.write(piece)

    def _begun(self, names: Mapping[str, Any]) -> None:
        """Write the header before the first row; later rows must have the same columns."""
        if self.names is None:
            self.names = list(names)
            self.write(self.form.head(self.names))
        elif not self.detailed:
            same_columns(self.names, names)

    def end(self, code: Code) -> None:
        """Write the header if there was no row."""
        if self.names is None:
            self._begun(dict.fromkeys((*PLACE, *self.shown.verb.kinds)))


@dataclass
class DocumentSheet:
    """One document of JSON."""

    shown: Shown
    write: Write
    form: JsonDocument

    def __post_init__(self) -> None:
        """Write the beginning."""
        self.write(self.form.head())

    def entry(self, entry: Entry, answer: RowAnswer) -> None:
        """Write a record."""
        self.write(self.form.row(row_of(entry) | answer.values | entry_details(self.shown, entry, answer)))

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the records of a block."""
        columns = columns_of(block, answers)
        columns |= block_details(self.shown, block, answers, columns)
        for row in range(len(block)):
            self.write(self.form.row(values_at(columns, row)))

    def end(self, code: Code) -> None:
        """Write the exit code and the end."""
        self.write(self.form.end(int(code)))


@dataclass
class TableSheet:
    """A Parquet or Arrow file; entries are collected and written in groups."""

    verb: Verb
    sink: Sink
    waiting: list[tuple[Entry, RowAnswer]] = field(default_factory=list)

    def entry(self, entry: Entry, answer: RowAnswer) -> None:
        """Add a row."""
        self.waiting.append((entry, answer))
        if len(self.waiting) >= WAITING:
            self._flush()

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Add the rows of a block."""
        from ..bulk.into import put

        self._flush()
        put(self.sink, block, answers)

    def end(self, code: Code) -> None:
        """Write the collected entries."""
        self._flush()

    def _flush(self) -> None:
        from ..bulk.blocks import block_of_entries
        from ..bulk.into import put

        if self.waiting:
            rows, self.waiting = self.waiting, []
            found = {i: answer for i, (_, answer) in enumerate(rows)}
            put(self.sink, block_of_entries([entry for entry, _ in rows]), self.verb.nothing(len(rows)).put(found))


WAITING = 1024
"""The number of entries that are written together."""

PLACE = ("number", "source", "line", "puzzle")
"""The columns that begin a row read from text."""


def row_of(entry: Entry) -> dict[str, Any]:
    """Return the values that begin a row read from text."""
    puzzle = entry.puzzle.to_line() if entry.puzzle else None
    return dict(zip(PLACE, (entry.number, entry.source, entry.line, puzzle), strict=True))


def columns_of(block: Block, answers: BlockAnswers) -> dict[str, Any]:
    """Return the columns of a block, followed by the columns of its answers."""
    from ..bulk.into import merged

    return merged(block.columns, answers)


def entry_details(shown: Shown, entry: Entry, answer: RowAnswer) -> dict[str, Any]:
    """Return the fields that only JSON records have."""
    return {"title": entry.puzzle.title if entry.puzzle else "", **shown.details(answer.found)}


def block_details(shown: Shown, block: Block, answers: BlockAnswers, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same for the rows of a block; an input column with the same name takes precedence."""
    from ..bulk.columns import Same, patched

    n = len(block)
    titles = {row: found.title for row, found in block.rows.others.items() if not isinstance(found, Exception)}
    alone = {row: shown.details(answer.found) for row, answer in answers.alone.items()}
    found = {"title": patched(Same("", n), titles)}
    for name, column in shown.detail_columns(answers).items():
        found[name] = patched(column, {row: details[name] for row, details in alone.items()})
    return {name: column for name, column in found.items() if name not in columns or name in shown.verb.kinds}
