"""The shipped puzzles: one JSON object on each line of ``classic.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ..formats import parse
from ..puzzle import Puzzle, Shape

LINES = "classic.jsonl"

DIFFICULTIES = ("easy", "medium", "hard")
"""What a puzzle needs: singles; locked candidates as well; or more than both, such as guesses."""


@dataclass(frozen=True)
class Item:
    """A puzzle with what is known about it.

    ``solutions`` is the exact number of solutions, proved by each of the backends in ``proved_by``; ``solution`` is the
    solution in one line if it is the only one, otherwise None. ``difficulty`` is one of ``DIFFICULTIES``, ``guesses``
    the number of guesses of a search that applies singles and locked candidates after each; both are None unless there
    is exactly one solution, and ``guesses`` also on large hard boards. ``level`` is that of ``explain.rate``, None for
    boards from 16 x 16 on; ``rating`` is the SE-like one, for classic boards only. ``form`` is the least form up to
    symmetry in one line, for a jigsaw as a constraint string, None if the board is too large. ``clues`` is the number
    of givens. The program that made the puzzles of a group from ``seed`` is in the sources, in
    ``benchmarks/collection``.
    """

    name: str
    puzzle: Puzzle
    solutions: int
    difficulty: str | None
    guesses: int | None
    clues: int
    solution: str | None
    seed: int
    proved_by: tuple[str, ...]
    level: str | None = None
    rating: float | None = None
    form: str | None = None

    def to_json(self) -> str:
        """Return the line of the data file."""
        shape = self.puzzle.shape
        row = {
            "name": self.name,
            **_shape_json(shape),
            "puzzle": self.puzzle.to_line(),
            "clues": self.clues,
            "solutions": self.solutions,
            "proved_by": list(self.proved_by),
            "solution": self.solution,
            "difficulty": self.difficulty,
            "guesses": self.guesses,
            "level": self.level,
            "rating": self.rating,
            "form": self.form,
            "seed": self.seed,
        }
        return json.dumps(row)

    @classmethod
    def from_json(cls, line: str) -> Item:
        """Read a line of the data file."""
        row = json.loads(line)
        shape = _shape_of(row)
        given, solution = _values(row["puzzle"], shape), row["solution"]
        stated = None if solution is None else _values(solution, shape).givens
        puzzle = Puzzle(shape, given.givens, title=row["name"], stated=stated)
        plain = {
            key: value for key, value in row.items() if key not in ("puzzle", "side", "box", "regions", "proved_by")
        }
        return cls(puzzle=puzzle, proved_by=tuple(row["proved_by"]), **plain)


def puzzles(name: str | None = None, *, side: int | None = None, difficulty: str | None = None) -> list[Item]:
    """Return the shipped puzzles, or those with a name, a side (number of rows) or a difficulty.

    ``name`` is a whole name ("9x9-hard-07") or its first words ("9x9", "9x9-hard", "latin", "irregular-6"). Raises
    ValueError for a name that no puzzle has and for an unknown difficulty; the list may be empty otherwise.
    """
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise ValueError(f"the difficulty {difficulty!r}: one of {', '.join(DIFFICULTIES)} is expected")
    found = [item for item in _shipped() if name is None or f"{item.name}-".startswith(f"{name}-")]
    if not found:
        groups = sorted({item.name.rpartition("-")[0] for item in _shipped()})
        raise ValueError(f"no puzzle has the name {name!r}: there are {', '.join(groups)}, each followed by a number")
    return [item for item in found if _fits(item, side, difficulty)]


def _fits(item: Item, side: int | None, difficulty: str | None) -> bool:
    return side in (None, item.puzzle.shape.height) and difficulty in (None, item.difficulty)


@lru_cache(maxsize=1)
def _shipped() -> tuple[Item, ...]:
    return tuple(_read(files(__package__).joinpath(LINES).read_text(encoding="utf-8")))


def _read(text: str) -> Iterator[Item]:
    return map(Item.from_json, text.splitlines())


def _shape_json(shape: Shape) -> dict[str, Any]:
    """Describe a shape: its side, and its boxes or the region number of each cell (neither in a Latin square)."""
    if shape.box:
        return {"side": shape.height, "box": list(shape.box)}
    if shape.regions:
        return {"side": shape.height, "regions": "".join(str(1 + (region or 0)) for region in shape.region_of)}
    return {"side": shape.height}


def _shape_of(row: dict[str, Any]) -> Shape:
    if "box" in row:
        height, width = row["box"]
        return Shape.square(row["side"], (height, width))
    if "regions" in row:
        return Shape.irregular(row["regions"])
    return Shape.latin(row["side"])


def _values(line: str, shape: Shape) -> Puzzle:
    return parse(line, alphabet=None if " " in line else "1-G", shape=shape)
