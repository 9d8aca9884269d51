"""The stream of the command line: a source, its rows, a question, and a sheet on which the answers are written.

Every format is written from the same columns. A row begins with the columns of its table, or with number, source, line
and puzzle; the columns of the answer follow. A JSON record also has fields that a column cannot hold (see
``Shown.details``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..bulk.columns import Same, counted, patched
from ..bulk.question import BAD_INPUT, BlockAnswers, RowAnswer, Several, Verb
from ..bulk.rows import PLACE, Block
from ..bulk.sinks import BINARY, Sink, format_of, same_columns, written
from ..bulk.text_rows import CsvRows, JsonDocument, JsonRows, RowText
from ..engine.record import Record
from ..errors import FormatError
from ..formats import Entry
from .codes import Code, UsageError, code_of_row
from .effort import log_error, log_record
from .inputs import Input, Source
from .outputs import Write, at_terminal, output
from .terminal import Progress, Tally, progress, verbose

Done = Callable[[Entry, RowAnswer], object]
Completed = Callable[[Entry, RowAnswer], RowAnswer]


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

    def lines(self, block: Block, answers: BlockAnswers) -> Iterable[str]:
        """Return the answers as lines of text, in any pieces; a row without an answer has none."""

    def drawn(self, block: Block, answers: BlockAnswers) -> Iterable[str]:
        """Yield each answer as a drawing with its newline, or "" if there is no answer."""

    def details(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the columns that only JSON records have."""


