"""The stream of the command line: a source, its rows, a question, and a sheet on which the answers are written.

Every format is written from the same columns. A row begins with the columns of its table, or with number, source, line
and puzzle; the columns of the answer follow. A JSON record also has fields that a column cannot hold (see
``Shown.details``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bulk.blocks import ALL
from ..bulk.into import answered, merged, renamed
from ..bulk.questions import BAD_INPUT, BlockAnswers, RowAnswer, Several, Verb
from ..bulk.rows import INTEGER, PLACE, Block, Kinds, Same, counted, patched
from ..bulk.shards import Shard
from ..bulk.sinks import BINARY, format_of, sink_of
from ..dataclass import dataclass
from ..engine.record import Record
from ..errors import FormatError, SudokuModelsError, meant
from ..formats import FORMATS, Entry, write
from ..formats.target import ending
from ..puzzle import Puzzle
from .codes import Code, UsageError, code_of, code_of_row, refuse
from .inputs import Drawn, Made, SourceOptions, Written
from .terminal import Tally, at_terminal, log, log_record, output, progress, say, verbose

if TYPE_CHECKING:
    from concurrent.futures import Executor

Lines = Callable[[Block, BlockAnswers], Iterable[str]]
Details = Callable[[BlockAnswers], dict[str, Any]]


def details_by(
    more: Callable[[Any], dict[str, Any]], answers: BlockAnswers, usual: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return fields as columns: those of what each row found that was answered alone, ``usual`` ones for all others."""
    alone, n = {row: more(answer.found) for row, answer in answers.alone.items()}, len(answers["status"])
    return {
        name: patched(Same(value, n), {row: fields[name] for row, fields in alone.items()})
        for name, value in (more(None) if usual is None else usual).items()
    }


def details_of_records(answers: BlockAnswers) -> dict[str, Any]:
    """Return why backends were chosen, what confirmed answers, and the wall-clock seconds of each phase, as columns."""
    return details_by(lambda found: _of_record(getattr(found, "record", None)), answers, _of_record(answers.record))


def _of_record(record: Record | None) -> dict[str, Any]:
    if record is None:
        return {"choice": "", "confirmed": "", "phases": {}}
    phases = {name: round(phase.wall, 9) for name, phase in record.phases.items()}
    return {"choice": record.choice, "confirmed": record.confirmed, "phases": phases}


@dataclass(frozen=True)
class Shown:
    """A question on the command line, and how its answers are shown.

    ``name`` is that of the question in the schema of its records, and ``doing`` that of the progress bar. ``lines``
    returns the answers to a block as text, in any pieces (a row without an answer has none), ``drawn`` each as a
    drawing with its newline (or ""), and ``details`` the columns that only JSON records have.
    """

    verb: Verb
    name: str
    lines: Lines
    details: Details = details_of_records
    doing: str = "working"
    drawn: Lines | None = None


def by_text(
    verb: Verb,
    name: str,
    text: Callable[[RowAnswer], str | None] | str,
    more: Callable[[Any], dict[str, Any]] = lambda _: {},
    doing: str = "working",
) -> Shown:
    """Return a question each of whose answers has a text, or the value of a column as its text.

    ``more`` gives further fields of a JSON record, from what the verb found.
    """

    def lines(block: Block, answers: BlockAnswers) -> Iterator[str]:
        for row in range(len(block)):
            answer = answers.at(row)
            found = answer.values[text] if isinstance(text, str) else text(answer)
            yield "" if found is None else f"{found}\n"

    return Shown(verb, name, lines, lambda answers: details_by(more, answers), doing)


