"""Defines a format: one object, from which every table of formats is derived; and what several formats write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from ..dataclass import dataclass
from ..errors import FormatError
from ..puzzle.grid import Cell
from ..puzzle.puzzle import Puzzle
from ..puzzle.shape import Shape
from ..puzzle.symbols import line_of
from .cells import Options
from .source import Line

P = ParamSpec("P")
T = TypeVar("T")

Reader = Callable[[Iterator[Line], Options], Iterator[tuple[int, Puzzle | FormatError]]]
"""Yields the line in which a puzzle begins, and the puzzle or its error."""

Writer = Callable[[Iterable[Puzzle], str | None], Iterator[str]]
"""Yields pieces of text, each ending with a complete line, in the given or the usual symbols."""

CANDIDATES, RULES, REGIONS = "candidates", "rules", "regions"
ALL = frozenset([CANDIDATES, RULES, REGIONS])


@dataclass(frozen=True)
class Format:
    """A file format: its name, description and file suffix, and the functions that read and write it.

    ``read`` and ``write`` are None if the format cannot be read or written. ``tells`` recognises a line that looks like
    no other format's; formats are tried by their ``turn``, lowest first. ``holds`` lists the parts of a puzzle that are
    written besides its givens: candidates, rules, irregular regions; other parts are refused before ``write`` is
    called. A format that holds only some rules refuses the others itself.

    ``by_lines``: the reader itself reports bytes that are no text; other readers get U+FFFD in their place. ``single``:
    a file holds one puzzle. ``mixes``: a line of this format is recognised among lines of other formats, as a separate
    puzzle. ``states_boxes`` is false where cells alone are written: the reader takes the usual boxes, unless others are
    named. ``writes_any``: ``write`` refuses nothing within ``holds``, so it need not be tried first.
    """

    name: str
    description: str
    read: Reader | None = None
    write: Writer | None = None
    tells: Callable[[str], bool] | None = None
    turn: int = 0
    holds: frozenset[str] = frozenset()
    extensions: tuple[str, ...] = ()
    by_lines: bool = False
    single: bool = False
    mixes: bool = False
    states_boxes: bool = True
    writes_any: bool = False

    @property
    def reads(self) -> bool:
        """Return whether the format can be read."""
        return self.read is not None

    @property
    def writes(self) -> bool:
        """Return whether the format can be written."""
        return self.write is not None


def format_errors(read: Callable[P, T]) -> Callable[P, T]:
    """Let a reader raise a FormatError for another ValueError, from making a puzzle."""

    @wraps(read)
    def reading(*values: P.args, **named: P.kwargs) -> T:
        try:
            return read(*values, **named)
        except FormatError:
            raise
        except ValueError as error:
            raise FormatError(str(error)) from None

    return reading


def late(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module of this package, which is imported when the function is called.

    Recognising formats needs none of the readers: they are loaded when there is something to read.
    """

    def call(*values: Any) -> Any:
        return getattr(import_module(f".{module}", __package__), name)(*values)

    return call


# ---- what several formats write


def cells_text(values: Sequence[Cell], shape: Shape, symbols: str | None) -> str:
    """Write cells, with one symbol each if there are enough; raise FormatError if they do not fit the shape."""
    if symbols is not None:
        check_symbols(symbols, shape)
    return line_of(values, shape, symbols)


def check_symbols(symbols: str, shape: Shape) -> None:
    """Raise FormatError if an alphabet is too short for a shape, or contains the sign for open cells."""
    if shape.values[0] < 1 or shape.values[-1] > len(symbols):
        raise FormatError(f"{len(symbols)} symbols: {shape.values[-1]} are expected for {shape}")
    if "." in symbols[: shape.values[-1]]:
        raise FormatError("the alphabet contains '.', which stands for open cells")


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def notes_text(puzzle: Puzzle) -> str:
    """Write the title and the comment as # lines."""
    comments = puzzle.comment.strip().splitlines()
    if not puzzle.title and not comments:
        return ""
    return "".join(f"# {one_line(line)}".rstrip() + "\n" for line in (puzzle.title, *comments))


def each(
    name: str, write_one: Callable[[Puzzle], str], apart: Callable[[str], bool] = lambda text: "\n" in text
) -> Writer:
    """Make the writer of a format without an alphabet from a function that writes one puzzle.

    A blank line precedes each puzzle whose text is to stand apart from the one before: by default one of several lines.
    """

    def write_all(puzzles: Iterable[Puzzle], symbols: str | None) -> Iterator[str]:
        if symbols is not None:
            raise FormatError(f"the format {name} uses no alphabet: leave out the alphabet")
        for i, puzzle in enumerate(puzzles):
            text = write_one(puzzle)
            yield ("\n" if i and apart(text) else "") + text.removesuffix("\n") + "\n"

    return write_all


def refuse(puzzle: Puzzle, name: str, parts: Collection[str]) -> None:
    """Raise a FormatError that names the kinds of rules, candidates or irregular regions that a format would lose."""
    if CANDIDATES in parts and puzzle.candidates:
        raise FormatError(f"a puzzle with candidates cannot be written in the format {name}: json can hold them")
    if RULES in parts and puzzle.rules:
        kinds = ", ".join(sorted({type(rule).__name__ for rule in puzzle.rules}))
        raise FormatError(f"a puzzle with rules ({kinds}) cannot be written in the format {name}: json can hold them")
    if REGIONS in parts and puzzle.shape.regions and puzzle.shape.box is None:
        raise FormatError(f"{puzzle.shape} cannot be written in the format {name}: jigsaw and json hold the regions")


def witnessed(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with a note if its stated solution breaks one of its rules.

    Extra cells have no stated values, so rules about them are not judged.
    """
    if puzzle.stated is None or None in puzzle.stated or not puzzle.rules:
        return puzzle
    try:
        broken = puzzle.violated(puzzle.stated)
    except (KeyError, ValueError):
        return puzzle
    others = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    note = f"the stated solution breaks the rule {broken[0]}{others}" if broken else ""
    return replace(puzzle, notes=(*puzzle.notes, note)) if note else puzzle
