"""The shipped puzzles: one JSON object on each line of ``classic.jsonl``; with rules, of ``variants.jsonl``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

from ..errors import meant
from ..formats import parse
from ..puzzle import Puzzle, Shape
from ..puzzle.rules import Rule, known_rules
from ..puzzle.rules.rule_base import each

T = TypeVar("T", "Item", "Variant")

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
        board = {**_shape_json(self.puzzle.shape), "puzzle": self.puzzle.to_line()}
        return _line_of(self, board, ITEM_FIELDS)

    @classmethod
    def from_json(cls, line: str) -> Item:
        """Read a line of the data file."""
        row = json.loads(line)
        shape = _shape_of(row)
        given, solution = _values(row["puzzle"], shape), row["solution"]
        stated = None if solution is None else _values(solution, shape).givens
        puzzle = Puzzle(shape, given.givens, title=row["name"], stated=stated)
        return cls(row["name"], puzzle, **_known(row, ITEM_FIELDS))


def puzzles(name: str | None = None, *, side: int | None = None, difficulty: str | None = None) -> list[Item]:
    """Return the shipped puzzles, or those with a name, a side (number of rows) or a difficulty.

    ``name`` is a whole name ("9x9-hard-07") or its first words ("9x9", "9x9-hard", "latin", "irregular-6"). Raises
    ValueError for a name that no puzzle has and for an unknown difficulty; the list may be empty otherwise.
    """
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise ValueError(f"the difficulty {difficulty!r}: one of {', '.join(DIFFICULTIES)} is expected")
    chosen = _chosen(_shipped(Item), name, side)
    return [item for item in chosen if difficulty in (None, item.difficulty)]


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


@dataclass(frozen=True)
class Variant:
    """A puzzle with rules, and what is known about it.

    ``solutions`` is the exact number of solutions, proved by each of the backends in ``proved_by``; ``solution`` is
    the solution in one line if it is the only one, otherwise None. ``clues`` is the number of givens, ``text`` the
    puzzle as an ISS constraint string, ``form`` its least form up to symmetry as another. ``level`` is that of
    ``explain.rate``, None unless there is exactly one solution. The generator makes the puzzle again from ``seed`` and
    ``name``.
    """

    name: str
    puzzle: Puzzle
    solutions: int
    clues: int
    solution: str | None
    text: str
    seed: int
    proved_by: tuple[str, ...]
    level: str | None = None
    form: str | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """The kinds of its rules, by the names of their classes."""
        return tuple(sorted({type(rule).__name__ for rule in each(self.puzzle.rules)}))

    def to_json(self) -> str:
        """Return the line of the data file."""
        return _line_of(self, {"puzzle": self.text}, VARIANT_FIELDS)

    @classmethod
    def from_json(cls, line: str) -> Variant:
        """Read a line of the data file."""
        row = json.loads(line)
        puzzle = parse(row["puzzle"])
        solution = row["solution"]
        stated = None if solution is None else parse(solution, alphabet="1-G", shape=puzzle.shape).givens
        puzzle = replace(puzzle, title=row["name"], stated=stated)
        return cls(row["name"], puzzle, text=row["puzzle"], **_known(row, VARIANT_FIELDS))


def variants(
    name: str | None = None, *, side: int | None = None, rule: str | type[Rule] | None = None
) -> list[Variant]:
    """Return the shipped variant puzzles, or those with a name, a side (number of rows) or a kind of rule.

    ``name`` is a whole name ("9x9-killer-01") or its first words ("9x9-killer", "9x9"); ``rule`` a class of rules or
    its name. Raises ValueError for a name that no puzzle has and for an unknown kind of rule; the list may be empty
    otherwise.
    """
    wanted = rule.__name__ if isinstance(rule, type) else rule
    if wanted is not None and wanted not in known_rules():
        raise ValueError(
            f"{wanted!r} is not a kind of rule: the name of a class in sudoku_models.puzzle.rules is expected"
            f"{meant(wanted, known_rules())}"
        )
    return [item for item in _chosen(_shipped(Variant), name, side) if wanted in (None, *item.rules)]


# ---- what both have in common

PROVED = ["clues", "solutions", "proved_by", "solution"]
ITEM_FIELDS = [*PROVED, "difficulty", "guesses", "level", "rating", "form", "seed"]
VARIANT_FIELDS = [*PROVED, "level", "form", "seed"]
"""What is known about a puzzle, in the order of its line."""


def _line_of(item: Item | Variant, board: dict[str, Any], known: list[str]) -> str:
    return json.dumps({"name": item.name, **board, **{name: getattr(item, name) for name in known}})


def _known(row: dict[str, Any], known: list[str]) -> dict[str, Any]:
    return {**{name: row[name] for name in known}, "proved_by": tuple(row["proved_by"])}


@lru_cache(maxsize=2)
def _shipped(kind: type[T]) -> tuple[T, ...]:
    text = files(__package__).joinpath(LINES[kind]).read_text(encoding="utf-8")
    return tuple(map(kind.from_json, text.splitlines()))


LINES: dict[type, str] = {Item: "classic.jsonl", Variant: "variants.jsonl"}


def _chosen(items: Sequence[T], name: str | None, side: int | None) -> list[T]:
    """Return the puzzles with a name, or its first words, and a side; ValueError if none has such a name."""
    found = [item for item in items if name is None or f"{item.name}-".startswith(f"{name}-")]
    if not found:
        groups = sorted({item.name.rpartition("-")[0] for item in items})
        raise ValueError(f"no puzzle has the name {name!r}: there are {', '.join(groups)}, each followed by a number")
    return [item for item in found if side in (None, item.puzzle.shape.height)]
