"""Boards as text with borders and as an HTML table, and puzzles as text with their rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from .shape import Shape
from .symbols import BLACK, line_of

if TYPE_CHECKING:
    from .puzzle import Puzzle


def board_text(
    shape: Shape,
    values: Sequence[int | None],
    symbols: str | None = None,
    unused: Collection[int] = (),
    black: Collection[int] = (),
) -> str:
    """Draw a board with borders between regions and around the whole board.

    ``symbols`` are the symbols of 1, 2, ...; without them numbers are written. ``unused`` cells are drawn as #;
    ``black`` cells have a # before their value.
    """
    texts = ["." if value is None else symbols[value - 1] if symbols else str(value) for value in values]
    for cell in black:
        texts[cell] = f"#{texts[cell]}"
    for cell in unused:
        texts[cell] = BLACK
    width = max(1 if symbols else max(len(str(v)) for v in shape.values), max(map(len, texts)))
    return _drawn(shape, [text.rjust(width) for text in texts], width)


def marks_text(
    shape: Shape, marks: Sequence[Iterable[int]], alphabet: str | None = None, unused: Collection[int] = ()
) -> str:
    """Draw a board with all values of ``marks`` in each cell; the alphabet and ``unused`` are as in ``line_of``."""
    texts: list[str] = []
    for values in marks:
        found = [line_of([value], shape, alphabet) for value in values]
        texts.append(("" if all(len(symbol) == 1 for symbol in found) else ",").join(found) or ".")
    for cell in unused:
        texts[cell] = BLACK
    width = max(map(len, texts))
    return _drawn(shape, [text.ljust(width) for text in texts], width)


def _drawn(shape: Shape, texts: Sequence[str], width: int) -> str:
    """Draw borders around texts of the same width."""
    gaps = _gaps(shape)
    lines = [_rule(shape, 0, width, gaps)]
    for r in range(shape.height):
        lines.append(_row(shape, texts, r, gaps))
        rule = _rule(shape, r + 1, width, gaps)
        if rule.strip(" |"):
            lines.append(rule)
    return "\n".join(lines)


def puzzle_text(puzzle: Puzzle) -> str:
    """Draw the givens of a puzzle as text, followed by every rule and every cell with candidates."""
    from .rules.words import rules_text  # puzzles without rules load none of their modules

    parts = [str(puzzle.grid)]
    parts += rules_text(puzzle.rules)
    if puzzle.candidates:
        parts.append("Candidates")
        parts += [f"  {puzzle.shape.names[cell]}: {' '.join(map(str, values))}" for cell, values in puzzle.candidates]
    return "\n".join(parts)


def board_html(
    shape: Shape, values: Sequence[int | None], unused: Collection[int] = (), black: Collection[int] = ()
) -> str:
    """Return an HTML table with thick lines between regions; it includes its style and has no script.

    ``unused`` and ``black`` cells are dark; unused ones show no value.
    """
    shown = [None if cell in unused else value for cell, value in enumerate(values)]
    dark, rows = {*unused, *black}, []
    for r in range(shape.height):
        cells = "".join(_html_cell(shape, shown, r, c, r * shape.width + c in dark) for c in range(shape.width))
        rows.append(f"<tr>{cells}</tr>")
    style = "border-collapse:collapse;font:16px/1 sans-serif;margin:4px 0"
    return f'<table class="sudoku-models" style="{style}"><tbody>{"".join(rows)}</tbody></table>'


def _region(shape: Shape, r: int, c: int) -> object:
    if not (0 <= r < shape.height and 0 <= c < shape.width):
        return "outside"
    return shape.region_of[r * shape.width + c]


def _upright(shape: Shape, r: int, c: int) -> bool:
    """Return whether there is a border to the left of column c in row r."""
    return _region(shape, r, c - 1) != _region(shape, r, c)


def _level(shape: Shape, r: int, c: int) -> bool:
    """Return whether there is a border above row r in column c."""
    return _region(shape, r - 1, c) != _region(shape, r, c)


def _gaps(shape: Shape) -> list[bool]:
    """Return for each of width + 1 vertical lines whether some row has a border there."""
    return [any(_upright(shape, r, c) for r in range(shape.height)) for c in range(shape.width + 1)]


def _row(shape: Shape, texts: Sequence[str], r: int, gaps: Sequence[bool]) -> str:
    parts = []
    for c, wide in enumerate(gaps):
        if wide:
            parts.append(("|" if _upright(shape, r, c) else " ") + (" " if c < shape.width else ""))
        if c < shape.width:
            parts.append(texts[r * shape.width + c] + " ")
    return "".join(parts).rstrip()


def _rule(shape: Shape, r: int, width: int, gaps: Sequence[bool]) -> str:
    parts = []
    for c, wide in enumerate(gaps):
        if wide:
            touches = any(0 <= k < shape.width and _level(shape, r, k) for k in (c - 1, c))
            upright = any(0 <= k < shape.height and _upright(shape, k, c) for k in (r - 1, r))
            parts.append("+" if touches else "|" if upright else " ")
        if c < shape.width:
            fill = "-" if _level(shape, r, c) else " "
            parts.append(fill * (width + 1 + (1 if wide else 0)))
    return "".join(parts).rstrip()


def _html_cell(shape: Shape, values: Sequence[int | None], r: int, c: int, dark: bool = False) -> str:
    value = values[r * shape.width + c]
    sides = {
        "left": _upright(shape, r, c),
        "top": _level(shape, r, c),
        "right": _upright(shape, r, c + 1),
        "bottom": _level(shape, r + 1, c),
    }
    borders = ";".join(f"border-{side}:{'2px' if thick else '1px'} solid currentColor" for side, thick in sides.items())
    style = f"{borders};width:1.8em;height:1.8em;text-align:center;padding:0"
    style += ";background:#333;color:#fff" if dark else ""
    return f'<td style="{style}">{"" if value is None else value}</td>'
