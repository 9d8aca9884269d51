"""Parses the texts that players of these grids exchange: ``name: body``, where the body is a game ID or rows.

Futoshiki, kenken, towers, binairo and hitori take the IDs of Simon Tatham's collection of puzzles (Unequal, Keen,
Towers, Unruly, Singles); the others take rows of cells, as printed in newspapers and forums.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..puzzle import Puzzle
from . import boards
from .boards import Clue, Rows, blank, groups, name

LARGEST = 35
"""The largest side that is read."""
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""The letters for sides, as steps (rows, columns)."""
OPERATIONS = {"a": "+", "s": "-", "m": "*", "d": "/"}
"""The letters for operations in IDs of Keen."""


def _rows(body: str) -> list[list[str]]:
    rows = [line.split() if len(line.split()) > 1 else list(line.strip()) for line in body.splitlines() if line.strip()]
    if not rows or max(len(rows), len(rows[0])) > LARGEST or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"1 to {LARGEST} rows of equal length are expected")
    return rows


def _number(cell: str) -> int | None:
    if cell in (".", "_", "0", "-1", "?"):
        return None
    if not re.fullmatch(r"\d{1,4}", cell):
        raise ValueError(f"{cell[:20]!r} is not a number: a number, or . for an open cell, is expected")
    return int(cell)


def _givens(body: str) -> Rows:
    return [[_number(cell) for cell in row] for row in _rows(body)]


def _id(body: str) -> tuple[int, int, str]:
    """Return width, height and description of an ID such as 6:... or 6x8dn:..."""
    match = re.fullmatch(r"\s*(\d{1,2})(?:x(\d{1,2}))?[a-z0-9]*:(\S*)\s*", body, re.IGNORECASE)
    if not match or not 1 <= int(match[1]) <= LARGEST:
        raise ValueError("a game ID that begins with the side is expected, such as 4:...")
    return int(match[1]), int(match[2] or match[1]), match[3]


def _has_mode(body: str, letter: str) -> bool:
    """Return whether an ID has a letter directly after its size, which chooses other rules."""
    return bool(re.match(rf"\s*\d+(?:x\d+)?{letter}", body))


def _square(values: list[int | None], width: int, height: int) -> Rows:
    if len(values) != width * height:
        raise ValueError(f"{len(values)} cells are described: {width * height} are expected")
    return [values[i : i + width] for i in range(0, len(values), width)]


