"""Standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ..display.text_tables import harmless
from ..formats.target import packed, replaced

Write = Callable[[str | bytes | memoryview], None]


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
