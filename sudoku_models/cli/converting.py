"""The options of ``convert`` and ``export`` alone."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import FORMAT_NAMES, INPUT, OUTPUT

_WRITTEN = FORMAT_NAMES.replace("links, grids, ", "")

To = Annotated[
    str,
    typer.Option(
        "--to",
        "-t",
        "--format",
        "-f",
        metavar="FORMAT",
        help=f"{_WRITTEN}, or a picture: svg, png (of one puzzle), pdf (a page a puzzle).",
        rich_help_panel=OUTPUT,
    ),
]
ToAlphabet = Annotated[
    str | None,
    typer.Option(
        "--to-alphabet",
        metavar="SYMBOLS",
        rich_help_panel=OUTPUT,
        help="The symbols to write; otherwise digits, then letters, and numbers on boards above 25.",
    ),
]
Solution = Annotated[
    bool,
    typer.Option(
        "--solution", help="Pictures: with the solution; in a pdf behind all puzzles.", rich_help_panel=OUTPUT
    ),
]
Marks = Annotated[
    bool,
    typer.Option("--candidates", help="Pictures: with the values that open cells have.", rich_help_panel=OUTPUT),
]
ExportTo = Annotated[
    str,
    typer.Option(
        "--to",
        "-t",
        metavar="NAME",
        rich_help_panel=OUTPUT,
        help="model (as stated), lowered (in a backend's terms), dimacs, opb, mps, cp-sat, cp-sat-text, minizinc, "
        "xcsp3, smt-lib, or what else a backend exports.",
    ),
]
Exporter = Annotated[
    str | None,
    typer.Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="Which backend exports.",
        show_default="the first that offers it",
    ),
]
Number = Annotated[
    int | None,
    typer.Option("--number", min=1, help="Which of several puzzles, from 1.", rich_help_panel=INPUT),
]
Largest = Annotated[
    int,
    typer.Option(
        "--largest",
        metavar="N",
        min=1,
        rich_help_panel=OUTPUT,
        help="Write models whose variables have at most this number of values together; each takes about 130 bytes.",
    ),
]
