"""What happens when a command ends: no traceback reaches the user, a broken pipe is quiet, Ctrl-C is code 130."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from ..errors import SudokuModelsError
from . import signals
from .codes import Code, code_of
from .terminal import log, say, verbose

P = ParamSpec("P")


def guarded(command: Callable[P, Code]) -> Callable[P, Code]:
    """Make a command that raises nothing: it returns its code, or the code of what was raised, said in one line."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> Code:
        return _ended(command, *args, **kwargs)

    return run


def _ended(command: Callable[P, Code], *args: P.args, **kwargs: P.kwargs) -> Code:
    try:
        code = command(*args, **kwargs)
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
        return _report(error, f"a fault of the program: {type(error).__name__}: {error}")


def _report(error: Exception, text: str) -> Code:
    code = code_of(error)
    hint = " (--verbose shows the details)" if code is Code.FAULT and not verbose() else ""
    say(f"error: {text}{hint}")
    if code is Code.FAULT:
        log.debug("the details:", exc_info=error)
    return code


def _os_text(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)


def silence() -> None:
    """Let what is still to be written to a closed pipe go nowhere, without a complaint at the end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
