"""The plan of a comparison: instances x backends x seeds x repeats, in an order determined by a seed."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from numbers import Real
from types import SimpleNamespace
from typing import Any, ClassVar, TypedDict, Unpack

from ..engine.budget import check_number
from ..engine.contract import Feature
from ..engine.registry import BackendLike, Selection, select, select_for_comparing
from ..errors import BadOption, meant
from ..model import Domain, Model
from ..verbs.agreement import installed
from ..verbs.task import Problem, as_puzzle

TIME_LIMIT = 10.0
"""Seconds for one run, unless another limit is given."""

COUNTED = 1_000
"""Counting stops at this number of solutions."""


class Goal(StrEnum):
    """The question for every backend; one that cannot enumerate is only asked for a first solution."""

    FIRST = "first"
    UNIQUE = "unique"
    COUNT = "count"

    def of(self, selection: Selection) -> Goal:
        """Return the question for a backend: a first solution if it cannot prove that there is no other."""
        return self if {Feature.ENUMERATE, Feature.PROVE} <= selection.capabilities.features else Goal.FIRST


@dataclass(frozen=True)
class StatedModel:
    """A model in the place of a puzzle: its variables are the cells. As rules do, it names values: none is renamed."""

    structure: Model
    rules: ClassVar[tuple[str, ...]] = ("a model",)
    title: ClassVar[str] = ""
    clues: ClassVar[int] = 0
    stated: ClassVar[None] = None
    domains: ClassVar[dict[str, Domain]] = {}

    @property
    def shape(self) -> SimpleNamespace:
        """The number of variables as cells, and the longest domain as values."""
        values = max((v.domain for v in self.structure.variables), key=len, default=())
        return SimpleNamespace(cells=len(self.structure.variables), values=values)


@dataclass(frozen=True)
class Instance:
    """A puzzle and its origin: ``number`` counts the comparison's puzzles from 1, ``line`` is its line in a file."""

    number: int
    puzzle: Any  # a Puzzle or a StatedModel
    source: str = ""
    line: int | None = None

    @property
    def name(self) -> str:
        """Return the location of the puzzle in words."""
        place = f"{self.source} line {self.line}" if self.line is not None else self.source
        title = f" ({self.puzzle.title})" if self.puzzle.title else ""
        return f"puzzle {self.number}{f', {place}' if place else ''}{title}"

    @cached_property
    def sha(self) -> str:
        """SHA-256 of the shape, the givens and the rules: the same for the same puzzle anywhere."""
        if isinstance(self.puzzle, StatedModel):
            return self.puzzle.structure.digest
        shape, candidates = self.puzzle.shape, self.puzzle.candidates
        text = f"{shape}\n{shape.regions}\n{self.puzzle.to_line()}\n{candidates or ''}"
        if self.puzzle.rules or not shape.lines:
            text += f"\n{shape.lines}\n{self.puzzle.rules}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Job:
    """One run: an instance, a backend, a seed, the number of the repeat; ``position`` is its place in the order.

    ``spec`` is the backend's specification; ``takes_seed`` says whether the engine takes the seed itself; otherwise it
    gets a relabelled puzzle.
    """

    instance: Instance
    selection: Selection
    spec: str
    takes_seed: bool
    seed: int
    repeat: int
    position: int

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What identifies a run in a plan, as in ``Row.key``."""
        return self.instance.sha, self.spec, self.seed, self.repeat


class PlanChoices(TypedDict, total=False):
    """The further options of ``compare``, for type checkers and editors: fields of ``Plan``."""

    goal: Goal | str
    cpu_limit: float | None
    memory_limit: int | None
    seeds: tuple[int, ...]
    seed: int | None
    repeats: int
    shuffle: int
    cold: bool
    parallel: int


class Choices(PlanChoices, total=False):
    """All options of ``Plan.of``."""

    unique: bool
    time_limit: float | None


@dataclass(frozen=True)
class Plan:
    """The backends that solve each instance, how often, in which order, and within which limits.

    ``seeds`` are passed to engines that take one; other engines get a relabelled puzzle for each (0 is the puzzle as
    stated). ``shuffle`` determines the order: in each round (a repeat and a seed) the instances are shuffled, and the
    backends for each of them. ``time_limit`` and ``cpu_limit`` are in seconds, ``memory_limit`` in bytes, all for one
    run, over all the processes of its engine. With ``cold`` each run includes loading its engine, in a separate
    process; otherwise engines are loaded and boards compiled beforehand. ``parallel`` is the number of runs measured at
    the same time, on each machine.
    """

    backends: tuple[Selection, ...]
    goal: Goal = Goal.UNIQUE
    time_limit: float | None = TIME_LIMIT
    cpu_limit: float | None = None
    memory_limit: int | None = None
    seeds: tuple[int, ...] = (0,)
    repeats: int = 1
    shuffle: int = 0
    cold: bool = False
    parallel: int = 1

    @classmethod
    def of(cls, backends: Iterable[BackendLike] | None = None, **choices: Unpack[Choices]) -> Plan:
        """Make a plan; all installed backends by default.

        ``unique=False`` is short for the goal of a first solution, ``seed=7`` for the seeds (7,) and shuffling by 7.
        Raises BadOption or BackendMissing for a specification, ValueError if there is none, if one appears twice,
        or for a limit that makes no sense.
        """
        chosen = tuple(installed() if backends is None else map(_named, backends))
        if not chosen:
            raise ValueError("the list of backends is empty: name at least one")
        name, times = Counter(map(str, chosen)).most_common(1)[0]
        if times > 1:
            raise ValueError(f"the backend {name} appears twice in the comparison")
        return cls(chosen, **_choices(**choices))

    def __post_init__(self) -> None:
        for name in ("time_limit", "cpu_limit", "memory_limit"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and value > 0):  # type: ignore[operator]
                raise ValueError(f"{name} is {value!r}: a positive number is expected")
        for name in ("memory_limit", "repeats", "parallel"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name))
        if not self.seeds or len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise ValueError(f"the seeds are {self.seeds}: different numbers from 0 are expected")

    @cached_property
    def named(self) -> dict[str, Selection]:
        """The backends by their specifications."""
        return {str(backend): backend for backend in self.backends}

    @property
    def names(self) -> tuple[str, ...]:
        """The backends' specifications, in the order given."""
        return tuple(self.named)

    def settings(self) -> dict[str, Any]:
        """Return the whole plan except its instances as plain data, fit for JSON; ``of_settings`` reads it."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "backends"}
        return {"backends": list(self.names), **plain, "goal": str(self.goal), "seeds": list(self.seeds)}

    @classmethod
    def of_settings(cls, settings: dict[str, Any]) -> Plan:
        """Make the plan that ``settings`` returned."""
        return cls.of(**{**settings, "seeds": tuple(settings["seeds"])})

    def digest(self, instances: Iterable[Instance]) -> str:
        """Return the SHA-256 of everything that determines the runs and their limits."""
        text = json.dumps([self.settings(), [instance.sha for instance in instances]], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def jobs(self, instances: Sequence[Instance]) -> Iterator[Job]:
        """Yield every run in order: round by round, instance by instance, the backends of one together."""
        position = 0
        for repeat in range(self.repeats):
            for seed in self.seeds:
                order = list(instances)
                random.Random(f"{self.shuffle}/{repeat}/{seed}").shuffle(order)
                for instance in order:
                    chosen, key = list(self.named.items()), f"{instance.number}/{instance.sha}"
                    random.Random(f"{self.shuffle}/{repeat}/{seed}/{key}").shuffle(chosen)
                    for name, backend in chosen:
                        seeded = Feature.SEED in backend.capabilities.features
                        yield Job(instance, backend, name, seeded, seed, repeat, position)
                        position += 1

    def count(self, instances: Sequence[Instance]) -> int:
        """Return the number of runs."""
        return len(instances) * len(self.backends) * len(self.seeds) * self.repeats


def _named(spec: BackendLike) -> Selection:
    """Select a backend; BadOption if its option is hidden by the rules of a comparison."""
    selection = select(spec)
    if isinstance(spec, str) and select_for_comparing(spec) != select_for_comparing(str(selection)):
        raise BadOption(
            f"{spec}: a comparison switches off work that is done for an engine, unless the option names it: "
            "auto does not, so choose another value or leave the option out"
        )
    return selection


def _choices(unique: bool = True, seed: int | None = None, **choices: Any) -> dict[str, Any]:
    known = (*Plan.__dataclass_fields__, "unique", "seed")
    unknown = next((name for name in choices if name not in known), None)
    if unknown is not None:
        raise TypeError(f"a comparison has no option {unknown!r}{meant(unknown, known)}")
    goal = choices.pop("goal", Goal.UNIQUE if unique else Goal.FIRST)
    if goal not in list(Goal):
        raise ValueError(f"the goal {goal!r}: one of {', '.join(Goal)} is expected{meant(str(goal), Goal)}")
    seeded = {} if seed is None else {"seeds": (seed,), "shuffle": seed}
    return {"goal": Goal(goal), **seeded, **choices}


def instances(problems: Iterable[Problem | Model | Instance]) -> Iterator[Instance]:
    """Number problems from 1; instances are passed on as they are."""
    for number, problem in enumerate(problems, start=1):
        if isinstance(problem, Instance):
            yield problem
        elif isinstance(problem, Model):
            yield Instance(number, StatedModel(problem))
        else:
            yield Instance(number, as_puzzle(problem))


def distinct(found: Iterable[Instance]) -> list[Instance]:
    """Return the instances without repetitions of earlier puzzles."""
    single: dict[str, Instance] = {}
    for instance in found:
        single.setdefault(instance.sha, instance)
    return list(single.values())
