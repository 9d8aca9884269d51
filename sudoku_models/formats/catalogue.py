"""The formats by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Format:
    """A file format: what it is called, what it looks like, whether it is read and written, how its files end."""

    name: str
    description: str
    reads: bool = True
    writes: bool = True
    extensions: tuple[str, ...] = ()


_ALL = (
    Format(
        "line", "one puzzle a line, a symbol a cell ('.' or 0 open); text behind is a comment", extensions=(".txt",)
    ),
    Format("grid", "a row a line, with or without borders, boards apart by blank lines", extensions=(".txt",)),
    Format("numbers", "a row a line, numbers between blanks ('.' or 0 open), any side up to 400", extensions=(".txt",)),
    Format("csv", "a table with a header (puzzle,solution or quizzes,solutions)", extensions=(".csv", ".tsv")),
    Format("sdk", "nine lines of nine, # lines with tag letters, [Puzzle] sections", extensions=(".sdk",)),
    Format("sdm", "one 9 x 9 puzzle a line, nothing else", extensions=(".sdm",)),
    Format("iss", "one constraint string (.Type~argument~...) or link with ?q= a line: variants", extensions=(".iss",)),
    Format(
        "json",
        "the package's own JSON: everything a puzzle holds; other JSON is recognised by its keys",
        extensions=(".json", ".jsonl"),
    ),
    Format("f-puzzles", "one link to f-puzzles a line (its JSON is read too): variants"),
    Format("f-puzzles-json", "the JSON of f-puzzles, one puzzle a line: variants"),
    Format(
        "sudokupad",
        "one link to SudokuPad a line; of a drawing givens, regions, cages and solution are read",
    ),
    Format(
        "penpa",
        "one link to penpa-edit a line, to edit or to solve: givens, regions, cages, thermometers, arrows are read",
        writes=False,
    ),
    Format("links", "prose with links to puzzles in it, any number of them, of any of these programs", writes=False),
    Format(
        "grids",
        "other grids, each as its name and a colon, then a game's ID or rows: futoshiki, kenken, ...",
    ),
    Format("killer", "9 x 9 cages with sums, one puzzle a line: 3x3::k: and 81 numbers"),
    Format("killer-short", "9 x 9 cages with sums, one puzzle a line: 81 pointers and sums"),
    Format("jigsaw", "a line of givens, then a line with the region's label of each cell"),
    Format("pencilmarks", "n characters a cell (n^3 a line; two for each value above 9 x 9), or rows of candidates"),
    Format("ss", "nine lines between drawn bars, as Simple Sudoku prints them", extensions=(".ss",)),
    Format("sdx", "nine lines of nine words: a given, u and an entry, or candidates", extensions=(".sdx",)),
    Format("ipuz", "JSON of the kind http://ipuz.org/sudoku: givens and solution", extensions=(".ipuz",)),
)
FORMATS: Mapping[str, Format] = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every format by its name."""
