"""The format ``links``."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import FormatError
from ..format import Format
from ..options import Options
from ..readers import read_constraints
from ..source import Line, too_long
from .iss import is_link, is_prose, puzzle_links
from .line import Found, as_format_error


def is_with_links(text: str) -> bool:
    """Return whether a line is prose that contains links to puzzles."""
    return "/" in text and not text.lstrip().startswith((".", "#")) and is_prose(text)


def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read the links in lines of prose, each as if it were alone; skip lines without a link."""
    from ..documents import read_link

    if options.shape is not None or options.symbols is not None:
        raise FormatError("a link states its own shape and values: leave out shape and alphabet")
    for number, text in lines:
        if text is None:
            yield number, too_long()
            continue
        for address in puzzle_links(text):
            try:
                yield number, read_constraints(address, options) if is_link(address) else read_link(address)
            except ValueError as error:
                yield number, as_format_error(error)


FORMAT = Format(
    "links",
    "prose with any number of links to puzzles of these programs",
    read=read_all,
    tells=is_with_links,
    turn=2,
)
