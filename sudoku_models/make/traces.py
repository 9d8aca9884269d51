"""Traces: the path to the solution as text or as tokens, for models that learn from steps (extra ``data`` for tables).

The tokens are few and the same for every puzzle of a board: ``vocabulary`` lists them all. After the givens, as
placements, and ``<path>``, each stage has its level (``1.1``) and what it does: ``R1C2=5`` settles a cell, ``R1C2-5``
removes a candidate. The last token says how the path ended: ``<solved>``, ``<stuck>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from ..explain.ladder import HIGHEST, RUNGS, Stage, after, level_text
from ..explain.paths import Path, path
from ..puzzle import Puzzle, Shape
from ..verbs.task import Problem, as_puzzle
from .wishes import level_of, one_of, shape_or_nine

FORMS = ("tokens", "ids", "text")
"""The forms of a trace."""

PAD, PATH = "<pad>", "<path>"
ENDS = {
    end: f"<{end.replace(' ', '-')}>" for end in ("solved", "stuck", "contradiction", "several solutions", "time limit")
}
"""The last token, by how the path ended."""


@dataclass(frozen=True)
class Trace:
    """The path of a ``puzzle``: its ``text``, its ``tokens``, and their indexes in the ``vocabulary`` as ``ids``.

    ``end`` is solved, stuck, contradiction, "several solutions" or "time limit".
    """

    puzzle: Puzzle
    path: Path = field(repr=False)

    @property
    def end(self) -> str:
        """How the path ended."""
        return self.path.end

    @cached_property
    def text(self) -> str:
        """The path in sentences, each step with its reason."""
        return str(self.path)

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The path in tokens: see the docstring of this module."""
        givens = (
            f"{x}={value}" for x, value in zip(self.puzzle.names, self.puzzle.givens, strict=True) if value is not None
        )
        return (*givens, PATH, *(token for stage in self.path.stages for token in self._stage(stage)), ENDS[self.end])

    @property
    def ids(self) -> tuple[int, ...]:
        """The tokens as numbers: their indexes in the vocabulary of the board."""
        places = _places(self.puzzle.shape)
        return tuple(places[token] for token in self.tokens)

    def form(self, name: str) -> str:
        """Return the trace as text: "tokens" or "ids" separated by spaces, or "text"."""
        return self.text if name == "text" else " ".join(map(str, self.ids if name == "ids" else self.tokens))

    def _stage(self, stage: Stage) -> Iterator[str]:
        """Yield the level, the cells that are settled, then the candidates that other cells lose."""
        names, low = self.path.ladder.names, self.path.ladder.low
        left = after(list(stage.before), stage.facts)
        settled = {cell for cell, _ in stage.facts if left[cell].bit_count() == 1}
        yield level_text(stage.level)
        yield from (f"{names[cell]}={left[cell].bit_length() - 1 + low}" for cell in sorted(settled))
        yield from (f"{names[cell]}-{bit + low}" for cell, bit in sorted(stage.facts) if cell not in settled)


def form_of(name: str) -> str:
    """Return the name of a form of traces; ValueError for an unknown one."""
    one_of(name, FORMS, f"traces as {name!r}")
    return name


def trace(problem: Problem, *, highest: str | None = None, time_limit: float | None = None) -> Trace:
    """Return the path of a puzzle, which may have rules, as text and tokens.

    ``highest`` is the highest level that is tried ("2.any"), ``time_limit`` is in seconds: if one of them ends the path
    before the solution, its end says so. ValueError for an invalid level; FormatError for text that cannot be read.
    """
    puzzle = as_puzzle(problem)
    return Trace(puzzle, path(puzzle, highest=HIGHEST if highest is None else level_of(highest), time_limit=time_limit))


@lru_cache(maxsize=16)
def vocabulary(shape: Shape) -> tuple[str, ...]:
    """Return all tokens of a board: the number of a token is its index. The first one pads the rows of a batch."""
    shape = shape_or_nine(shape)
    facts = (f"{x}{sign}{value}" for sign in "=-" for x in shape.names for value in shape.values)
    return (PAD, PATH, *ENDS.values(), *(level_text(level) for level in RUNGS), *facts)


@lru_cache(maxsize=16)
def _places(shape: Shape) -> dict[str, int]:
    return {token: place for place, token in enumerate(vocabulary(shape))}
