"""``sudoku-models convert``."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import FormatError, meant
from ..formats import FORMATS, Entry, write
from ..puzzle import Puzzle, Shape
from .codes import Code, UsageError
from .inputs import Input
from .outputs import output
from .pictures import KINDS, PictureOptions, draw, further
from .terminal import Tally, say


def convert(source: Input, wanted: PictureOptions, alphabet: str | None, out: str | None) -> Code:
    """Write each puzzle in another format or as a picture; puzzles that it cannot hold are skipped with a message."""
    to = wanted.kind
    writable = [*(name for name, format in FORMATS.items() if format.writes), *KINDS]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected{meant(to, writable)}")
    if to in KINDS and alphabet is not None:
        raise UsageError(f"--to-alphabet {alphabet}: pictures use no alphabet, so leave this option out")
    if to not in KINDS and (wanted.solution or wanted.candidates):
        raise UsageError(f"--solution and --candidates are for pictures ({', '.join(KINDS)}), not for {to}")
    tally = Tally()
    with output(out) as put:
        entries = source.entries(tally)
        if to in KINDS:
            draw(entries, wanted, tally, out, put)
        else:
            for piece in write(_fitting(entries, to, alphabet, tally), to, alphabet=alphabet):
                put(piece)
    return tally.code


def _fitting(entries: Iterator[Entry], to: str, alphabet: str | None, tally: Tally) -> Iterator[Puzzle]:
    """Yield the puzzles that the format can hold; report the place of each other one, and the reason."""
    written = noted = False
    for entry in entries:
        puzzle = entry.puzzle
        if puzzle is None:
            continue
        if FORMATS[to].single and written:
            tally.problem(further(entry, to), Code.USAGE)
            return
        try:
            if not FORMATS[to].writes_any or alphabet is not None or not _is_plain(puzzle):
                for _ in write([puzzle], to, alphabet=alphabet):
                    pass
        except FormatError as error:
            tally.problem(f"{entry.place}: {error}", Code.USAGE)
        else:
            if not FORMATS[to].states_boxes and not noted and (boxes := _unstated(puzzle.shape)):
                noted = True
                say(
                    f"note: {entry.place}: {puzzle.shape}: {to} does not record the boxes; read it with --boxes {boxes}"
                )
            written = True
            yield puzzle


def _is_plain(puzzle: Puzzle) -> bool:
    return not (puzzle.rules or puzzle.candidates) and (puzzle.shape.box is not None or not puzzle.shape.regions)


def _unstated(shape: Shape) -> str:
    """Return the boxes of a board in words, for formats that hold only cells; "" for the usual boxes."""
    if not shape.is_square:
        return ""
    if shape.box is None:
        return "none"
    try:
        usual = Shape.square(shape.width).box
    except ValueError:
        usual = None
    return "" if shape.box == usual else f"{shape.box[0]}x{shape.box[1]}"
