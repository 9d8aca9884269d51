"""The format ``iss``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import FormatError
from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..iss_text import is_iss
from ..line_texts import Found
from ..mixed import in_another_format
from ..options import Options
from ..readers import read_constraints
from ..source import Line, too_long


def read_all(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read one constraint string or link from each line."""
    for number, text in lines:
        if text is None:
            yield number, too_long()
        elif text.strip() and not text.lstrip().startswith("#"):
            try:
                yield number, read_constraints(text, options)
            except FormatError as error:
                yield number, in_another_format(text, options, "iss") or error


def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
    """Write one constraint string on each line."""
    from ..iss.to_string import write_iss

    if symbols is not None:
        raise FormatError("the format iss uses no alphabet: leave out the alphabet")
    for puzzle in puzzles:
        yield write_iss(puzzle) + "\n"


FORMAT = Format(
    "iss",
    "one constraint string (.Type~argument~...) or link with ?q= on each line: variants",
    read=read_all,
    write=write_all,
    tells=is_iss,
    turn=3,
    holds=ALL,
    extensions=(".iss",),
    mixes=True,
)