def answer(
    source: SourceOptions,
    shown: Shown,
    written: Written | Drawn | Made,
    tally: Tally | None = None,
    done: Callable[[Entry, RowAnswer], object] | None = None,
    executor: Executor | None = None,
    singly: bool = False,
    codes: Mapping[str, Code] | None = None,
    completed: Callable[[Entry, RowAnswer], RowAnswer] | None = None,
) -> Code:
    """Answer all puzzles of a source, and write each answer as soon as it is known.

    Rows that are answered in batches come in blocks. All rows are answered one by one if ``singly`` is set or if there
    is a ``done``, which is called after each answer. An ``executor`` works on blocks, or on rows. ``codes`` are exit
    codes of this question by the status of a row. ``completed`` adds to each answer, in order, what depends on its
    place and on those before. The answers to a shard go to a file of their own.
    """
    tally, out, verb = tally or Tally(), written.out, shown.verb
    form = form_of(written.format, out)
    if source.shard is not None:
        out = file_of_shard(source, source.shard, form, out)
        if out is None:
            return tally.code
    wanted = not at_terminal(out)
    total = source.count() if wanted and sys.stderr.isatty() else None
    singly = singly or bool(done or completed) or verbose() or not verb.batching
    blocks = source.stream(tally, ALL if singly else verb.first)
    rows = _each(blocks) if singly and not isinstance(verb, Several) else blocks
    with ExitStack() as stack:
        advance = stack.enter_context(progress(shown.doing, total, wanted))
        sheet = _Sheet(stack, shown, form, out)
        try:
            for block, answers in answered(rows, verb, verb.jobs, executor):
                if completed is not None:
                    answers.put({row: completed(block.entry(row), found) for row, found in answers.alone.items()})
                sheet.block(block, answers)
                _noted(block, answers, tally, codes or {}, done)
                advance(len(block))
        except FormatError as error:
            if out not in (None, "-") or form in BINARY:
                raise  # so that no file appears, which would seem to be complete
            tally.problem(str(error), Code.USAGE)
        sheet.end(tally.code)
    return tally.code


def file_of_shard(source: SourceOptions, shard: Shard, format: str, out: str | None) -> str | None:
    """Return the file beside ``out`` for the answers of a shard; None if it exists.

    A file appears only when it is complete, so an existing file holds all answers of the shard.
    """
    refuse(
        out not in (None, "-"), "--shard writes a separate file for each shard: name the merged file with --out FILE"
    )
    assert out
    files = list(source.files or ())
    refuse(len(files) == 1 and Path(files[0]).is_file(), "--shard needs one input file, which exists and is no pipe")
    refuse(
        format not in ("grid", "json"),
        f"--shard and the format {format} cannot be combined: choose line, csv, jsonl or parquet",
    )
    refuse(
        (ending(out) == ".csv") == (format == "csv"), "with --shard, a CSV file must be named .csv: use --out NAME.csv"
    )
    part = shard.file(out)
    if part.exists():
        say(f"{part}: already exists, so shard {shard} is not answered again (delete the file to do so)")
        return None
    return str(part)


def _noted(
    block: Block, answers: BlockAnswers, tally: Tally, codes: Mapping[str, Code], done: Callable[..., object] | None
) -> None:
    """Record the exit codes of answers, report failures, and log how the answers were found."""
    for row, found in sorted(answers.alone.items()):
        entry = block.entry(row)
        _reported(entry, found, tally, codes)
        log_record(entry, getattr(found.found, "record", None))
        if done is not None:
            done(entry, found)
    together = counted(answers["status"]) - counted([found.values["status"] for found in answers.alone.values()])
    for status in together:
        tally.add(code_of_row(status))
    if answers.record is not None and len(block):
        log_record(block.entry(0), answers.record)


def _reported(entry: Entry, answer: RowAnswer, tally: Tally, codes: Mapping[str, Code]) -> None:
    """Record the exit code of an answer, and report a failure."""
    status, reason = answer.values["status"], answer.values["reason"]
    code = code_of_row(status, reason, codes)
    wrong = answer.error is not None or code in (Code.USAGE, Code.DISAGREE, Code.FAULT)
    if status != BAD_INPUT and wrong:
        tally.problem(f"{entry.place}: {reason or status}", code)
        log.debug("the details:", exc_info=answer.error)
    tally.add(code)


