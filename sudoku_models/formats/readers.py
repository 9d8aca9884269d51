"""Makes the readers of formats that state the shape and the values of a puzzle themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .format import Reader
from .json_text import documents
from .kinds.line import Found, as_format_error, in_another_format
from .options import Options
from .source import Line, foreign, too_long


def each_document(
    name: str,
    read_one: Callable[[str], Puzzle],
    pieces: Callable[[Iterator[Line]], Iterator[Line]] = documents,
    what: str = "",
) -> Reader:
    """Make the reader of a format from a function that reads one puzzle.

    ``pieces`` yields the text of each with its line, by default JSON objects or single lines. ``what`` is what states
    the shape, for messages; by default the format.
    """

    def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
        """Read one document after another, each with its line."""
        refuse_options(options, what or name)
        for number, text in pieces(lines):
            try:
                yield number, too_long() if text is None else foreign(text) or read_one(text)
            except ValueError as error:
                yield number, in_another_format(text or "", options, name) or as_format_error(error)

    return read_all


def refuse_options(options: Options, what: str) -> None:
    """Raise FormatError if the shape or the symbols are chosen, which a text states itself."""
    if options.shape is not None or options.symbols is not None:
        raise FormatError(f"{what} states its own shape and values: leave out shape and alphabet")


def read_constraints(text: str, options: Options) -> Puzzle:
    """Read a constraint string, or a link to one."""
    from .iss.from_string import read_iss

    refuse_options(options, "a constraint string")
    return read_iss(text)
