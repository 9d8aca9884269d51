"""The entry point of ``sudoku-models``."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import signals

if TYPE_CHECKING:
    from .codes import Code


def main() -> None:
    """Run the program and end the process with its exit code."""
    gc.set_threshold(100_000)  # what a start makes stays: each time that it is looked through takes milliseconds
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here needs its threads, which numpy starts when loaded
    try:
        _open_streams()
        signals.listen()
        code = _run()
        signals.over()
    except (KeyboardInterrupt, Exception) as error:
        if not signals.code() and not isinstance(error, KeyboardInterrupt):
            raise
        signals.over()
        code = 130
    if signals.code() or code == 130:
        signals.leave_nothing()
        os._exit(_flushed(signals.code() or code))  # at once: no thread is waited for
    sys.exit(_flushed(code))


def _open_streams() -> None:
    """Make both streams accept every character, even if they were closed before the start.

    A closed descriptor is opened: otherwise the next file or pipe would get its number, and with it what engines print.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run() -> int:
    from ..engine import tree

    tree.on_command_line = True
    return run(sys.argv[1:])


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
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):  # rich makes one of it
            return _report(RuntimeError(), f"internal error: something exits the program with code {error.code!r}")
        _discard(sys.stdout)
        return Code.SOLVED
    except KeyboardInterrupt:
        signals.heard()
        return Code.INTERRUPTED
    except SudokuModelsError as error:
        return _report(error, str(error))
    except OSError as error:
        return _report(error, _os_text(error))
    except Exception as error:
        if signals.code():  # Python makes other errors of some interruptions: in __set_name__, while a lock is taken
            signals.heard()
            return Code.INTERRUPTED
        return _report(error, f"internal error: {type(error).__name__}: {error}")


def _report(error: Exception, text: str) -> Code:
    """Write an error as one line; return its exit code."""
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

    if error.errno in FULL:
        return f"{error.filename or 'standard output'}: {error.strerror}"
    wrong = "is a file where a folder is expected"
    wrong = wrong if isinstance(error, FileExistsError) else f"cannot be read or written: {error.strerror}"
    return f"{error.filename}: {wrong}" if error.filename else str(error.strerror or error)


def _discard(stream: TextIO) -> None:
    """Discard what is still to be written to a closed pipe, so that no error appears at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _asked(words: list[str]) -> Code:
    """Do what the words ask for: a command, the help, what the shell asks for completion, or an option by itself."""
    from .codes import Code
    from .parser import ASKED, HOMES, USAGE, WrongWords, command_named, values_of
    from .terminal import say, set_verbose

    if "_SUDOKU_MODELS_COMPLETE" in os.environ:
        from .completion import offered

        print("\n".join(offered()))
        return Code.SOLVED
    asked = command_named(words[0]) if words and words[0] in HOMES else None
    try:
        if not words or set(ASKED) & set(words):
            from .help import show_command, show_program

            return show_command(asked) if asked else show_program(Code.SOLVED if words else Code.USAGE)
        if asked is None:
            return _program(words)
        values, given = values_of(asked.parameters, words[1:])
    except WrongWords as error:
        listed = "--help lists the commands" if asked is None else f"{asked.name} --help explains them"
        say(f"{asked.usage if asked else USAGE} (sudoku-models {listed})")
        say(f"error: {error}")
        return Code.USAGE
    set_verbose(values.pop("verbose"))
    return asked(values, given)


def _program(words: list[str]) -> Code:
    from . import completion
    from .codes import Code
    from .parser import HOMES, OPTIONS, WrongWords, values_of

    if not words[0].startswith("-"):
        raise WrongWords(_no_command(words[0], HOMES))
    values, _ = values_of(OPTIONS, words)
    if values["version"]:
        from .. import __version__

        print(f"sudoku-models {__version__}")
    if values["show_completion"]:
        print(completion.SCRIPTS[completion.shell_of_user()], end="")
    if values["install_completion"]:
        completion.install()
    return Code.SOLVED


def _no_command(word: str, known: Iterable[str]) -> str:
    """Say what is wrong with a word that is no command; it may be a file that is to be solved."""
    from ..errors import meant

    if Path(word).is_file():
        return f"{word!r} is a file, not a command; to solve it: sudoku-models solve {word}"
    return f"No such command: {word}{meant(word, known)}"


def _flushed(code: int) -> int:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _discard(stream)
    return code


if __name__ == "__main__":
    main()
