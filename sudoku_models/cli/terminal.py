"""Standard output, or the file in its place; notes, errors, progress and the log on standard error."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from ..display.progress import bar_of
from ..display.text_tables import harmless
from ..formats import Entry
from ..formats.target import packed, replaced
from .codes import Code, first

Write = Callable[[str | bytes | memoryview], None]

log = logging.getLogger("sudoku_models")
LIVE: list[Any] = []
"""The progress bar that is shown, above which notes are written."""
_said: set[str] = set()


@contextmanager
def output(path: str | None) -> Iterator[Write]:
    """Yield a function that writes text or bytes immediately: to standard output, or to what becomes the file ``path``.

    The file is compressed if its name ends in ``.gz`` or ``.zst``. If an exception occurs, an existing file is left
    unchanged. A path that is not a regular file (a device, a pipe) is written directly.
    """
    if path is None or path == "-":
        yield _writer(sys.stdout)
        return
    with replaced(path) as file, packed(file, path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8")
        yield _writer(text, at_once=Path(path).exists() and not Path(path).is_file())
        text.flush()
        text.detach()


def at_terminal(out: str | None) -> bool:
    """Return whether the output goes to a terminal."""
    return out is None and sys.stdout.isatty()


def _writer(stream: TextIO, at_once: bool = True) -> Write:
    """Return a function that writes text or bytes in the order of the calls.

    A terminal gets control characters as escapes: a title or a comment comes from a file of anybody.
    """
    terminal = stream.isatty()

    def write(piece: str | bytes | memoryview) -> None:
        if terminal:
            text = piece if isinstance(piece, str) else bytes(piece).decode("utf-8", "backslashreplace")
            stream.write(harmless(text))
        elif isinstance(piece, str):
            stream.write(piece)
        else:
            stream.flush()
            stream.buffer.write(piece)
        if at_once:
            stream.flush()

    return write


# standard error


def say(text: str) -> None:
    """Write a note on standard error, above a progress bar if there is one; ignore failures to write.

    Control characters, which a file name or an engine's output may contain, are written as escapes.
    """
    line = harmless(" ".join(text.split("\n")))
    with suppress(OSError):
        if LIVE:
            LIVE[-1].console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    return sys.stderr.isatty()


def note_once(text: str) -> None:
    """Write a note once in each run, if standard error is a terminal and the log does not contain it anyway."""
    if _is_terminal() and not verbose() and text not in _said:
        _said.add(text)
        say(text)


def set_verbose(verbose: bool) -> None:
    """Show the whole log on standard error, or only its warnings, and begin a new run."""
    _said.clear()
    log.setLevel(logging.DEBUG if verbose else logging.WARNING)
    log.handlers[:] = [_Handler()]
    log.propagate = False


def verbose() -> bool:
    """Return whether details are shown."""
    return log.isEnabledFor(logging.DEBUG)


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        for line in self.format(record).splitlines():
            say(f"{record.levelname.lower()}: {line}")


class Tally:
    """Finds the exit code that results from the outcomes of puzzles."""

    def __init__(self) -> None:
        self.code = Code.SOLVED

    def add(self, code: Code) -> None:
        """Add the exit code of one puzzle, or of anything else."""
        self.code = first(self.code, code)

    def problem(self, text: str, code: Code) -> None:
        """Write an error on standard error, and add its exit code."""
        say(f"error: {text}")
        self.code = first(self.code, code)


@contextmanager
def progress(what: str, total: int | None, wanted: bool = True) -> Iterator[Callable[[int], object]]:
    """Show a bar (of unknown length if ``total`` is None) if it is ``wanted`` and standard error is a terminal.

    Yield what counts more puzzles as done.
    """
    if not wanted or not sys.stderr.isatty():
        yield lambda puzzles: None
        return
    with bar_of(what, None, transient=True, expand=True) as bar:
        LIVE.append(bar)
        try:
            task = bar.add_task(what, total=total)
            yield lambda puzzles: bar.update(task, advance=puzzles)
        finally:
            LIVE.remove(bar)


def log_record(entry: Entry, record: Any) -> None:
    """Log how an answer was found: phases, sizes, plan and notes."""
    if record is None:
        return
    where = entry.place
    if record.choice:
        note_once(f"{record.backend} was chosen: {record.choice}")
        log.info("%s: %s was chosen: %s", where, record.backend, record.choice)
    phases = ", ".join(f"{name} {phase.wall * 1e3:.3f} ms" for name, phase in record.phases.items())
    options = ",".join(f"{key}={value}" for key, value in record.options.items())
    log.info(
        "%s: backend %s%s, seed %d%s",
        where,
        record.backend,
        f":{options}" if options else "",
        record.seed,
        ", in a separate process" if record.isolated else "",
    )
    log.info("%s: %s", where, phases)
    for line in record.plan:
        log.debug("%s: plan: %s", where, line)
    if record.sizes:
        log.debug("%s: sizes: %s", where, ", ".join(f"{name} {size}" for name, size in record.sizes.items()))
    if record.unconfirmed:
        log.warning("%s: the answer is %s", where, record.unconfirmed)
    elif record.confirmed:
        log.info("%s: confirmed by %s", where, record.confirmed)
    for note in record.notes:
        log.info("%s: note: %s", where, note)
