"""The formats of puzzle programs: links to f-puzzles, SudokuPad and penpa-edit, and the JSON of f-puzzles."""

from __future__ import annotations

from collections.abc import Callable

from ...puzzle.puzzle import Puzzle
from ..format import ALL, Format
from ..lettering import each
from ..link_texts import F_PUZZLES, PENPA, SUDOKUPAD, kind_of_link
from ..readers import each_document

JSON = "f-puzzles-json"


def _link(text: str) -> Puzzle:
    from ..documents import read_link

    return read_link(text)


def _penpa(text: str) -> Puzzle:
    from ..penpa import read_penpa

    return read_penpa(text)


def _json(text: str) -> Puzzle:
    from ..fpuzzles import read_fpuzzles

    return read_fpuzzles(text)


def _written(name: str) -> Callable[[Puzzle], str]:
    """Return a function of the package that writes f-puzzles, which is loaded when it is called."""

    def write_one(puzzle: Puzzle) -> str:
        from .. import fpuzzles

        text: str = getattr(fpuzzles, name)(puzzle)
        return text

    return write_one


def _is_link_to(name: str) -> Callable[[str], bool]:
    return lambda text: kind_of_link(text) == name


F_PUZZLES_LINKS = Format(
    F_PUZZLES,
    "one link to f-puzzles on each line (its JSON is read too): variants",
    read=each_document(F_PUZZLES, _link),
    write=each(F_PUZZLES, _written("link_of")),
    tells=_is_link_to(F_PUZZLES),
    turn=4,
    holds=ALL,
    mixes=True,
    by_lines=True,
)
F_PUZZLES_JSON = Format(
    JSON,
    "the JSON of f-puzzles, one puzzle on each line: variants",
    read=each_document(JSON, _json),
    write=each(JSON, _written("json_of")),
    holds=ALL,
    by_lines=True,
)
SUDOKUPAD_LINKS = Format(
    SUDOKUPAD,
    "one link to SudokuPad on each line; from drawings, givens, regions, cages and the solution are read",
    read=each_document(SUDOKUPAD, _link),
    write=each(SUDOKUPAD, _written("sudokupad_link_of")),
    tells=_is_link_to(SUDOKUPAD),
    turn=5,
    holds=ALL,
    mixes=True,
    by_lines=True,
)
PENPA_LINKS = Format(
    PENPA,
    "one link to penpa-edit on each line, to edit or to solve: givens, regions, cages, thermometers, arrows are read",
    read=each_document(PENPA, _penpa),
    tells=_is_link_to(PENPA),
    turn=6,
    mixes=True,
    by_lines=True,
)
