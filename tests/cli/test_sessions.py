"""Sessions on the command line: each command with all that it writes.

A file of sessions has sections under titles (``#``); files before the first section are there in all of them. A line
``@ NAME`` begins a file, whose lines follow (``>``; with ``>>`` as bytes in the notation of Python, without a newline).
A line ``$ ...`` is a command (``< NAME``: its standard input; ``cat`` and ``ls`` show files), followed by its standard
output (``|``), its standard error (``!``) and its exit code (``=``), unless that is 0.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..golden import head, hold, sections
from ..planting import planted_throughout
from .conftest import said

__all__ = ["planted_throughout"]

_TIMES = re.compile(r'("seconds":|"phases":) (?:[-+.\de]+|\{[^}]*\})')
_MASK = r"\1 ~"
"""What differs from run to run, and what stands in its place."""


@pytest.mark.usefixtures("planted_throughout")
@pytest.mark.parametrize(("path", "section"), sections("cli", "sessions"))
def test_a_session_goes_as_it_is_written_down(
    program: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path, section: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for _ in played(program, head(path)):
        pass
    hold(path, section, "".join(f"{line}\n" for line in played(program, section)))


def played(program: Callable[..., Any], section: str) -> Iterator[str]:
    """Carry out the commands of a section; yield its lines with what the commands write now."""
    file = Path()
    for line in section.splitlines():
        sign, _, rest = line.partition(" ")
        if sign in ("|", "!", "="):
            continue
        yield line
        if sign == "@":
            file = Path(rest)
            file.write_bytes(b"")
        elif sign in (">", ">>"):
            data = rest.encode().decode("unicode_escape").encode("latin-1") if sign == ">>" else f"{rest}\n".encode()
            file.write_bytes(file.read_bytes() + data)
        elif sign == "$":
            yield from _written(program, shlex.split(rest))


def _written(program: Callable[..., Any], words: list[str]) -> Iterator[str]:
    if words[0] == "ls":
        yield from (f"| {path.relative_to('.')}" for path in sorted(Path(*words[1:]).iterdir()))
        return
    if words[0] == "cat":
        yield from (f"| {line}" for line in Path(words[1]).read_text(encoding="utf-8").splitlines())
        return
    given = None
    if "<" in words:
        words, given = words[: words.index("<")], Path(words[-1]).read_bytes()
    result = program(*words, input=given)
    yield from (f"| {_TIMES.sub(_MASK, line)}".rstrip() for line in result.stdout.splitlines())
    yield from (f"! {line}".rstrip() for line in said(result.stderr).splitlines())
    if result.exit_code:
        yield f"= {int(result.exit_code)}"
