"""``sudoku-models inspect``: which parts of puzzles were read, guessed and left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from ..display.text_tables import harmless
from ..errors import Unusable
from ..verbs.inspecting import Inspection, inspected
from .codes import Code, UsageError
from .options import OUTPUT, Out, SourceOptions
from .outputs import output
from .parser import Option, command
from .terminal import Tally


@command("Files", "inspect link.txt --picture board.svg")
def inspect(
    source: SourceOptions,
    picture: Annotated[
        Path | None,
        Option(
            "--picture",
            "-p",
            metavar="FILE",
            help="Also draw the puzzle to a .svg, .png, .pdf or .html file, with the parts left out in pale colours.",
            panel=OUTPUT,
        ),
    ] = None,
    jsonl: Annotated[bool, Option("--jsonl", help="Write a JSON record for each puzzle.", panel=OUTPUT)] = False,
    out: Out = None,
) -> Code:
    """Show for each puzzle which parts were read, guessed (--guess) and left out.

    The exit code is 6 if something drawn or said is left out, and 2 if something cannot be read.
    """
    tally, seen = Tally(), 0
    with output(out) as write:
        for found in inspected(source.input().quiet_entries()):
            seen += 1
            tally.add(_code(found))
            text = json.dumps(found.to_json(), ensure_ascii=False) if jsonl else _lines(found)
            write(text + "\n")
            if picture and seen > 1:
                raise UsageError("--picture: exactly one puzzle is expected, but there is a second")
            if picture:
                _draw(found, picture)
    return tally.code


def _code(found: Inspection) -> Code:
    if found.puzzle is None:
        return Code.USAGE
    return Code.WITHOUT_DRAWN if found.puzzle.left_out or found.puzzle.unread else Code.SOLVED


def _lines(found: Inspection) -> str:
    board = str(found.puzzle.grid) if found.puzzle else ""
    return "\n".join(filter(None, [harmless(str(found)), board]))


def _draw(found: Inspection, path: Path) -> None:
    drawn = found.picture
    try:
        if drawn is not None:
            drawn.save(path)
    except (ImportError, ValueError) as error:
        raise Unusable(str(error)) from error