def _each(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield each row of blocks as a block of its own."""
    for block in blocks:
        if len(block) < 2:
            yield block
        else:
            yield from (block.repeated(row, 1) for row in range(len(block)))


def form_of(format: str | None, out: str | None) -> str:
    """Return the format to write; refuse to write a binary table to a terminal."""
    form = format or format_of(out or "") or ("json" if ending(out or "") == ".json" else "line")
    refuse(
        form not in BINARY or out not in (None, "-") or not sys.stdout.isatty(),
        f"--format {form} is binary and cannot be shown on a terminal: use --out FILE or a pipe",
    )
    return form


SCHEMA = "sudoku-models/{}/1"
"""The schema of the records of a question, and its version, in which fields are only added."""


class _Sheet:
    """Writes the answers to rows, in order: lines of text, drawings separated by empty lines, or the rows of a sink."""

    def __init__(self, stack: ExitStack, shown: Shown, format: str, out: str | None) -> None:
        self.shown, self.format, self.any = shown, format, False
        self.write = stack.enter_context(output(out))
        self.sink = None
        if format not in ("line", "grid"):
            columns = dict.fromkeys(PLACE, INTEGER) | dict(shown.verb.kinds)  # of a source without rows
            kinds = columns if format not in BINARY else shown.verb.kinds
            self.sink = stack.enter_context(sink_of(self.write, kinds, format, out or "-", SCHEMA.format(shown.name)))

    def block(self, block: Block, answers: BlockAnswers) -> None:
        """Write the answers to a block of rows."""
        if self.sink is not None:
            columns = merged(block.columns, answers)
            if self.format in ("json", "jsonl"):  # which have more; an input column with the same name goes before
                titles = {row: getattr(found, "title", "") for row, found in block.rows.others.items()}
                more = {"title": patched(Same("", len(block)), titles), **self.shown.details(answers)}
                kinds = self.shown.verb.kinds
                columns |= {name: column for name, column in more.items() if name not in columns or name in kinds}
            self.sink.write(columns, block.schema, renamed(block.columns, answers))
        elif self.format == "line":
            self.write("".join(self.shown.lines(block, answers)))
        else:
            for text in (self.shown.drawn or self.shown.lines)(block, answers):
                self.write("\n" + text if text and self.any else text)
                self.any = self.any or bool(text)

    def end(self, code: Code) -> None:
        """Write what is left, and the end of a document."""
        if self.sink is not None:
            self.sink.close(int(code))


def records(
    name: str,
    kinds: Kinds,
    rows: Iterable[Mapping[str, Any]],
    written: Written | Made,
    code: Code = Code.SOLVED,
) -> Code:
    """Write rows with their numbers in any format; ``kinds`` maps the columns to their types.

    The line format writes the ``text`` of each row, or its puzzle or grid. Returns ``code``, the exit code.
    """
    out = written.out
    kind = form_of(written.format, out)
    columns = {"number": INTEGER, **kinds}
    with output(out) as write:
        if kind == "line":
            for row in rows:
                write(f"{row.get('text') or row.get('puzzle') or row['solution']}\n")
            return code
        with sink_of(write, columns, kind, out or "-", SCHEMA.format(name)) as sink:
            for number, row in enumerate(rows, 1):
                sink.write({column: [number if column == "number" else row[column]] for column in columns})
            sink.close(int(code))
    return code


# ---- boards

USUAL = ("line", "iss", "json")
"""The formats of which the first that can hold a board is taken if none is stated."""

DRAWN = (".svg", ".png", ".pdf", ".html", ".htm")
"""Ends of names of files that no command here writes; convert and page do."""


def wants_boards(made: Made) -> bool:
    """Return whether boards are to be written, not rows."""
    return made.format is None and (made.to is not None or format_of(made.out or "") is None)


def stated_format(to: str | None, out: str | None, others: Sequence[str] = ()) -> str | None:
    """Return the format of boards by its name or by the end of the file's name; None if neither states one.

    Raises UsageError for a name that cannot be written and is not among ``others``, and for the file of a picture.
    """
    end = ending(out or "")
    if to is None and end[1:] in others:
        return end[1:]
    refuse(
        (to is not None or end not in DRAWN) and format_of(out or "") not in BINARY,
        f"--out {out}: boards are written as text here; write them to a file such as x.json, from which convert makes "
        "pictures (.svg, .png, .pdf) and page an HTML page",
    )
    if to is not None:
        names = [*(name for name, format in FORMATS.items() if format.writes), *others]
        refuse(to in names, f"--to {to}: one of {', '.join(names)} is expected{meant(to, names)}")
        return to
    found = [kind.name for kind in FORMATS.values() if kind.writes and end in kind.extensions]
    return found[0] if len(found) == 1 else None


def refusal(puzzle: Puzzle, to: str) -> FormatError | None:
    """Return the error of a format that cannot hold the puzzle; None if it can."""
    try:
        for _ in write([puzzle], to):
            pass
    except FormatError as error:
        return error
    return None


def format_for(puzzle: Puzzle, stated: str | None, read: str = "") -> str:
    """Return the stated format, or else the first that holds the puzzle: a line, that in which it was read, the usual.

    Raises FormatError if the stated one cannot hold it.
    """
    if stated is None:
        names = ("line", *((read,) if read in FORMATS and FORMATS[read].writes else ()), *USUAL)
        return next((name for name in names if refusal(puzzle, name) is None), USUAL[-1])
    error = refusal(puzzle, stated) if puzzle.rules or puzzle.candidates or puzzle.shape.regions else None
    if error is not None:
        raise error
    return stated


def write_boards(puzzles: Iterable[Puzzle], form: str | None, out: str | None) -> None:
    """Write puzzles in a format, or in the usual one for the first of them."""
    _write(iter(puzzles), lambda first: format_for(first, form), out)


def _write(boards: Iterator[Puzzle], form: Callable[[Puzzle], str], out: str | None) -> None:
    """Write boards in one format, which the first one determines."""
    with output(out) as put:
        first = next(boards, None)
        for piece in () if first is None else write(chain([first], boards), form(first)):
            put(piece)


def boards_or_rows(
    source: SourceOptions,
    shown: Shown,
    made: Made,
    board: Callable[[Any], Puzzle],
    note: Callable[[Any], str] = lambda _: "",
) -> Code:
    """Answer all puzzles, each with the board made from it: as boards, or as rows if ``made`` says so.

    ``board`` and ``note`` return the board in what the verb found, and a note on it for standard error. A shard always
    has rows.
    """
    if not wants_boards(made) or source.shard is not None:
        refuse(
            not wants_boards(made) or made.to in (None, "line"),
            f"--shard and --to {made.to} cannot be combined: choose line, or --format csv, jsonl or parquet",
        )
        return answer(source, shown, replace(made, format="line") if wants_boards(made) and made.to else made)

    def work(entry: Entry, puzzle: Puzzle) -> Iterator[Puzzle]:
        with progress(shown.doing, None):
            found = shown.verb.one(puzzle)
        if found.error is not None:
            raise found.error
        if text := note(found.found):
            say(f"{entry.place}: {text}")
        yield board(found.found)

    return each_board(source, work, made.to, made.out)


def each_board(
    source: SourceOptions, work: Callable[[Entry, Puzzle], Iterable[Puzzle]], to: str | None, out: str | None
) -> Code:
    """Write the boards made from each entry; an error in one is reported, and the others are still written."""
    tally, stated = Tally(), stated_format(to, out)

    def boards() -> Iterator[Puzzle]:
        nonlocal stated
        for entry in source.entries(tally):
            try:
                for found in work(entry, entry.puzzle) if entry.puzzle else ():
                    stated = format_for(found, stated, entry.format)
                    yield found
            except (SudokuModelsError, ValueError) as error:
                code = code_of(error) if isinstance(error, SudokuModelsError) else Code.USAGE
                tally.problem(f"{entry.place}: {error}", code)

    _write(boards(), lambda _: stated or USUAL[0], out)
    return tally.code


def used(work: Callable[[], Any]) -> Any:
    """Turn errors caused by wrong options into UsageError."""
    try:
        return work()
    except FormatError:
        raise
    except (ValueError, FileExistsError) as error:
        raise UsageError(str(error)) from None


def title_of(entry: Entry) -> str:
    """Return the title line of an entry: its number in the input, and its title if it has one."""
    title = entry.puzzle.title if entry.puzzle else ""
    return f"puzzle {entry.number}" + (f" ({' '.join(title.split())})" if title else "")


def where_it_stands(entry: Entry) -> str:
    """Return the place of a puzzle, for a comment among lines."""
    return f"puzzle {entry.number}, {entry.unit} {entry.line}"
