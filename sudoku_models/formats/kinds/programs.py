"""The JSON and the links of puzzle programs: our own JSON, f-puzzles, SudokuPad, penpa-edit, and links in prose."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...errors import FormatError
from ..format import ALL, Format, late
from ..json_text import looks_like_json
from ..lettering import each
from ..link_texts import F_PUZZLES, PENPA, SUDOKUPAD, kind_of_link
from ..options import Options
from ..readers import each_document, read_constraints
from ..source import Line, too_long
from .iss import is_link, is_prose, puzzle_links
from .line import Found, as_format_error

OWN, F_PUZZLES_JSON = "json", "f-puzzles-json"
_read_link = late("documents", "read_link")


def _is_link_to(name: str) -> Callable[[str], bool]:
    return lambda text: kind_of_link(text) == name


def is_with_links(text: str) -> bool:
    """Return whether a line is prose that contains links to puzzles."""
    return "/" in text and not text.lstrip().startswith((".", "#")) and is_prose(text)


def read_prose(lines: Iterator[Line], options: Options) -> Iterator[Found]:
    """Read the links in lines of prose, each as if it were alone; skip lines without a link."""
    if options.shape is not None or options.symbols is not None:
        raise FormatError("a link states its own shape and values: leave out shape and alphabet")
    for number, text in lines:
        if text is None:
            yield number, too_long()
            continue
        for address in puzzle_links(text):
            try:
                yield number, read_constraints(address, options) if is_link(address) else _read_link(address)
            except ValueError as error:
                yield number, as_format_error(error)


FORMATS = (
    Format(
        OWN,
        "the package's own JSON: everything a puzzle holds; other JSON is recognised by its keys",
        read=each_document(OWN, late("documents", "read_json")),
        write=each(OWN, late("own_json", "write_own")),
        tells=looks_like_json,
        turn=1,
        holds=ALL,
        extensions=(".json", ".jsonl"),
        by_lines=True,
    ),
    Format(
        F_PUZZLES,
        "one link to f-puzzles on each line (its JSON is read too): variants",
        read=each_document(F_PUZZLES, _read_link),
        write=each(F_PUZZLES, late("fpuzzles", "link_of")),
        tells=_is_link_to(F_PUZZLES),
        turn=4,
        holds=ALL,
        mixes=True,
        by_lines=True,
    ),
    Format(
        F_PUZZLES_JSON,
        "the JSON of f-puzzles, one puzzle on each line: variants",
        read=each_document(F_PUZZLES_JSON, late("fpuzzles", "read_fpuzzles")),
        write=each(F_PUZZLES_JSON, late("fpuzzles", "json_of")),
        holds=ALL,
        by_lines=True,
    ),
    Format(
        SUDOKUPAD,
        "one link to SudokuPad on each line; from drawings, givens, regions, cages and the solution are read",
        read=each_document(SUDOKUPAD, _read_link),
        write=each(SUDOKUPAD, late("fpuzzles", "sudokupad_link_of")),
        tells=_is_link_to(SUDOKUPAD),
        turn=5,
        holds=ALL,
        mixes=True,
        by_lines=True,
    ),
    Format(
        PENPA,
        "one link to penpa-edit on each line, to edit or to solve: givens, regions, cages, thermometers, arrows are "
        "read",
        read=each_document(PENPA, late("penpa", "read_penpa")),
        tells=_is_link_to(PENPA),
        turn=6,
        mixes=True,
        by_lines=True,
    ),
    Format(
        "links",
        "prose with any number of links to puzzles of these programs",
        read=read_prose,
        tells=is_with_links,
        turn=2,
    ),
)