@dataclass(frozen=True)
class ShownByText:
    """A question whose answers have a text, and perhaps further fields in a JSON record; both come from its verb."""

    verb: Verb
    name: str
    text: Callable[[RowAnswer], str | None]
    more: Callable[[Any], dict[str, Any]] = lambda _: {}
    doing: str = "working"

    def lines(self, block: Block, answers: BlockAnswers) -> Iterator[str]:
        """Yield the texts."""
        for row in range(len(block)):
            text = self.text(answers.at(row))
            yield "" if text is None else f"{text}\n"

    drawn = lines

    def details(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the fields that only JSON records have."""
        return details_by(self.more, answers)


def details_by(
    more: Callable[[Any], dict[str, Any]], answers: BlockAnswers, usual: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return fields as columns: those of what each row found that was answered alone, ``usual`` ones for all others."""
    alone, n = {row: more(answer.found) for row, answer in answers.alone.items()}, len(answers["status"])
    return {
        name: patched(Same(value, n), {row: fields[name] for row, fields in alone.items()})
        for name, value in (more(None) if usual is None else usual).items()
    }


def column_text(name: str) -> Callable[[RowAnswer], str | None]:
    """Return what gives the text of an answer: the value of a column."""

    def text(answer: RowAnswer) -> str | None:
        """Return the value."""
        value = answer.values[name]
        return None if value is None else str(value)

    return text


def answer(
    source: Source,
    shown: Shown,
    format: str | None,
    out: str | None,
    tally: Tally,
    done: Done | None = None,
    executor: Executor | None = None,
    singly: bool = False,
    codes: Mapping[str, Code] | None = None,
    completed: Completed | None = None,
) -> Code:
    """Answer all puzzles of a source, and write each answer as soon as it is known.

    Rows that are answered in batches come in blocks. All rows are answered one by one if ``singly`` is set or if there
    is a ``done``, which is called after each answer. An ``executor`` works on blocks, or on rows. ``codes`` are exit
    codes of this question by the status of a row. ``completed`` adds to each answer, in order, what depends on its
    place and on those before. The answers to a shard go to a file of their own.
    """
    if isinstance(source, Input) and source.shard is not None:
        from .merging import file_of_shard

        out = file_of_shard(source, source.shard, format, out)
        if out is None:
            return tally.code
    check_format(format, out, sys.stdout.isatty())
    wanted = not at_terminal(out)
    total = source.count() if wanted and sys.stderr.isatty() else None
    with progress(shown.doing, total, wanted) as bar, sheet_of(shown, format, out) as sheet:
        stream = _Stream(shown, sheet, tally, bar, executor, codes or {}, done, completed)
        try:
            stream.run(source, singly or bool(done or completed) or verbose() or not shown.verb.batching)
        except FormatError as error:
            if out not in (None, "-") or format in BINARY:
                raise  # so that no file appears, which would seem to be complete
            tally.problem(str(error), Code.USAGE)
        sheet.end(tally.code)
    return tally.code


def wants_table(format: str | None, out: str | None) -> bool:
    """Return whether a table is to be written, judging by the format or by the suffix of the file name."""
    return format in BINARY or (format is None and format_of(out or "") is not None)


def check_format(format: str | None, out: str | None, terminal: bool) -> None:
    """Refuse to write a binary table to a terminal."""
    if format in BINARY and out in (None, "-") and terminal:
        raise UsageError(f"--format {format} is binary and cannot be shown on a terminal: use --out FILE or a pipe")


def schema_of(name: str) -> str:
    """Return the schema of the records of a question, and its version, in which fields are only added."""
    return f"sudoku-models/{name}/1"


@dataclass(frozen=True)
class _Stream:
    shown: Shown
    sheet: Sheet
    tally: Tally
    bar: Progress
    executor: Executor | None
    codes: Mapping[str, Code]
    done: Done | None
    completed: Completed | None

    def run(self, source: Source, singly: bool) -> None:
        """Answer everything."""
        from ..bulk.into import answered

        verb = self.shown.verb
        blocks = source.stream(self.tally, 1 << 62 if singly else verb.first)
        rows = _each(blocks) if singly and not isinstance(verb, Several) else blocks
        for block, answers in answered(rows, verb, verb.jobs, self.executor):
            if self.completed is not None:
                answers.put({row: self.completed(block.entry(row), found) for row, found in answers.alone.items()})
            self.sheet.block(block, answers)
            self._noted(block, answers)

    def _noted(self, block: Block, answers: BlockAnswers) -> None:
        """Record the exit codes of answers, report failures, and log how the answers were found."""
        for row, found in sorted(answers.alone.items()):
            entry = block.entry(row)
            self._reported(entry, found)
            log_record(entry, getattr(found.found, "record", None))
            if self.done is not None:
                self.done(entry, found)
        together = counted(answers["status"]) - counted([found.values["status"] for found in answers.alone.values()])
        for status in together:
            self.tally.add(code_of_row(status))
        if answers.record is not None and len(block):
            log_record(block.entry(0), answers.record)
        self.bar.advance(len(block))

    def _reported(self, entry: Entry, answer: RowAnswer) -> None:
        """Record the exit code of an answer, and report a failure."""
        status, reason = answer.values["status"], answer.values["reason"]
        code = code_of_row(status, reason, self.codes)
        wrong = answer.error is not None or code in (Code.USAGE, Code.DISAGREE, Code.FAULT)
        if status != BAD_INPUT and wrong:
            self.tally.problem(f"{entry.place}: {reason or status}", code)
            log_error(answer.error)
        self.tally.add(code)


def _each(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield each row of blocks as a block of its own."""
    for block in blocks:
        if block.single or not len(block):
            yield block
        else:
            yield from (block.repeated(row, 1) for row in range(len(block)))


class Sheet(Protocol):
    """Writes the answers to rows, in order."""

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the answers to a block of rows."""

    def end(self, code: Code) -> None:
        """Write what is left, and the end of the document."""


@contextmanager
def sheet_of(shown: Shown, format: str | None, out: str | None) -> Iterator[Sheet]:
    """Yield the sheet for a format, or for the format that the file name implies."""
    format = format or format_of(out or "") or "line"
    if format in BINARY:
        with written(out or "-", shown.verb.kinds, format) as sink:
            yield _TableSheet(sink)
        return
    with output(out) as write:
        if format in ("line", "grid"):
            yield _LineSheet(shown, write, gaps=format == "grid")
        else:
            yield _RowSheet(shown, write, form_of_rows(format, shown.name), detailed=format != "csv")


def form_of_rows(format: str, name: str) -> RowText:
    """Return how the rows of a question are written as text."""
    if format == "csv":
        return CsvRows()
    return JsonDocument(schema_of(name)) if format == "json" else JsonRows(schema_of(name))


@dataclass
class _LineSheet:
    """Lines of text, or drawings separated by empty lines."""

    shown: Shown
    write: Write
    gaps: bool
    any: bool = False

    def block(self, block: Block, answers: BlockAnswers) -> None:
        if not self.gaps:
            self.write("".join(self.shown.lines(block, answers)))
            return
        for text in self.shown.drawn(block, answers):
            self.write("\n" + text if text and self.any else text)
            self.any = self.any or bool(text)

    def end(self, code: Code) -> None:
        """Write nothing more."""


@dataclass
class _RowSheet:
    """CSV or JSON; ``detailed`` records also have fields that columns cannot hold."""

    shown: Shown
    write: Write
    form: RowText
    detailed: bool
    names: list[str] | None = None

    def block(self, block: Block, answers: BlockAnswers) -> None:
        from ..bulk.into import merged

        columns = merged(block.columns, answers)
        self._begun(columns)
        if self.detailed:
            columns |= _details(self.shown, block, answers, columns)
        self.write(self.form.rows(columns))

    def _begun(self, names: Mapping[str, Any]) -> None:
        """Write the header before the first row; later rows must have the same columns."""
        if self.names is None:
            self.names = list(names)
            self.write(self.form.head(self.names))
        elif not self.detailed:
            same_columns(self.names, names)

    def end(self, code: Code) -> None:
        if self.names is None:
            self._begun(dict.fromkeys((*PLACE, *self.shown.verb.kinds)))
        self.write(self.form.end(int(code)))


@dataclass
class _TableSheet:
    """A Parquet or Arrow file; single rows are collected and written in groups."""

    sink: Sink
    waiting: list[tuple[Block, BlockAnswers]] = field(default_factory=list)

    def block(self, block: Block, answers: BlockAnswers) -> None:
        if not block.single or block.schema is not None:
            self._flush()
            self._put(block, answers)
            return
        self.waiting.append((block, answers))
        if len(self.waiting) >= WAITING:
            self._flush()

    def end(self, code: Code) -> None:
        self._flush()

    def _flush(self) -> None:
        """Write the collected rows together."""
        from ..bulk.into import merged

        if self.waiting:
            rows, self.waiting = [merged(block.columns, answers) for block, answers in self.waiting], []
            self.sink.write({name: [value for row in rows for value in row[name]] for name in rows[0]})

    def _put(self, block: Block, answers: BlockAnswers) -> None:
        from ..bulk.into import put

        put(self.sink, block, answers)


WAITING = 1024
"""The number of single rows that are written together."""


def _details(shown: Shown, block: Block, answers: BlockAnswers, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that only JSON records have; an input column with the same name takes precedence."""
    titles = {row: getattr(found, "title", "") for row, found in block.rows.others.items()}
    found = {"title": patched(Same("", len(block)), titles), **shown.details(answers)}
    return {name: column for name, column in found.items() if name not in columns or name in shown.verb.kinds}


def details_of_records(answers: BlockAnswers) -> dict[str, Any]:
    """Return why backends were chosen, what confirmed answers, and the wall-clock seconds of each phase, as columns."""
    return details_by(lambda found: _of_record(getattr(found, "record", None)), answers, _of_record(answers.record))


def _of_record(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {"choice": "", "confirmed": "", "phases": {}}
    phases = {name: round(phase.wall, 9) for name, phase in record.phases.items()}
    return {"choice": record.choice, "confirmed": record.confirmed, "phases": phases}


def title_of(entry: Entry) -> str:
    """Return the title line of an entry: its number in the input, and its title if it has one."""
    title = entry.puzzle.title if entry.puzzle else ""
    return f"puzzle {entry.number}" + (f" ({' '.join(title.split())})" if title else "")


def where_it_stands(entry: Entry) -> str:
    """Return the place of a puzzle, for a comment among lines."""
    return f"puzzle {entry.number}, {entry.unit} {entry.line}"
