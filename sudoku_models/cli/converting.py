"""The commands ``convert``, ``export`` and ``plan``, and their options."""

from __future__ import annotations

from typing import Annotated

from ..formats import FORMATS
from .codes import Code
from .declarations import Option
from .groups import SourceOptions
from .options import INPUT, OUTPUT, Out, listed

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
        rich_help_panel=OUTPUT,
    ),
]
ToAlphabet = Annotated[
    str | None,
    Option(
        "--to-alphabet",
        metavar="SYMBOLS",
        rich_help_panel=OUTPUT,
        help="The symbols to write; by default digits, then letters, and numbers on boards larger than 25.",
    ),
]
Solution = Annotated[
    bool,
    Option(
        "--solution",
        help="In pictures: show the solution. In a PDF, the solutions follow after all puzzles.",
        rich_help_panel=OUTPUT,
    ),
]
Marks = Annotated[
    bool,
    Option("--candidates", help="In pictures: show the candidates of empty cells.", rich_help_panel=OUTPUT),
]
ExportTo = Annotated[
    str,
    Option(
        "--to",
        "-t",
        metavar="NAME",
        rich_help_panel=OUTPUT,
        help="model (as stated), lowered (rewritten for a backend), dimacs, opb, mps, cp-sat, cp-sat-text, minizinc, "
        "xcsp3, smt-lib, or another format that a backend exports.",
    ),
]
Exporter = Annotated[
    str | None,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="The backend that exports.",
        show_default="the first that offers the format",
    ),
]
Planner = Annotated[
    str | None,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="The backend whose plan is printed.",
        show_default="the backends that auto tries in turn",
    ),
]
Number = Annotated[
    int | None,
    Option(
        "--number", min=1, help="The number of the puzzle, if there are several; 1 is the first.", rich_help_panel=INPUT
    ),
]
Largest = Annotated[
    int,
    Option(
        "--largest",
        metavar="N",
        min=1,
        rich_help_panel=OUTPUT,
        help="The largest total number of values of a model's variables; each value takes about 130 bytes.",
    ),
]


def convert(
    source: SourceOptions,
    to: To = "line",
    to_alphabet: ToAlphabet = None,
    solution: Solution = False,
    marks: Marks = False,
    out: Out = None,
) -> Code:
    """Read puzzles in any known format, and write them in another."""
    from . import convert as command
    from .pictures import PictureOptions

    return command.convert(source.input(), PictureOptions(to, solution, marks), to_alphabet, out)


def export(
    source: SourceOptions,
    to: ExportTo = "model",
    backend: Exporter = None,
    number: Number = None,
    largest: Largest = 10_000_000,
    out: Out = None,
) -> Code:
    """Write the model of one puzzle, for other programs or for you to read."""
    from . import export as command

    return command.export(source.input(), to, backend, number, largest, out)


def plan(source: SourceOptions, backend: Planner = None, number: Number = None, out: Out = None) -> Code:
    """Show how a backend handles the model of one puzzle: the rewrites, and what it derives."""
    from . import plan as command

    return command.show(source.input(), backend, number, out)
