"""The gallery of rules, made from the code: picture, sentence, Python, and every format that writes the rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gallery_table import ROOMS, Example, Room

from sudoku_models import FormatError, Puzzle, solve
from sudoku_models.display import picture
from sudoku_models.formats import FORMATS, parse, write
from sudoku_models.puzzle.rules.words import sentence_of, title_of

START = """# All rules

Each kind of rule with a picture, its sentence, the Python that states it, and the formats that write it. The light
digits are one of the board's solutions. These pages are made from the code each time the documentation is built.

All rules are in `sudoku_models.puzzle.rules`, and every backend solves all of them. The [exports](../exports.md)
(DIMACS, MiniZinc, XCSP3 and others) write every puzzle, since they write its model. What a class takes is in the
reference: [lines](../reference/rules_lines.md), [cells and clues](../reference/rules_cells.md),
[the whole board](../reference/rules_board.md).

| page | rules |
| --- | --- |
"""
TEXTS = {
    "iss": "ISS",
    "json": "JSON",
    "f-puzzles-json": "f-puzzles",
    "f-puzzles": "f-puzzles link",
    "sudokupad": "SudokuPad",
}
"""The formats whose text is shown, with the title of its tab."""
TRAITS = {
    "drawing": "a drawing",
    "technique": "the name of its step",
    "turning": "how it turns",
    "placing": "a place at random",
    "split": "weaker parts",
}
"""What a rule may state in attributes of its class, in words."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address and the Markdown of each page."""
    rows = (f"| [{room.title}]({room.name}.md) | {', '.join(map(_link, room.examples))} |" for room in ROOMS)
    yield "gallery/index.md", START + "\n".join(_with_room(rows)) + "\n"
    for room in ROOMS:
        yield f"gallery/{room.name}.md", page(room)


def _with_room(rows: Iterator[str]) -> Iterator[str]:
    for room, row in zip(ROOMS, rows, strict=True):
        yield row.replace("](#", f"]({room.name}.md#")


def _link(example: Example) -> str:
    return f"[{_title(example)}](#{example.kind.lower()})"


def _title(example: Example) -> str:
    """Return what the kind is called, whatever name the example gives to its rule."""
    rule = example.rule
    return title_of(replace(rule, name="") if rule.named else rule)


def page(room: Room) -> str:
    """Return the page of a room as Markdown."""
    return "\n\n".join([f"# {room.title}", room.about, *map(_entry, room.examples)]) + "\n"


def _entry(example: Example) -> str:
    """Return the part of a page about one kind of rule."""
    rule, puzzle = example.rule, example.puzzle
    drawn = picture(puzzle, solve(puzzle), legend=False).svg
    texts = dict(written(puzzle))
    names = [f"`{name}`" + ("" if known else "*") for name, (_, known) in texts.items()]
    note = " (\\*: as other rules that mean the same)" if any(name.endswith("*") for name in names) else ""
    tabs = [("Python", "python", example.code)]
    tabs += [(title, "text", texts[name][0]) for name, title in TEXTS.items() if name in texts]
    parts = [
        f"## {_title(example)} {{ #{example.kind.lower()} }}",
        f'<div class="rule" markdown>\n<figure data-search-exclude>{drawn}</figure>\n<div markdown>',
        sentence_of(rule),
        *([f"Not stated for it: {', '.join(missing)}."] if (missing := lacking(example)) else []),
        f"Formats that write it: {', '.join(name.replace('*', chr(92) + '*') for name in names)}{note}.",
        *(_tab(*tab) for tab in tabs),
        "</div>\n</div>",
    ]
    return "\n\n".join(parts)


def lacking(example: Example) -> list[str]:
    """Return what the class of a rule does not state of what it may: how to draw it, to turn it, ... (see ``Rule``)."""
    stated = vars(type(example.rule))
    return [word for name, word in TRAITS.items() if name not in stated]


def _tab(title: str, language: str, text: str) -> str:
    lines = [f"```{language}", *text.strip().splitlines(), "```"]
    return f'=== "{title}"\n\n' + "\n".join(f"    {line}".rstrip() for line in lines)


def written(puzzle: Puzzle) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Yield each format that holds a puzzle, its text, and whether the text is read back with the same rules."""
    for name, kind in FORMATS.items():
        if not kind.writes:
            continue
        try:
            text = "".join(write([puzzle], name))
        except FormatError:
            continue
        yield name, (text, set(parse(text, input_format=name).rules) == set(puzzle.rules))
