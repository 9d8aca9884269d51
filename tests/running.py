"""Run the program in this process, and keep what it writes; run a program of a few lines in a process of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from sudoku_models.cli import main


class _Stream(io.BytesIO):
    """Bytes that also go to another stream, in which two are mixed."""

    def __init__(self, both: io.BytesIO) -> None:
        super().__init__()
        self.both = both

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self.both.write(data)
        return super().write(data)


@dataclass(frozen=True)
class Ran:
    """The exit code of the program, and the bytes that it wrote: those of both streams mixed are its output."""

    exit_code: int
    stdout_bytes: bytes
    stderr_bytes: bytes
    output_bytes: bytes

    @property
    def stdout(self) -> str:
        return _text(self.stdout_bytes)

    @property
    def stderr(self) -> str:
        return _text(self.stderr_bytes)

    @property
    def output(self) -> str:
        return _text(self.output_bytes)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def invoke(
    words: Sequence[str | Path], input: str | bytes | None = None, environment: Mapping[str, str] | None = None
) -> Ran:
    """Run the program with these words, and with this text on standard input."""
    both = io.BytesIO()
    out, err = _Stream(both), _Stream(both)
    data = input.encode("utf-8", "surrogateescape") if isinstance(input, str) else input or b""
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, environment or {}))
        for name, stream in {"stdin": io.BytesIO(data), "stdout": out, "stderr": err}.items():
            text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", write_through=name != "stdin")
            stack.enter_context(patch.object(sys, name, text))
        code = main.run([str(word) for word in words])
        sys.stdout.flush()
        return Ran(int(code), out.getvalue(), err.getvalue(), both.getvalue())


def fresh(code: str, *arguments: object, **environment: str) -> str:
    """Return what a program prints in a new interpreter, where it has to end well."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    whole = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=whole, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
