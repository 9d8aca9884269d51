"""One measured run inside a worker: the question for an engine, and its cost, as plain data."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..engine import road, tree
from ..engine import workers as processes
from ..engine.contract import Outcome, Reason, Request
from ..engine.record import Record
from ..engine.registry import Selection
from ..errors import Unsupported
from ..puzzle import Puzzle, Shape
from ..verbs.agreement import Answer, Verdict, ask, verdict_of
from .plan import COUNTED, Goal
from .relabel import Relabelling

WARM_UPS = {4: "1.....2....3....", 9: "12345678945.......7".ljust(81, ".")}
"""Puzzles for loading an engine: a small one, and a classic one for engines that accept no other size."""

_Asked = tuple[Answer, Record | None, list[tuple[int, ...]], int | None]
"""The answer, its record, the first solutions, and the number counted."""

NOTES = 5
"""The most notes of an adapter that are kept for a run."""

LONGEST = 500
"""The most characters of a reason that are kept."""


@dataclass(frozen=True)
class RunQuestion:
    """A question for a worker. ``relabel`` is the seed of the relabelling, 0 for none; ``time_limit`` is in seconds;
    ``keep`` is the number of solutions to return.
    """

    goal: Goal
    time_limit: float | None
    seed: int
    relabel: int
    keep: int = 2


def loaded(selection: Selection) -> Puzzle:
    """Compile a board that the engine accepts, so that no measured run includes loading it; return its puzzle.

    Errors appear later, in the run.
    """
    small, classic = (_plain(side, line) for side, line in WARM_UPS.items())
    try:
        road.prepare(small.structure, selection)
    except Unsupported:
        small = classic
    except Exception:
        return small
    prepare(small, selection)
    return small


def _plain(side: int, line: str) -> Puzzle:
    """Return a puzzle from one character per cell, without loading a reader for texts."""
    return Puzzle(Shape.square(side), tuple(None if sign == "." else int(sign) for sign in line))


def tried(puzzle: Puzzle, selection: Selection, time_limit: float | None) -> None:
    """Solve a puzzle, to load or compile what the engine needs for a search; errors appear later, in the run."""
    ask(puzzle, selection, unique=True, time_limit=time_limit)


def prepare(puzzle: Puzzle, selection: Selection) -> None:
    """Compile the board and make its tables, so that no measured run includes this; errors appear in the run."""
    with suppress(Exception):
        road.prepare(puzzle.structure, selection)


def measured(puzzle: Puzzle, selection: Selection, question: RunQuestion) -> dict[str, Any]:
    """Run a question on an engine; return the verdict, its reason and its costs, as ``Row`` names them.

    Instead of a digest the result has ``solutions``, the first ``question.keep`` that were found: the parent checks
    them itself.
    ``cpu`` and ``memory`` are for this process and for children that have ended.
    """
    relabelling = Relabelling.of_puzzle(puzzle, question.relabel)
    asked = relabelling(puzzle) if relabelling else puzzle
    before = _children_cpu()
    _reset_peak()
    cpu = time.process_time()
    answer, record, solutions, count = _asked(asked, selection, question)
    cpu = time.process_time() - cpu
    below = _children_cpu() - before
    if relabelling:
        solutions = [relabelling.undone(solution[: puzzle.shape.cells]) for solution in solutions]
    fields: dict[str, Any] = record.as_dict() if record is not None else {}
    return {
        "asked": str(question.goal if answer.proved else Goal.FIRST),
        "status": str(answer.verdict),
        "unique": answer.unique,
        "reason": answer.reason[:LONGEST],
        "wall": answer.wall,
        "cpu": cpu + below,
        "phases": fields.get("phases", {}),
        "sizes": fields.get("sizes", {}),
        "notes": fields.get("notes", [])[:NOTES],
        "isolated": fields.get("isolated", False),
        "solutions": solutions,
        "count": count,
        "memory": None if below or fields.get("isolated") else _peak(),
    }


def with_phases(fields: dict[str, Any], record: Record) -> dict[str, Any]:
    """Add the phases that came before a measured run to its costs."""
    if not record.phases:
        return fields
    before = record.as_dict()["phases"]
    fields["wall"] += sum(phase["wall"] for phase in before.values())
    fields["cpu"] += sum(phase["cpu"] for phase in before.values())
    return {**fields, "phases": {**before, **fields["phases"]}}


def used() -> float:
    """Return the CPU seconds so far of this process and of its children that have ended."""
    return time.process_time() + _children_cpu()


def _asked(puzzle: Puzzle, selection: Selection, question: RunQuestion) -> _Asked:
    goal = question.goal.of(selection)
    if goal is not Goal.FIRST:
        return _several(puzzle, selection, question, COUNTED + 1 if goal is Goal.COUNT else 2)
    answer = ask(puzzle, selection, time_limit=question.time_limit, seed=question.seed)
    record = answer.result.record if answer.result is not None else None
    return answer, record, [] if answer.solution is None else [answer.solution], None


def _several(puzzle: Puzzle, selection: Selection, question: RunQuestion, limit: int) -> _Asked:
    """Search for up to ``limit`` solutions; the road checks each, and that none is repeated. The first are kept."""
    start, record, count = time.perf_counter(), Record(), 0
    met: list[tuple[int, ...]] = []
    request = Request(puzzle.domains, limit, None, question.time_limit, None, question.seed, confirm=False)
    try:
        with road.run(puzzle.structure, selection, request, record) as run:
            for solution in run:
                count += 1
                met += [solution] if count <= question.keep else []
            verdict, reason = _verdict(run.outcome, limit)
    except Exception as error:
        verdict, reason = verdict_of(error), str(error)
    wall = time.perf_counter() - start
    unique = count == 1 if verdict.settled else False if count > 1 else None
    answer = Answer(str(selection), verdict, unique, None, reason, wall, None, proved=True)
    return answer, record, met, count if question.goal is Goal.COUNT else None


def _verdict(outcome: Outcome, limit: int) -> tuple[Verdict, str]:
    if outcome.complete or outcome.count >= limit:
        return (Verdict.SOLVED if outcome.count else Verdict.UNSATISFIABLE), ""
    kinds = {Reason.TIME: Verdict.TIMEOUT, Reason.MEMORY: Verdict.OUT_OF_MEMORY}
    return kinds.get(outcome.reason, Verdict.UNKNOWN), str(outcome.reason)


def _children_cpu() -> float:
    """Return the CPU seconds of children that have ended and were waited for."""
    import resource  # not on Windows, where comparisons can be read

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def has_strays() -> bool:
    """Return whether an engine left a process behind: any descendant except warm children waiting for work."""
    if not has_children():
        return False
    return not tree.SEEN or not processes.waiting().issuperset(tree.descendants(os.getpid()))


def has_children() -> bool:
    """Return whether this process has any descendants."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


@lru_cache(maxsize=1)
def _files() -> tuple[int, int] | None:
    """Return this process's open files for resetting and reading its peak memory; None if there are none."""
    try:
        return os.open("/proc/self/clear_refs", os.O_WRONLY), os.open("/proc/self/status", os.O_RDONLY)
    except OSError:
        return None


def _reset_peak() -> None:
    files = _files()
    if files:
        with suppress(OSError):
            os.write(files[0], b"5")


def _peak() -> int | None:
    """Return the peak resident bytes of this process since the reset."""
    files = _files()
    if not files:
        return None
    try:
        status = os.pread(files[1], 4096, 0)
    except OSError:
        return None
    start = status.find(b"VmHWM:")
    return None if start < 0 else int(status[start + 6 : status.index(b"kB", start)]) * 1024
