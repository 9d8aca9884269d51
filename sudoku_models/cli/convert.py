"""``sudoku-models convert``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ..errors import FormatError, meant
from ..formats import FORMATS, Entry, unwritten, write
from ..puzzle import Puzzle, Shape
from .codes import Code, UsageError
from .options import OUTPUT, Out, SourceOptions, listed
from .outputs import output
from .parser import Option, command
from .terminal import Tally, say

KINDS = ("svg", "png", "pdf")
"""The formats of pictures."""

_WRITTEN = listed(name for name, kind in FORMATS.items() if kind.writes)

To = Annotated[
    str,
    Option(
        "--to",
        "-t",
        "--format",
        "-f",
        metavar="FORMAT",
        help=f"{_WRITTEN}, or a picture: svg, png (one puzzle), pdf (one page for each puzzle).",
        panel=OUTPUT,
    ),
]
ToAlphabet = Annotated[
    str | None,
    Option(
        "--to-alphabet",
        metavar="SYMBOLS",
        panel=OUTPUT,
        help="The symbols to write; by default digits, then letters, and numbers on boards larger than 25.",
    ),
]
Solution = Annotated[
    bool,
    Option(
        "--solution",
        help="In pictures: show the solution. In a PDF, the solutions follow after all puzzles.",
        panel=OUTPUT,
    ),
]
Marks = Annotated[
    bool,
    Option("--candidates", help="In pictures: show the candidates of empty cells.", panel=OUTPUT),
]
Partly = Annotated[
    bool,
    Option(
        "--partly",
        panel=OUTPUT,
        help="Write the rules that the format can hold, state the others in words, and list them.",
    ),
]


@command("Files", "convert puzzles.txt --format csv")
def convert(
    source: SourceOptions,
    to: To = "line",
    to_alphabet: ToAlphabet = None,
    solution: Solution = False,
    marks: Marks = False,
    partly: Partly = False,
    out: Out = None,
) -> Code:
    """Read puzzles in any known format, and write them in another.

    Puzzles that the format cannot hold are left out, with a message; with --partly their other rules are stated in
    words.
    """
    writable = [*(name for name, format in FORMATS.items() if format.writes), *KINDS]
    if to not in writable:
        raise UsageError(f"--to {to}: one of {', '.join(writable)} is expected{meant(to, writable)}")
    if to in KINDS and to_alphabet is not None:
        raise UsageError(f"--to-alphabet {to_alphabet}: pictures use no alphabet, so leave this option out")
    if to not in KINDS and (solution or marks):
        raise UsageError(f"--solution and --candidates are for pictures ({', '.join(KINDS)}), not for {to}")
    tally = Tally()
    with output(out) as put:
        entries = source.input().entries(tally)
        if to in KINDS:
            from .pictures import PictureOptions, draw

            draw(entries, PictureOptions(to, solution, marks), tally, out, put)
        else:
            fitting = _fitting(entries, to, to_alphabet, partly, tally)
            for piece in write(fitting, to, alphabet=to_alphabet, partly=partly):
                put(piece)
    return tally.code


def further(entry: Entry, to: str) -> str:
    """Report the place of a second puzzle, for a format that holds only one."""
    others = "pdf holds many" if to in KINDS else "line and json hold many"
    return f"{entry.place}: this is a second puzzle, but {to} holds only one: only the first is written ({others})"


def _fitting(entries: Iterator[Entry], to: str, alphabet: str | None, partly: bool, tally: Tally) -> Iterator[Puzzle]:
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
                for _ in write([puzzle], to, alphabet=alphabet, partly=partly):
                    pass
            for rule in unwritten(puzzle, to) if partly else ():
                say(f"note: {entry.place}: {to} cannot hold this rule, which is stated in words: {rule}"[:300])
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
