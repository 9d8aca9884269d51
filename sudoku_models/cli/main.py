"""The entry point of ``sudoku-models``."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TextIO

_interrupted = 0
"""The code that a signal makes the program end with: 128 and its number, as shells have it."""


def main() -> None:
    """Run the program and end the process with its exit code."""
    signal.signal(signal.SIGINT, _interrupt)
    for ending in _endings():
        signal.signal(ending, _interrupt)
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run()
    except KeyboardInterrupt:
        code = 130
    for ending in (signal.SIGINT, *_endings()):
        signal.signal(ending, signal.SIG_IGN)
    if _interrupted or code == 130:
        _leave(_interrupted or code)
    sys.exit(_flushed(code))


def _nowhere() -> TextIO:
    """Stand in for a stream that was closed before the start."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _run() -> int:
    try:
        from .app import app

        app(prog_name="sudoku-models")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except Exception as error:
        return _fault(error)
    return 0


def _fault(error: Exception) -> int:
    """Tell of what went wrong outside of any command."""
    print(f"error: a fault of the program: {type(error).__name__}: {error}", file=sys.stderr)
    if {"-v", "--verbose"} & set(sys.argv):
        import traceback

        traceback.print_exception(error)
    return 5


def _endings() -> list[int]:
    """Return the signals that end a program, but for those that it was started to ignore (by nohup)."""
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]


def _interrupt(signum: int, frame: FrameType | None) -> None:
    global _interrupted
    _interrupted = 128 + signum
    if signum != signal.SIGINT:
        signal.signal(signum, signal.SIG_IGN)  # what is sent to a group may come twice
    raise KeyboardInterrupt


def _leave(code: int) -> None:
    """End at once: kill what children there are, wait for no thread."""
    isolation = sys.modules.get("sudoku_models.engine.isolation")
    if isolation:
        isolation.kill_all()
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