def _futoshiki(body: str) -> Puzzle:
    """Read an ID of Unequal: numbers separated by commas, each with the sides (U R D L) on which it is greater.

    With an a after the size, they are the sides on which its neighbour has a consecutive value.
    """
    n, _, text = _id(body)
    cells = [re.fullmatch(r"(\d{1,4})([URDL]*)", cell) for cell in text.strip(",").split(",")]
    if None in cells:
        raise ValueError("numbers with the letters U, R, D, L, separated by commas, are expected")
    found = [cell for cell in cells if cell]
    signs = [(i, STEPS[side]) for i, cell in enumerate(found) for side in cell[2]]
    pairs = [(name(i // n, i % n), name(i // n + down, i % n + right)) for i, (down, right) in signs]
    givens = _square([int(cell[1]) or None for cell in found], n, n)
    return boards.consecutive(givens, pairs) if _has_mode(body, "a") else boards.futoshiki(givens, pairs)


def _kenken(body: str) -> Puzzle:
    """Read an ID of Keen: the walls, as lengths of runs without one; after the comma, the clues by cage."""
    n, _, text = _id(body)
    walls, _, clues = text.partition(",")
    cages = list(groups(_cages(walls, n)).values())
    found = re.findall(r"([asmd])(\d{1,12})(?!\d)", clues)
    if len(found) != len(cages):
        raise ValueError(f"{len(found)} clues for {len(cages)} cages: one for each cage is expected")
    return boards.kenken(n, [(" ".join(c), OPERATIONS[op], int(k)) for c, (op, k) in zip(cages, found, strict=True)])


def wall_pairs(n: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the neighbours that a wall may separate: horizontal ones by rows, then vertical ones by columns."""
    beside = [((r, c), (r, c + 1)) for r in range(n) for c in range(n - 1)]
    return beside + [((r, c), (r + 1, c)) for c in range(n) for r in range(n - 1)]


def _cages(walls: str, n: int) -> list[list[int]]:
    """Return the label of each cell's cage. ``walls`` lists the walls to the right, by rows, then those below."""
    pairs = wall_pairs(n)
    label = {(r, c): r * n + c for r in range(n) for c in range(n)}
    at = 0
    for letter, times in re.findall(r"([a-z_])(\d*)", walls):
        for _ in range(int(times or 1)):
            run = 0 if letter == "_" else min(ord(letter) - 96, 25)
            for a, b in pairs[at : at + run]:
                old, new = label[b], label[a]
                label = {place: new if known == old else known for place, known in label.items()}
            at += run + (letter != "z")
            if at > len(pairs) + 1:
                raise ValueError("more walls are described than the board has")
    return [[label[r, c] for c in range(n)] for r in range(n)]


def _towers(body: str) -> Puzzle:
    """Read an ID of Towers: clues from top, bottom, left and right, separated by /, then optionally the givens.

    In these a letter is 1 to 26 open cells, a number is a given, _ is a separator.
    """
    n, _, text = _id(body)
    outside, _, inside = text.partition(",")
    clues = [_number(clue or ".") for clue in outside.split("/")]
    if len(clues) != 4 * n:
        raise ValueError(f"{len(clues)} clues: {4 * n} are expected, separated by /")
    seen = {side: clues[i * n : i * n + n] for i, side in enumerate(("top", "bottom", "left", "right"))}
    cells: list[int | None] = []
    for letter, number in re.findall(r"([a-z])|(\d+)", inside):
        cells += [None] * (ord(letter) - 96) if letter else [int(number)]
    return boards.towers(_square(cells, n, n) if inside else blank(n, n), seen)


def _binairo(body: str) -> Puzzle:
    """Read an ID of Unruly, in which a letter is the distance to the next given, 0 (small) or 1 (capital); or rows.

    The last letter is small and leads to the position after the last cell. Without a u after the size, as in 4x4u:...,
    rows and columns may be the same.
    """
    if ":" not in body:
        return boards.binairo([[int(cell) if cell in "01" else None for cell in row] for row in _rows(body)])
    width, height, text = _id(body)
    cells: list[int | None] = []
    for letter in text:
        if not letter.isascii() or not letter.isalpha():
            raise ValueError(f"{letter!r} is not a letter: small letters for 0 and capitals for 1 are expected")
        cells += [None] * (ord(letter.lower()) - 97)
        cells += [int(letter.isupper())] if letter not in "zZ" else []
    if len(cells) != width * height + 1 or cells[-1] != 0:
        raise ValueError(
            f"the letters must end with a small letter for the position after the last of {width * height} cells"
        )
    return boards.binairo(_square(cells[:-1], width, height), distinct=_has_mode(body, "u"))


def _hitori(body: str) -> Puzzle:
    """Read an ID of Singles, with one character for each cell (a is 10), or rows of numbers."""
    if ":" not in body:
        return boards.hitori(_filled(_givens(body)))
    width, height, text = _id(body)
    if not re.fullmatch("[0-9a-z]*", text):
        raise ValueError("a digit or a small letter for each cell is expected")
    return boards.hitori(_filled(_square([int(c, 36) or None for c in text], width, height)))


def _filled(rows: Rows) -> list[list[int]]:
    """Return rows without open cells."""
    filled = [[cell for cell in row if cell is not None] for row in rows]
    if list(map(len, filled)) != list(map(len, rows)):
        raise ValueError("a cell has no number: hitori has a number from 1 in each cell")
    return filled


def _kakuro(body: str) -> Puzzle:
    def cell(text: str) -> Clue | int | None:
        match = re.fullmatch(r"#|(\d*)\\(\d*)", text)
        if match:
            return (int(match[1]) if match[1] else None, int(match[2]) if match[2] else None)
        return _number(text)

    return boards.kakuro([[cell(text) for text in row] for row in _rows(body)])


def _str8ts(body: str) -> Puzzle:
    rows = _rows(body)
    black = [[cell.startswith("#") for cell in row] for row in rows]
    return boards.str8ts([[_number(cell.removeprefix("#") or ".") for cell in row] for row in rows], black)


def _path(body: str) -> tuple[Rows, list[tuple[int, int]]]:
    rows = _rows(body)
    holes = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"]
    return [[None if cell == "#" else _number(cell) for cell in row] for row in rows], holes


def _numbrix(body: str) -> Puzzle:
    givens, holes = _path(body)
    return boards.numbrix(givens, holes=holes)


def _star_battle(body: str) -> Puzzle:
    """Read rows of letters, optionally preceded by a line with the number of stars."""
    first, _, rest = body.strip().partition("\n")
    known = first.strip().isdecimal()
    labels = ["".join(row) for row in _rows(rest if known else body)]
    return boards.star_battle(labels, int(first) if known else 1)


READERS: Mapping[str, Callable[[str], Puzzle]] = {
    "futoshiki": _futoshiki,
    "kenken": _kenken,
    "calcudoku": _kenken,
    "towers": _towers,
    "skyscrapers": _towers,
    "kakuro": _kakuro,
    "str8ts": _str8ts,
    "killer": lambda body: boards.killer(["".join(row) for row in _rows(body)]),
    "binairo": _binairo,
    "hitori": _hitori,
    "star-battle": _star_battle,
    "numbrix": _numbrix,
    "hidato": lambda body: boards.hidato(*_path(body)),
    "magic-square": lambda body: boards.magic_square(_givens(body)),
    "quasigroup": lambda body: boards.quasigroup(_givens(re.sub(r"\A\s*order\s+\d+", "", body))),
}
"""The readers of the body of each kind of grid, by the name before the colon."""
