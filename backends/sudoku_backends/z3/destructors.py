"""A Ctrl-C that comes while objects of z3 are destroyed: Python drops what is raised there, so it is kept here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import ArgumentError
from typing import Any


@contextmanager
def interruption_kept() -> Iterator[None]:
    """Raise the KeyboardInterrupt that a destructor swallowed in between, or that came while an argument was converted.

    Python hands the exceptions of destructors to ``sys.unraisablehook`` and goes on; ctypes makes an ArgumentError of
    one that comes while it reads an argument.
    """
    before, lost = sys.unraisablehook, list[Any]()

    def keep(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            lost.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = keep
    try:
        yield
    except ArgumentError as error:
        if KeyboardInterrupt.__name__ in str(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = before
    if lost:
        raise KeyboardInterrupt
