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
    Format("grid", "a row a line, with or without borders, boards apart by blank lines", extensions=(".txt", ".ss")),
    Format("numbers", "a row a line, numbers between blanks ('.' or 0 open), any side up to 400", extensions=(".txt",)),
    Format("csv", "a table with a header (puzzle,solution or quizzes,solutions)", extensions=(".csv", ".tsv")),
    Format("sdk", "nine lines of nine, # lines with tag letters, [Puzzle] sections", extensions=(".sdk",)),
    Format("sdm", "one 9 x 9 puzzle a line, nothing else", extensions=(".sdm",)),
    Format("iss", "one constraint string (.Type~argument~...) or link with ?q= a line: variants", extensions=(".iss",)),
)
FORMATS: Mapping[str, Format] = MappingProxyType({kind.name: kind for kind in _ALL})
"""Every format by its name."""
