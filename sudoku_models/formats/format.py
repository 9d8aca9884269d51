"""Defines a format: one object, from which every table of formats is derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .options import Options
from .source import Line

Reader = Callable[[Iterator[Line], Options], Iterator[tuple[int, Puzzle | FormatError]]]
"""Yields the line in which a puzzle begins, and the puzzle or its error."""

Writer = Callable[[Iterable[Puzzle], str | None], Iterator[str]]
"""Yields pieces of text, each ending with a complete line, in the given or the usual symbols."""

CANDIDATES, RULES, REGIONS = "candidates", "rules", "regions"
ALL = frozenset([CANDIDATES, RULES, REGIONS])


@dataclass(frozen=True)
class Format:
    """A file format: its name, description and file suffix, and the functions that read and write it.

    ``read`` and ``write`` are None if the format cannot be read or written. ``tells`` recognises a line that looks like
    no other format's; formats are tried by their ``turn``, lowest first. ``holds`` lists the parts of a puzzle that are
    written besides its givens: candidates, rules, irregular regions; other parts are refused before ``write`` is
    called. A format that holds only some rules refuses the others itself.

    ``by_lines``: the reader itself reports bytes that are no text; other readers get U+FFFD in their place. ``single``:
    a file holds one puzzle. ``mixes``: a line of this format is recognised among lines of other formats, as a separate
    puzzle. ``states_boxes`` is false where cells alone are written: the reader takes the usual boxes, unless others are
    named. ``writes_any``: whatever is within ``holds`` can be written, without a trial.
    """

    name: str
    description: str
    read: Reader | None = None
    write: Writer | None = None
    tells: Callable[[str], bool] | None = None
    turn: int = 0
    holds: frozenset[str] = frozenset()
    extensions: tuple[str, ...] = ()
    by_lines: bool = False
    single: bool = False
    mixes: bool = False
    states_boxes: bool = True
    writes_any: bool = False

    @property
    def reads(self) -> bool:
        """Return whether the format can be read."""
        return self.read is not None

    @property
    def writes(self) -> bool:
        """Return whether the format can be written."""
        return self.write is not None


@contextmanager
def format_errors() -> Iterator[None]:
    """Turn another ValueError, from making a puzzle, into a FormatError."""
    try:
        yield
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(str(error)) from None


def late(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module of this package, which is imported when the function is called.

    Recognising formats needs none of the readers: they are loaded when there is something to read.
    """

    def call(*values: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*values)

    return call
