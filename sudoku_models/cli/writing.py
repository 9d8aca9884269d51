"""Standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ..formats.target import replaced

Write = Callable[[str], None]


@contextmanager
def output(path: str | None) -> Iterator[Write]:
    """Yield a function that writes text at once: to standard output, or to what becomes the file ``path`` at the end.

    Without reaching the end (an exception) the file stays as it was. A path that is no regular file (a device, a pipe)
    is written directly.
    """
    if path is None or path == "-":
        yield _writer(sys.stdout)
        return
    with replaced(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8")
        yield text.write if Path(path).is_file() or not Path(path).exists() else _writer(text)  # type: ignore[misc]
        text.flush()
        text.detach()


def _writer(stream: TextIO) -> Write:
    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    return write
