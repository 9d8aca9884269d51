"""The rows of a comparison, one for each run: the question, the backend, the result, the cost. Written as JSON lines.

Solutions from an engine's process are checked here once more, and judged by the rules: inside that process the engine
could have changed the check, and the rules are not known there.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ..engine.check import checker_of
from ..puzzle import Puzzle
from ..verbs.agreement import Verdict
from .plan import Job, Plan

if TYPE_CHECKING:
    import pandas

SCHEMA = "sudoku-models/compare/1"
"""Name and version of a written row; within a version columns are only added."""


@dataclass(frozen=True)
class Row:
    """One run. Times are in seconds, of the machine ``host``; memory in bytes.

    ``puzzle`` counts the comparison's puzzles from 1, ``source``, ``line`` and ``title`` say where it is, ``sha256``
    identifies it, ``side`` is the number of values of a cell. ``asked`` is "first" (a solution), "unique" (prove
    uniqueness) or "count" (count solutions, up to a thousand). ``status`` is a ``Verdict``: "WRONG" replaces the
    backend's own claim if a checked solution refutes it, and ``reason`` says why. ``solution`` is the SHA-256 of the
    solution (of the puzzle as stated, even if a relabelled one was solved), ``count`` the number of checked, distinct
    solutions that were found. ``seed`` is the plan's seed of this run; ``relabelled`` means that the engine takes none
    and got a relabelled puzzle instead; ``repeat`` counts from 0. ``position`` is the place of the run in the order of
    the plan. ``cpu`` and ``memory`` (the peak of the process during this run) are None if they are not known; ``notes``
    is what the engine's adapter notes about the run; ``cold`` means that loading the engine is part of the run.
    ``time_limit``, ``cpu_limit`` and ``memory_limit`` are None without one. ``control`` is the time of a fixed piece of
    work, measured shortly before the run: it shows how fast the machine was then. ``proof`` names the refuter whose
    checked proof shows what the row claims ("unsatisfiable", or that its solution is the only one); ``unproved`` says
    why there is none, if proofs were requested. ``load`` is how many processes wanted to run for each core,
    ``throttled`` means that the kernel had just slowed the processor down. They are None and False if the system does
    not report them.
    """

    puzzle: int
    source: str
    line: int | None
    sha256: str
    cells: int
    clues: int
    backend: str
    asked: str
    status: str
    unique: bool | None
    reason: str
    wall: float
    cpu: float | None
    phases: dict[str, dict[str, float]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    solution: str | None = None
    isolated: bool = False
    position: int = 0
    seed: int = 0
    time_limit: float | None = None
    memory_limit: int | None = None
    cpu_limit: float | None = None
    memory: int | None = None
    repeat: int = 0
    relabelled: bool = False
    side: int = 0
    title: str = ""
    count: int | None = None
    cold: bool = False
    host: str = ""
    control: float | None = None
    load: float | None = None
    throttled: bool = False
    proof: str = ""
    unproved: str = ""

    @property
    def key(self) -> tuple[str, str, int, int]:
        """The key of a run in a plan: instance, backend, seed, repeat."""
        return self.sha256, self.backend, self.seed, self.repeat

    @property
    def verdict(self) -> Verdict:
        return Verdict(self.status)

    @property
    def name(self) -> str:
        """The location of the puzzle in words."""
        place = f"{self.source} line {self.line}" if self.line is not None else self.source
        return f"puzzle {self.puzzle}{f', {place}' if place else ''}"

    def json(self) -> str:
        """Return the row as one line of JSON, with the name of its schema."""
        return json.dumps(self.fields())

    def fields(self) -> dict[str, Any]:
        """Return the row as plain data, with the name of its schema."""
        return {"schema": SCHEMA, **self.__dict__}

    @classmethod
    def parse(cls, text: str) -> Row:
        """Read what ``json`` wrote; ValueError for another schema."""
        return cls.of_fields(json.loads(text))

    @classmethod
    def of_fields(cls, found: Any) -> Row:
        """Read what ``fields`` returned; ValueError for another schema."""
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise ValueError(f"this is not a row of {SCHEMA}")
        return cls(**{name: found[name] for name in cls.__dataclass_fields__ if name in found})


def row_of(plan: Plan, job: Job, answer: dict[str, Any]) -> Row:
    """Return the row for the result of a run; its solutions are checked here once more."""
    instance, puzzle = job.instance, job.instance.puzzle
    copied = (
        (instance, ("source", "line")),
        (puzzle, ("clues", "title")),
        (job, ("position", "seed", "repeat")),
        (plan, ("time_limit", "memory_limit", "cpu_limit", "cold")),
    )
    return Row(
        puzzle=instance.number,
        sha256=instance.sha,
        cells=puzzle.shape.cells,
        side=len(puzzle.shape.values),
        backend=job.spec,
        relabelled=bool(job.seed) and not job.takes_seed and not puzzle.rules,
        host=platform.node(),
        **{name: getattr(source, name) for source, names in copied for name in names},
        **{
            "asked": str(plan.goal.of(job.selection)),
            "unique": None,
            "wall": 0.0,
            "cpu": None,
            "reason": "",
            **verified(puzzle, answer, job.spec),
        },
    )


def verified(puzzle: Puzzle, answer: dict[str, Any], spec: str) -> dict[str, Any]:
    """Return the result of a run with the digest of its first solution in place of ``solutions``.

    WRONG if one of the solutions (of all variables) breaks the model or a rule, or if one came twice.
    """
    solutions = [tuple(solution) for solution in answer.pop("solutions", None) or ()]
    checker, domains = checker_of(puzzle.structure), puzzle.domains
    fault = next(filter(None, (checker.fault(solution, domains) for solution in solutions)), None)
    if fault is None and len(solutions) > len(set(solutions)):
        fault = "the same solution came twice"
    if fault is None:
        first = digest(solutions[0][: puzzle.shape.cells]) if solutions else None
        return {**answer, "solution": first}
    # without rules the process has checked all that is checked here: then it has changed the check
    where = f"{spec} returned a wrong solution" if puzzle.rules else "its process returned a wrong solution as checked"
    wrong = {"status": str(Verdict.WRONG), "solution": None, "unique": None, "count": None}
    return {**answer, **wrong, "reason": f"{where}: {fault}"}


def digest(solution: Sequence[int]) -> str:
    """Return the digest that identifies a solution in a row: its SHA-256."""
    return hashlib.sha256(" ".join(map(str, solution)).encode()).hexdigest()


def frame(rows: Iterable[Row]) -> pandas.DataFrame:
    """Return a tidy table with one row for each run, in seconds and bytes.

    After the fields of a row come ``solved``, ``density`` (the share of given cells), ``wall_PHASE`` and ``cpu_PHASE``
    for every phase and ``size_NAME`` for every size that occurs. Unknown values are missing (NaN, or NA in columns of
    integers and of truth values). ImportError names the command that installs pandas if it is missing.
    """
    table = needed("pandas", "data").DataFrame([_flat(row) for row in rows])
    plain = [name for name in Row.__dataclass_fields__ if name not in ("phases", "sizes")]
    first = [*plain, "solved", "density"]
    table = table.reindex(columns=[*first, *sorted(set(table.columns) - set(first))])
    kinds = dict.fromkeys(("backend", "status", "asked", "source"), "category") | {"unique": "boolean"}
    kinds |= dict.fromkeys(("line", "count", "memory", "memory_limit"), "Int64")
    kinds |= {name: "float64" for name in table if name.startswith(("wall", "cpu", "time_", "density"))}
    kinds |= {name: "Int64" for name in table if name.startswith("size_")}
    found: pandas.DataFrame = table.astype(kinds)
    return found


def _flat(row: Row) -> dict[str, Any]:
    line = {name: value for name, value in vars(row).items() if name not in ("phases", "sizes")}
    line |= {"solved": row.verdict.settled, "density": row.clues / row.cells if row.cells else None}
    line |= {f"{clock}_{phase}": value for phase, times in row.phases.items() for clock, value in times.items()}
    return line | {f"size_{name}": size for name, size in row.sizes.items()}


def needed(module: str, extra: str) -> Any:
    """Import a module; ImportError, with the command that installs it, if it is missing."""
    check(module, extra)
    return import_module(module)


def check(module: str, extra: str) -> None:
    """Raise ImportError, with the command that installs it, if a package is missing."""
    package = module.partition(".")[0]
    if find_spec(package) is None:
        command = f"python -m pip install 'sudoku-models[{extra}]'"
        raise ImportError(f"{package} is not installed: {command}", name=package)
