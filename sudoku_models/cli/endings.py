"""How commands end: no traceback reaches the user, a broken pipe is silent, and Ctrl-C gives exit code 130."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from ..errors import SudokuModelsError
from ..formats.target import FULL
from . import signals
from .codes import Code, code_of
from .terminal import log, say, verbose


def ended(work: Callable[[], Code]) -> Code:
    """Do some work that raises nothing: an exception becomes a one-line message and an exit code."""
    try:
        code = work()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        silence()
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
    code = code_of(error)
    full = isinstance(error, OSError) and error.errno in FULL
    hint = " (use --verbose for details)" if code is Code.FAULT and not full and not verbose() else ""
    say(f"error: {text}{hint}")
    if code is Code.FAULT:
        log.debug("the details:", exc_info=error)
    return code


def _os_text(error: OSError) -> str:
    """Describe a system error and its place; a full disk without a file name means standard output."""
    place = error.filename or ("standard output" if error.errno in FULL else None)
    return f"{place}: {error.strerror}" if place else str(error.strerror or error)


def silence() -> None:
    """Discard what is still to be written to a closed pipe, so that no error appears at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
