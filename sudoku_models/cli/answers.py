"""The stream of the command line: a source, its rows, a question, and a sheet that writes the answers."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..bulk.question import BAD_INPUT, BlockAnswers, RowAnswer, Several, Verb
from ..bulk.sinks import BINARY, format_of
from ..errors import FormatError
from ..formats import Entry
from .answer_sheets import AnswerSheet, Shown, check_format, sheet_of
from .codes import Code, code_of_row
from .effort import log_error, log_record
from .inputs import Input, Source
from .outputs import at_terminal
from .terminal import Progress, Tally, progress, verbose

if TYPE_CHECKING:
    from ..bulk.blocks import Block
    from ..bulk.joined_text import TextPart

Done = Callable[[Entry, RowAnswer], object]
Completed = Callable[[Entry, RowAnswer], RowAnswer]


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
        try:
            _Stream(shown, sheet, tally, bar, done, executor, singly, codes, completed).run(source)
        except FormatError as error:
            if out not in (None, "-") or format in BINARY:
                raise  # so that no file appears, which would seem to be complete
            tally.problem(str(error), Code.USAGE)
        sheet.end(tally.code)
    return tally.code


@dataclass(frozen=True)
class ShownByText:
    """A question whose answers have a text, and perhaps further fields in a JSON record; both come from its verb."""

    verb: Verb
    name: str
    text: Callable[[RowAnswer], str | None]
    more: Callable[[Any], dict[str, Any]] = lambda _: {}
    doing: str = "working"

    def line(self, entry: Entry, answer: RowAnswer) -> str:
        """Return the text, or an empty string if there is no answer."""
        text = self.text(answer)
        return "" if text is None else f"{text}\n"

    drawn = line

    def parts(self, answers: BlockAnswers) -> tuple[list[TextPart], Sequence[int]]:
        """Return no lines for whole blocks: the text of each row is written separately."""
        from ..bulk.joined_text import same

        n = len(answers["status"])
        return [same(n, "")], range(n)

    def details(self, found: Any) -> dict[str, Any]:
        """Return the fields that only JSON records have."""
        return self.more(found)

    def detail_columns(self, answers: BlockAnswers) -> dict[str, Any]:
        """Return the same for a block of which only the columns are known."""
        from ..bulk.columns import Same

        return {name: Same(value, len(answers["status"])) for name, value in self.more(None).items()}


def column_text(name: str) -> Callable[[RowAnswer], str | None]:
    """Return what gives the text of an answer: the value of a column."""

    def text(answer: RowAnswer) -> str | None:
        """Return the value."""
        value = answer.values[name]
        return None if value is None else str(value)

    return text


def wants_table(format: str | None, out: str | None) -> bool:
    """Return whether a table is to be written, judging by the format or by the suffix of the file name."""
    return format in BINARY or (format is None and format_of(out or "") is not None)


class _Stream:
    def __init__(
        self,
        shown: Shown,
        sheet: AnswerSheet,
        tally: Tally,
        bar: Progress,
        done: Done | None,
        executor: Executor | None,
        singly: bool,
        codes: Mapping[str, Code] | None,
        completed: Completed | None,
    ) -> None:
        self.verb, self.sheet, self.tally, self.bar, self.done = shown.verb, sheet, tally, bar, done
        self.executor, self.codes = executor, codes
        self.completed: Completed = completed or (lambda _, answer: answer)
        self.singly = singly or done is not None or completed is not None or verbose() or not self.verb.batching

    def run(self, source: Source) -> None:
        """Answer everything, in groups of rows that are answered in the same way."""
        many = 1 << 62 if self.singly else self.verb.first
        group: Any
        for kind, group in groupby(source.stream(self.tally, many), type):
            if kind is Entry:
                self._entries((entry, source.problem(entry)) for entry in group)
            elif self.singly:
                self._rows(group)
            else:
                self._blocks(group)

    def _entries(self, entries: Iterator[tuple[Entry, Any]]) -> None:
        for entry, found in self._alone(entries):
            answer = self.completed(entry, found)
            self.sheet.entry(entry, answer)
            self._noted(entry, answer)

    def _rows(self, blocks: Iterator[Block]) -> None:
        """Answer rows of blocks one by one."""
        empty: list[Block] = []

        def rows() -> Iterator[tuple[tuple[Block, int], Any]]:
            for block in blocks:
                if not len(block):
                    empty.append(block)
                for row, puzzle in block.rows.puzzles():
                    yield (block, row), puzzle

        for (block, row), found in self._alone(rows()):
            entry = block.entry(row)
            answer = self.completed(entry, found)
            self.sheet.block(block.repeated(row, 1), self.verb.nothing(1).put({0: answer}))
            self._noted(entry, answer)
        for block in empty:
            self.sheet.block(block, self.verb.nothing(0))

    def _alone(self, items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, RowAnswer]]:
        """Yield each entry with its answer or answers, in order."""
        if isinstance(self.verb, Several):
            for place, problem in items:
                yield from ((place, answer) for answer in self.verb.several(problem))
            return
        waiting: deque[Any] = deque()

        def problems() -> Iterator[Any]:
            for place, problem in items:
                waiting.append(place)
                yield problem

        for found in self.verb.each(replace(self.verb.where, executor=self.executor), problems()):
            yield waiting.popleft(), found

    def _noted(self, entry: Entry, answer: RowAnswer) -> None:
        """Record the exit code of an answer, report a failure, and log how the answer was found."""
        self.tally.add(_reported(entry, answer, self.tally, self.codes))
        log_record(entry, getattr(answer.found, "record", None))
        if self.done is not None:
            self.done(entry, answer)
        self.bar.advance()

    def _blocks(self, blocks: Iterator[Block]) -> None:
        """Answer blocks, with as many in progress as there are jobs."""
        from ..bulk.into import answered

        for block, answers in answered(blocks, self.verb, self.verb.jobs, self.executor):
            self.sheet.block(block, answers)
            _tallied(block, answers, self.tally)
            self.bar.advance(len(block))


def _reported(entry: Entry, answer: RowAnswer, tally: Tally, codes: Mapping[str, Code] | None = None) -> Code:
    """Return the exit code of an answer, and report a failure."""
    status, reason = answer.values["status"], answer.values["reason"]
    code = code_of_row(status, reason, codes)
    wrong = answer.error is not None or code in (Code.USAGE, Code.DISAGREE, Code.FAULT)
    if status != BAD_INPUT and wrong:
        tally.problem(f"{entry.place}: {reason or status}", code)
        log_error(answer.error)
    return code


def _tallied(block: Block, answers: BlockAnswers, tally: Tally) -> None:
    """Record the exit codes of a block: of rows answered one by one, and of the others by their statuses."""
    from ..bulk.columns import Patched, counted

    for row, answer in sorted(answers.alone.items()):
        tally.add(_reported(block.entry(row), answer, tally))
    column = answers["status"]
    for status in counted(column.base[:] if isinstance(column, Patched) else column):
        if status is not None:
            tally.add(code_of_row(status))
    if answers.record is not None and len(block):
        log_record(block.entry(0), answers.record)
