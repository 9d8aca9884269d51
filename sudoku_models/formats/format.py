"""What a format is: one object, of which every table of formats is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..errors import FormatError
from ..puzzle.puzzle import Puzzle
from .options import Options
from .source import Line

Reader = Callable[[Iterator[Line], Options], Iterator[tuple[int, Puzzle | FormatError]]]
"""Yields the line that a puzzle begins in, and the puzzle or what is wrong with it."""

Writer = Callable[[Iterable[Puzzle], str | None], Iterator[str]]
"""Yields pieces of text, each of which ends with a line, in the symbols that are given or in the usual ones."""

CANDIDATES, RULES, REGIONS = "candidates", "rules", "regions"
ALL = frozenset([CANDIDATES, RULES, REGIONS])


@dataclass(frozen=True)
class Format:
    """A file format: what it is called, what it looks like, how its files end, and what reads and writes it.

    ``read`` and ``write`` are None where the format is not read or not written. ``tells`` recognises a line that looks
    like no other format's; formats are asked by their ``turn``, the lowest first. ``holds`` says what of a puzzle is
    written beside its givens: candidates, rules, irregular regions; what is not held is refused before ``write`` sees
    it. A format that holds some rules only refuses the others itself.

    ``by_lines``: each puzzle has its line, so a line that is no text is an error of that puzzle alone. ``single``: a
    file holds one puzzle. ``mixes``: a line of this format is recognised among lines of other formats, as a puzzle of
    its own. ``states_boxes`` is false where cells alone are written: the reader takes the usual boxes,
    unless others are named. ``writes_any``: whatever is within ``holds`` can be written, without a trial.
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
        """Tell whether the format is read."""
        return self.read is not None

    @property
    def writes(self) -> bool:
        """Tell whether the format is written."""
        return self.write is not None
