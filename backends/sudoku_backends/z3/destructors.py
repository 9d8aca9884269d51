"""A Ctrl-C that comes while objects of z3 are destroyed: Python drops what is raised there, so it is kept here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruption_kept() -> Iterator[None]:
    """Raise the KeyboardInterrupt at the end that a destructor swallowed in between.

    Python hands such exceptions to ``sys.unraisablehook`` and goes on.
    """
    before, lost = sys.unraisablehook, list[Any]()

    def keep(told: Any) -> None:
        if issubclass(told.exc_type, KeyboardInterrupt):
            lost.append(told.exc_type)
        else:
            before(told)

    sys.unraisablehook = keep
    try:
        yield
    finally:
        sys.unraisablehook = before
    if lost:
        raise KeyboardInterrupt
