"""The entry point of ``sudoku-models``."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import signals

if TYPE_CHECKING:
    from .codes import Code


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
    except Exception as error:
        return _fault(error)


def run(words: list[str]) -> int:
    """Run the program with its words; return its exit code."""
    from .codes import Code
    from .commands import HOMES
    from .terminal import set_verbose

    set_verbose(False)
    if "_SUDOKU_MODELS_COMPLETE" in os.environ:
        from .completion import offered

        print("\n".join(offered(os.environ)))
        return Code.SOLVED
    if words and words[0] in HOMES:
        return _command(words[0], words[1:])
    return ended(lambda: _program(words))


def ended(work: Callable[[], Code]) -> Code:
    """Do some work that raises nothing: an exception becomes a one-line message and an exit code.

    A broken pipe is silent, and Ctrl-C gives exit code 130.
    """
    from ..errors import SudokuModelsError
    from .codes import Code

    try:
        code = work()
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


def _command(name: str, words: list[str]) -> int:
    from .codes import Code
    from .commands import command
    from .parser import WrongWords, values_of
    from .terminal import say, set_verbose

    asked = command(name)
    if {"-h", "--help"} & set(words):
        from .help import show_command

        return ended(lambda: show_command(asked))
    try:
        values, given = values_of(asked.parameters, words)
    except WrongWords as error:
        from .help import usage

        say(f"{usage(asked)} (sudoku-models {name} --help explains them)")
        say(f"error: {error}")
        return Code.USAGE
    set_verbose(values.pop("verbose"))
    return ended(lambda: asked(values, given))


def _program(words: list[str]) -> Code:
    """Do what the options of the program itself ask for, or say what is wrong."""
    from . import completion
    from .codes import Code
    from .commands import HOMES
    from .help import OPTIONS, show_program, usage
    from .parser import WrongWords, values_of
    from .terminal import say

    try:
        if not words or {"-h", "--help"} & set(words):
            return show_program(Code.SOLVED if words else Code.USAGE)
        if not words[0].startswith("-"):
            raise WrongWords(_no_command(words[0], HOMES))
        values, _ = values_of(OPTIONS, words)
    except WrongWords as error:
        say(f"{usage(None)} (sudoku-models --help lists the commands)")
        say(f"error: {error}")
        return Code.USAGE
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
