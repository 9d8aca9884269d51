"""The board on which people play, in HTML: one script for the widget of notebooks, pages to solve on, and paths.

The script is a module as anywidget takes them: it draws what a model holds under the names of the widget's traits. In
a page without a kernel ``alone.js`` is the model: it keeps the player's entries with their history, and answers what
needs no library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from ...puzzle import Puzzle
from ..svg.canvas import Canvas
from ..svg.svg_picture import legend_lines, puzzle_svg

HERE = Path(__file__).parent
PARTS = ("drawing.js", "tools.js", "keys.js", "grid.js")
"""The files of the script, which are joined because a notebook loads a single module."""
START = """
const data = JSON.parse(document.getElementById("data").textContent);
render({ model: new Alone(data), el: document.getElementById("here") });
"""
START_SETTING = """
const data = JSON.parse(document.getElementById("data").textContent);
const model = new Setter(data);
new Panel(model, new View(model, document.getElementById("here")));
"""


def script() -> str:
    """Return the module that draws a model."""
    return "\n".join(_read(part) for part in PARTS)


def style() -> str:
    return _read("grid.css")


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def board_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return what the script draws a board from: the picture below the digits, its legend, and the cells.

    ``corners`` are the top left corners of the cells, row by row; ``labelled`` the numbers of cells with a label in
    their corner; ``unused`` those that are not part of the puzzle.
    """
    shape, drawn = puzzle.shape, dict[str, Any]()
    empty = replace(puzzle, givens=(None,) * shape.cells, candidates=())

    def collect(canvas: Canvas) -> None:
        corners = [canvas.corner(name) for name in shape.names]
        drawn.update(corners=corners, labelled=[i for i, at in enumerate(corners) if at in canvas.labels])

    svg = puzzle_svg(empty, legend=False, marked=collect)
    box = re.search(r'viewBox="([^"]*)"', svg)
    assert box
    return {
        "svg": svg,
        "viewBox": box[1],
        "legend": legend_lines(puzzle),
        "height": shape.height,
        "width": shape.width,
        "names": list(shape.names),
        "domain": list(shape.values),
        "unused": sorted(puzzle.grid.unused),
        **drawn,
    }


def shades(puzzle: Puzzle, steps: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return how cells are shaded for steps, as a hint gives them as data."""
    kinds = {"reads": "reads", "removed": "placed", "placed": "placed"}
    cells = {fact["cell"]: shade for step in steps for kind, shade in kinds.items() for fact in step[kind]}
    return {puzzle.shape.cell(name): shade for name, shade in cells.items() if name in puzzle.shape.names}


def player_page(
    puzzle: Puzzle,
    title: str,
    state: Mapping[str, Any],
    remarks: str = "",
    listed: Sequence[str] = (),
    *,
    setting: bool = False,
) -> str:
    """Return a self-contained page with a board; ``state`` are names of the script's model with their values.

    ``listed`` are sentences that are shown where scripts are switched off. With ``setting`` it is the page to set
    puzzles on, which may ask the server that it comes from.
    """
    cells, unused = puzzle.shape.cells, puzzle.grid.unused
    whole = {
        "values": puzzle.givens,
        "_given": [given is not None or cell in unused for cell, given in enumerate(puzzle.givens)],
        "corners": [[]] * cells,
        "centres": [[]] * cells,
        "colours": [0] * cells,
        "_board": board_data(puzzle),
        **state,
    }
    return Template(_read("page.html")).substitute(
        title=escape(title),
        style=style(),
        remarks=escape(remarks),
        listed="".join(f"<li>{escape(sentence)}</li>" for sentence in listed),
        # safe inside a script element: no text of a puzzle ends it
        data=json.dumps(whole, separators=(",", ":")).replace("&", "\\u0026").replace("<", "\\u003c"),
        connect="; connect-src 'self'" if setting else "",
        script="\n".join([script(), _read("alone.js"), *([_read("setter.js"), START_SETTING] if setting else [START])]),
    )
