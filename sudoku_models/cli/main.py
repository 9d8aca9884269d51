"""The entry point of ``sudoku-models``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import signals

if TYPE_CHECKING:
    from .codes import Code
    from .parser import Command


def main() -> None:
    """Run the program and end the process with its exit code."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here needs its threads, which numpy starts when loaded
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
        return run(sys.argv[1:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1


def run(words: list[str]) -> int:
    """Run the program with its words; return its exit code.

    No exception leaves it: one becomes a one-line message and an exit code. A broken pipe is silent, and Ctrl-C gives
    exit code 130.
    """
    from ..errors import SudokuModelsError
    from .codes import Code
    from .terminal import set_verbose

    set_verbose(bool({"-v", "--verbose"} & set(words)))  # until they are read
    try:
        code = _asked(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _silence()
        return Code.SOLVED
    except KeyboardInterrupt:
        signals.heard()
        return Code.INTERRUPTED
    except SudokuModelsError as error:
        return _report(error, str(error))
    except OSError as error:
        return _report(error, _os_text(error))
    except Exception as error:
        return _report(error, f"internal error: {type(error).__name__}: {error}")


def _report(error: Exception, text: str) -> Code:
    from ..formats.target import FULL
    from .codes import Code, code_of
    from .terminal import log, say, verbose

    code = code_of(error)
    full = isinstance(error, OSError) and error.errno in FULL
    hint = " (use --verbose for details)" if code is Code.FAULT and not full and not verbose() else ""
    say(f"error: {text}{hint}")
    if code is Code.FAULT:
        log.debug("the details:", exc_info=error)
    return code


def _os_text(error: OSError) -> str:
    """Describe a system error and its place; a full disk without a file name means standard output."""
    from ..formats.target import FULL

    place = error.filename or ("standard output" if error.errno in FULL else None)
    return f"{place}: {error.strerror}" if place else str(error.strerror or error)


def _silence() -> None:
    """Discard what is still to be written to a closed pipe, so that no error appears at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass


def _asked(words: list[str]) -> Code:
    """Do what the words ask for: a command, the help, what the shell asks for completion, or an option by itself."""
    from .codes import Code
    from .commands import HOMES, command
    from .parser import WrongWords, values_of
    from .terminal import say, set_verbose

    if "_SUDOKU_MODELS_COMPLETE" in os.environ:
        from .completion import offered

        print("\n".join(offered(os.environ)))
        return Code.SOLVED
    asked = command(words[0]) if words and words[0] in HOMES else None
    try:
        if asked is None or {"-h", "--help"} & set(words):
            return _program(words, asked)
        values, given = values_of(asked.parameters, words[1:])
    except WrongWords as error:
        from .help import usage

        listed = "--help lists the commands" if asked is None else f"{asked.name} --help explains them"
        say(f"{usage(asked)} (sudoku-models {listed})")
        say(f"error: {error}")
        return Code.USAGE
    set_verbose(values.pop("verbose"))
    return asked(values, given)


def _program(words: list[str], asked: Command | None) -> Code:
    """Show the help, or do what the options of the program itself ask for."""
    from . import completion
    from .codes import Code
    from .commands import HOMES
    from .help import OPTIONS, show_command, show_program
    from .parser import WrongWords, values_of

    if asked is not None:
        return show_command(asked)
    if not words or {"-h", "--help"} & set(words):
        return show_program(Code.SOLVED if words else Code.USAGE)
    if not words[0].startswith("-"):
        raise WrongWords(_no_command(words[0], HOMES))
    values, _ = values_of(OPTIONS, words)
    if values["version"]:
        from .. import __version__

        print(f"sudoku-models {__version__}")
    if values["show_completion"]:
        print(completion.script(), end="")
    if values["install_completion"]:
        completion.install()
    return Code.SOLVED


def _no_command(word: str, known: Iterable[str]) -> str:
    """Say what is wrong with a word that is no command; it may be a file that is to be solved."""
    from ..errors import meant

    if Path(word).is_file():
        return f"{word!r} is a file, not a command; to solve it: sudoku-models solve {word}"
    return f"No such command: {word}{meant(word, known)}"


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
