"""Links to penpa-edit, made by hand after the form that its saving has."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import Any

CUT = {'"number"': "zN", '"killercages"': "z6", '"lineE"': "zE", '"thermo"': "zT", '"numberS"': "z1", "null": "zO"}


def packed(text: str) -> str:
    """Pack a text as penpa-edit does."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflater.compress(text.encode()) + deflater.flush()).decode()


@dataclass(frozen=True)
class Paper:
    """The points of a board with margins above, below, left and right."""

    side: int = 4
    margins: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def across(self) -> int:
        return self.side + self.margins[2] + self.margins[3] + 4

    @property
    def points(self) -> int:
        return self.across * (self.side + self.margins[0] + self.margins[1] + 4)

    def cell(self, row: int, column: int, kind: int = 0) -> int:
        """Return a point of a cell, from 1: its middle (0), lower right corner (1), lower or right side (2, 3)."""
        return kind * self.points + (row + 1 + self.margins[0]) * self.across + column + 1 + self.margins[2]

    def quarter(self, row: int, column: int, quarter: int = 0) -> int:
        return 4 * self.points + 4 * self.cell(row, column) + quarter

    def cells(self, names: str) -> list[int]:
        """Return the middles of cells named as "11 12"."""
        return [self.cell(int(name[0]), int(name[1])) for name in names.split()]

    def boxes(self, height: int = 2, width: int = 2) -> dict[str, int]:
        """Return the thick borders between boxes."""
        side = range(1, self.side + 1)
        level = [(r, c, r, c - 1) for r in range(height, self.side, height) for c in side]
        upright = [(r, c, r - 1, c) for c in range(width, self.side, width) for r in side]
        return {f"{self.cell(r, c, 1)},{self.cell(r2, c2, 1)}": 2 for r, c, r2, c2 in (*level, *upright)}


def lines(paper: Paper, question: dict[str, Any], title: str = "", rules: str = "", colours: Any = None) -> str:
    """Return the lines that a link packs, with names cut short as the program cuts them."""
    across, down = paper.across - 4, paper.points // paper.across - 4
    head = f"square,{across},{down},38,0,1,1,342,342,0,0,0,0,0,0,Title: {title},Author: Me,,{rules},OFF,false"
    text = [
        head,
        json.dumps(paper.margins),
        "{}",
        json.dumps(question),
        "{}",
        "[]",
        "[]",
        "{}",
        '"x"',
        '"x"',
        "[3,2,4]",
    ]
    text += ["{}", '"x"', str(int(colours is not None)), json.dumps(colours or {}), "{}"]
    whole = "\n".join(text).replace("z", "zZ")
    for name, short in CUT.items():
        whole = whole.replace(name, short)
    return whole


def link(paper: Paper, question: dict[str, Any], mode: str = "edit", solution: Any = None, **facts: Any) -> str:
    """Return the link, to edit or to solve, perhaps with numbers of the solution."""
    behind = "" if solution is None else "&a=" + packed(json.dumps([[], [], [], [], solution, []]))
    return f"https://swaroopg92.github.io/penpa-edit/#m={mode}&p={packed(lines(paper, question, **facts))}{behind}"
