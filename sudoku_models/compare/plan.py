"""What a comparison runs: instances x backends, in an order that a seed decides."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..agreement import installed
from ..engine.contract import Feature
from ..engine.registry import BackendLike, Selection, select
from ..puzzle import Puzzle
from ..solving import Problem, as_puzzle

TIME_LIMIT = 10.0
"""Seconds for one run, unless another limit is given."""


@dataclass(frozen=True)
class Instance:
    """A puzzle with where it comes from: ``number`` counts the comparison's puzzles from 1, ``line`` is in its file."""

    number: int
    puzzle: Puzzle
    source: str = ""
    line: int | None = None

    @property
    def name(self) -> str:
        """Where the puzzle stands, in words."""
        place = f"{self.source} line {self.line}" if self.line is not None else self.source
        title = f" ({self.puzzle.title})" if self.puzzle.title else ""
        return f"puzzle {self.number}{f', {place}' if place else ''}{title}"

    @cached_property
    def sha(self) -> str:
        """SHA-256 of the shape and the givens: the same puzzle has the same one wherever it stands."""
        shape, candidates = self.puzzle.shape, self.puzzle.candidates
        text = f"{shape}\n{shape.regions}\n{self.puzzle.to_line()}\n{candidates or ''}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Plan:
    """Which backends solve each instance, in which order, within which limits.

    ``unique`` asks every backend that can enumerate to prove uniqueness. ``seed`` shuffles the backends anew for each
    instance, and is the engine's own seed where it takes one. ``time_limit`` is in seconds, ``memory_limit`` in bytes,
    both for one run.
    """

    backends: tuple[Selection, ...]
    unique: bool = True
    time_limit: float | None = TIME_LIMIT
    memory_limit: int | None = None
    seed: int = 0

    @classmethod
    def of(cls, backends: Iterable[BackendLike] | None = None, **choices: Any) -> Plan:
        """Make a plan; all installed backends by default.

        Raises BadOption or BackendMissing for a specification, ValueError when there is none or one stands twice.
        """
        chosen = tuple(installed() if backends is None else map(select, backends))
        names = [str(selection) for selection in chosen]
        if not names:
            raise ValueError("there is no backend to compare")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise ValueError(f"the backend {twice} stands twice in the comparison")
        return cls(chosen, **choices)

    @property
    def names(self) -> tuple[str, ...]:
        """The backends' specifications, in the order given."""
        return tuple(map(str, self.backends))

    def order(self, instance: Instance) -> list[Selection]:
        """Return the backends in the order in which they solve an instance: shuffled by the seed and the puzzle."""
        chosen = list(self.backends)
        random.Random(f"{self.seed}/{instance.number}/{instance.sha}").shuffle(chosen)
        return chosen

    def limits(self, selection: Selection) -> dict[str, Any]:
        """Return the keywords for ``solve``."""
        return {"time_limit": self.time_limit, "memory_limit": self.memory_limit, "seed": self.engine_seed(selection)}

    def engine_seed(self, selection: Selection) -> int:
        """Return the seed for an engine; 0 where it takes none."""
        return self.seed if Feature.SEED in selection.capabilities.features else 0


def instances(problems: Iterable[Problem | Instance]) -> Iterator[Instance]:
    """Number problems from 1; instances are passed on as they are."""
    for number, problem in enumerate(problems, start=1):
        yield problem if isinstance(problem, Instance) else Instance(number, as_puzzle(problem))
