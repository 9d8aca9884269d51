"""Reports on how a text, a link or a whole file was read: which parts were read, guessed and left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from ..errors import FormatError
from ..formats import Entry, parse, read
from ..formats.cells import BoardShape
from ..puzzle import Puzzle
from ..puzzle.drawn import Drawn

if TYPE_CHECKING:
    from ..display import Picture


@dataclass(frozen=True, repr=False)
class Inspection:
    """The report on how one puzzle was read; ``place`` is its place, and ``error`` is set if it cannot be read."""

    place: str
    puzzle: Puzzle | None
    error: FormatError | None = None

    @property
    def board(self) -> str:
        """The board in words."""
        if self.puzzle is None:
            return ""
        shape, clues = self.puzzle.shape, self.puzzle.clues
        stated = self.puzzle.stated
        solution = "no solution" if not stated else "a part of the solution" if None in stated else "a solution"
        return f"{shape}, {clues} given{'' if clues == 1 else 's'}, {solution} is stated"

    @property
    def sections(self) -> dict[str, list[str]]:
        """The sections of the report, by heading; empty ones are left out."""
        if self.puzzle is None:
            return {"cannot be read": [str(self.error)]}
        drawn, cells = self.puzzle.drawn, len(self.puzzle.candidates)
        guessed = {one.rule for one in drawn if one.taken}
        found = {
            "title": [self.puzzle.title],
            "board": [self.board],
            "candidates": [f"{cells} cell{' is' if cells == 1 else 's are'} narrowed"] * bool(cells),
            "read": [str(rule) for rule in self.puzzle.rules if rule not in guessed],
            "guessed": [str(one) for one in drawn if one.taken],
            "misread": [str(one) for one in drawn if one.misread],
            "drawn, not understood": [str(one) for one in self._left if not one.sentence],
            "said, not read": [str(one) for one in self._left if one.sentence],
            "noted": list(self.puzzle.notes),
            "in words": self.puzzle.comment.splitlines(),
        }
        kept = {heading: [line for line in lines if line] for heading, lines in found.items()}
        return {heading: lines for heading, lines in kept.items() if lines}

    @property
    def _left(self) -> list[Drawn]:
        """The drawings and sentences that were left out, without misread rules."""
        return [one for one in self.puzzle.drawn if not one.taken and not one.misread] if self.puzzle else []

    @property
    def complete(self) -> bool:
        """Whether everything in the document was read: no drawing or sentence was left out, and there are no notes."""
        return self.puzzle is not None and all(one.taken for one in self.puzzle.drawn) and not self.puzzle.notes

    @property
    def picture(self) -> Picture | None:
        """A picture of the puzzle with its rules, and ignored drawings in pale colours; None if it cannot be read."""
        from ..display import picture

        return None if self.puzzle is None else picture(self.puzzle)

    def to_json(self) -> dict[str, Any]:
        """Return the report as data."""
        puzzle, sections = self.puzzle, self.sections
        return {
            "place": self.place,
            "title": puzzle.title if puzzle else "",
            "puzzle": puzzle.to_line() if puzzle else None,
            "board": self.board,
            "read": sections.get("read", []),
            "guessed": sections.get("guessed", []),
            "misread": sections.get("misread", []),
            "left_out": sections.get("drawn, not understood", []),
            "not_read": sections.get("said, not read", []),
            "notes": sections.get("noted", []),
            "in_words": "\n".join(sections.get("in words", [])),
            "error": self.error.message if self.error else "",
        }

    def __str__(self) -> str:
        parts = [self.place, *(_listed(heading, lines) for heading, lines in self.sections.items())]
        return "\n".join(parts)

    def __repr__(self) -> str:
        counts = ", ".join(f"{heading} {len(lines)}" for heading, lines in self.sections.items() if heading in _COUNTED)
        return f"<Inspection of {self.place}{': ' if counts else ''}{counts}>"

    def _repr_html_(self) -> str:
        drawn = self.picture
        parts = [f"<b>{escape(self.place)}</b>", drawn._repr_html_() if drawn else ""]
        for heading, lines in self.sections.items():
            parts.append(f"<div>{escape(heading)}</div><ul>{''.join(f'<li>{escape(x)}</li>' for x in lines)}</ul>")
        return "".join(parts)


_COUNTED = ("read", "guessed", "misread", "drawn, not understood", "said, not read", "noted")


class Reading(TypedDict, total=False):
    """The reading options, for type checkers and editors; ``column`` is for files."""

    input_format: str | None
    alphabet: str | None
    shape: BoardShape | None
    strict: bool


@overload
def inspect(source: str | Puzzle, *, guess: bool = False, **options: Unpack[Reading]) -> Inspection: ...
@overload
def inspect(
    source: Path, *, guess: bool = False, column: str | None = None, **options: Unpack[Reading]
) -> list[Inspection]: ...
def inspect(
    source: str | Path | Puzzle, *, guess: bool = False, column: str | None = None, **options: Unpack[Reading]
) -> Inspection | list[Inspection]:
    """Report what was read, guessed and left out in a text, a link, a Puzzle, or (Path) each puzzle of a file.

    ``guess`` interprets drawings as the rules that they look like. ``options`` are those of ``formats.read``. A puzzle
    that cannot be read raises nothing: its ``error`` says why. Raises FormatError for a file that cannot be read at
    all.
    """
    if isinstance(source, Path):
        return list(inspected(read(source, guess=guess, column=column, **options)))
    if isinstance(source, Puzzle):
        return Inspection("the puzzle", source.guessed() if guess else source)
    try:
        return Inspection("the text", parse(source, guess=guess, **options))
    except FormatError as error:
        return Inspection("the text", None, error)


def inspected(entries: Iterator[Entry]) -> Iterator[Inspection]:
    """Yield the report on each entry of a file."""
    return (Inspection(entry.place, entry.puzzle, entry.error) for entry in entries)


def _listed(heading: str, lines: Sequence[str]) -> str:
    if len(lines) == 1 and heading in ("title", "board"):
        return f"  {heading}: {lines[0]}"
    return "\n".join([f"  {heading}:", *(f"    {line}" for line in lines)])
