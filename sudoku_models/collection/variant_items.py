"""The shipped variant puzzles: one JSON object on each line of ``variants.jsonl``."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from ..errors import meant
from ..formats import parse
from ..puzzle import Puzzle
from ..puzzle.rules import Rule, known_rules
from ..puzzle.rules.rule_base import each

LINES = "variants.jsonl"


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
        row = {
            "name": self.name,
            "puzzle": self.text,
            "clues": self.clues,
            "solutions": self.solutions,
            "proved_by": list(self.proved_by),
            "solution": self.solution,
            "level": self.level,
            "form": self.form,
            "seed": self.seed,
        }
        return json.dumps(row)

    @classmethod
    def from_json(cls, line: str) -> Variant:
        """Read a line of the data file."""
        row = json.loads(line)
        puzzle = parse(row["puzzle"])
        solution = row["solution"]
        stated = None if solution is None else parse(solution, alphabet="1-G", shape=puzzle.shape).givens
        puzzle = replace(puzzle, title=row["name"], stated=stated)
        plain = {key: row[key] for key in ("name", "solutions", "clues", "solution", "level", "form", "seed")}
        return cls(puzzle=puzzle, text=row["puzzle"], proved_by=tuple(row["proved_by"]), **plain)


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
    found = [item for item in _shipped() if name is None or f"{item.name}-".startswith(f"{name}-")]
    if not found:
        groups = dict.fromkeys(item.name.rpartition("-")[0] for item in _shipped())
        raise ValueError(f"no puzzle has the name {name!r}: there are {', '.join(groups)}, each followed by a number")
    return [item for item in found if side in (None, item.puzzle.shape.height) and wanted in (None, *item.rules)]


@lru_cache(maxsize=1)
def _shipped() -> tuple[Variant, ...]:
    return tuple(map(Variant.from_json, files(__package__).joinpath(LINES).read_text(encoding="utf-8").splitlines()))
