"""Readers that several formats share: JSON objects and links, constraint strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .format import Reader
from .json_text import documents
from .kinds.line import Found, as_format_error, in_another_format
from .options import Options
from .source import Line, foreign, too_long


def each_document(name: str, read_one: Callable[[str], Puzzle]) -> Reader:
    """Make the reader of a format whose puzzles are JSON objects or single lines from a function that reads one."""

    def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
        """Read one document after another, each with its line."""
        if options.shape is not None or options.symbols is not None:
            raise FormatError(f"{name} states its own shape and values: leave out shape and alphabet")
        for number, text in documents(lines):
            try:
                yield number, too_long() if text is None else foreign(text) or read_one(text)
            except ValueError as error:
                yield number, in_another_format(text or "", options, name) or as_format_error(error)

    return read_all


def read_constraints(text: str, options: Options) -> Puzzle:
    """Read a constraint string, or a link to one."""
    from .iss.from_string import read_iss

    if options.shape is not None or options.symbols is not None:
        raise FormatError("a constraint string states its own shape and values: leave out shape and alphabet")
    return read_iss(text)
