"""The entry point of ``sudoku-models``."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TextIO

from . import signals


def main() -> None:
    """Run the program and end the process with its exit code."""
    try:
        _open_streams()
        signals.listen()
        code = _run()
        signals.over()
    except KeyboardInterrupt:
        signals.over()
        code = 130
    if signals.code() or code == 130:
        _leave(signals.code() or code)
    sys.exit(_flushed(code))


def _open_streams() -> None:
    """Make both streams accept every character, even if they were closed before the start.

    A closed descriptor is opened: otherwise the next file or pipe would get its number, and with it what engines print.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    """Replace a stream that was closed before the start."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _run() -> int:
    try:
        from ..engine import workers

        workers.on_command_line = True
        return _asked(sys.argv[1:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except Exception as error:
        return _fault(error)


def _asked(words: list[str]) -> int:
    """Run the named command. Typer parses what is not plain, and gets all commands if none is named."""
    from .commands import HOMES, command
    from .plain_commands import read
    from .terminal import set_verbose

    named = words[:1] if words[:1] and words[0] in HOMES else []
    if named:
        set_verbose(False)
        values = read(asked := command(*named), words[1:])
        if values is not None:
            return asked(**values)
    from .app import program

    program(*named)(prog_name="sudoku-models")
    return 0


def _fault(error: Exception) -> int:
    """Report an error that occurred outside any command."""
    from .terminal import say

    say(f"error: internal error: {type(error).__name__}: {error}")
    if {"-v", "--verbose"} & set(sys.argv):
        import traceback

        traceback.print_exception(error)
    return 5


def _leave(code: int) -> None:
    """Exit immediately: kill all child processes, and wait for no thread."""
    signals.kill_children()
    _flushed(code)
    os._exit(code)


def _flushed(code: int) -> int:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1 if stream is sys.stdout else 2)
    return code


if __name__ == "__main__":
    main()
