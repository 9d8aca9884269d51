"""One measured run inside a worker, a child process that keeps one engine and the models that it was sent.

``pool`` has these steps called there, one at a time: the engine is loaded and tried, a model is stated, a run is made.
Each answers with plain data. What an engine prints is discarded.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..engine import prepare, run, tree, workers
from ..engine.contract import Outcome, Reason, Request
from ..engine.record import Record
from ..engine.registry import Selection, select_for_comparing
from ..errors import Unsupported
from ..model import Domain, Model
from ..puzzle import Puzzle, Shape
from ..verbs.agreement import Verdict, verdict_of
from .plan import COUNTED, Goal

WARM_UPS = {4: [1, *[None] * 5, 2, *[None] * 4, 3, *[None] * 4], 9: [*range(1, 10), 4, 5, *[None] * 7, 7, *[None] * 62]}
"""Puzzles for loading an engine: a small one, and a classic one for engines that accept no other size."""

NOTES, LONGEST = 5, 500
"""The most notes of an adapter that are kept for a run, and the most characters of a reason."""

Fields = dict[str, Any]
"""The result of a run, by the names of ``Row``."""


@dataclass(frozen=True)
class RunQuestion:
    """What an engine is asked. ``time_limit`` is in seconds, ``keep`` the number of solutions to return."""

    goal: Goal
    time_limit: float | None
    seed: int = 0
    keep: int = 2


class _Worker:
    """What this process was sent: the engine's specification, the engine once it is loaded, the models by number."""

    spec: Any = None
    selection: Selection | None = None
    models: ClassVar[dict[int, Model]] = {}


def answered(step: Callable[..., Fields], *content: Any) -> Fields:
    """Carry out a step and return its result, with what this process has used; nothing is raised."""
    tree.inside = True  # the engine runs in this process: it is this one that is killed at a limit
    try:
        fields = step(*content)
        # what this process and its children that have ended have used
        return {
            **fields,
            "total": time.process_time() + _children_cpu(),
            "children": _has_children(),
            "strays": _has_strays(),
        }
    except MemoryError:
        return {"status": "out of memory", "reason": "the comparison's own process ran out of memory beside the engine"}
    except Exception as error:
        return {"status": "error", "reason": f"{type(error).__name__}: {error}"}


def load(spec: Any, warm: bool, time_limit: float | None) -> Fields:
    """Receive the engine to run. If the runs are to be warm, load it: compile a board that it accepts, and solve it.

    Errors of the engine appear later, in the run.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (1,) if os.environ.get("SUDOKU_MODELS_LOUD") else (1, 2):
        os.dup2(nowhere, fd)
    _Worker.spec = spec
    if warm:
        _Worker.selection = select_for_comparing(spec)
        first, classic = (Puzzle(Shape.square(side), tuple(givens)) for side, givens in WARM_UPS.items())
        try:
            prepare(first.structure, _Worker.selection)
        except Unsupported:
            first = classic
        except Exception:
            return {}
        with suppress(Exception):
            measured(first.structure, first.domains, _Worker.selection, RunQuestion(Goal.UNIQUE, time_limit))
        _settle()
    return {}


def state(number: int, model: Model, warm: bool) -> Fields:
    """Receive a model; compile it if the runs are to be warm; errors appear in the run."""
    _Worker.models[number] = model
    if warm:
        with suppress(Exception):
            prepare(model, select_for_comparing(_Worker.spec))
        _settle()
    return {}


def carry_out(number: int, domains: Mapping[str, Domain], question: RunQuestion) -> Fields:
    """Run once; if nothing was loaded before, loading is a phase of the run."""
    record = Record()
    if _Worker.selection is None:
        watch = record.stopwatch()
        _Worker.selection = select_for_comparing(_Worker.spec)
        watch.lap("load")
    fields, before = measured(_Worker.models[number], domains, _Worker.selection, question), record.as_dict()["phases"]
    for clock in ("wall", "cpu"):
        fields[clock] += sum(phase[clock] for phase in before.values())
    return {**fields, "phases": {**before, **fields["phases"]}}


def _settle() -> None:
    """Exclude permanent objects from garbage collection, so that no measured run includes scanning them."""
    gc.collect()
    gc.freeze()


def measured(model: Model, domains: Mapping[str, Domain], selection: Selection, question: RunQuestion) -> Fields:
    """Run a question on an engine; return the verdict, its reason and its costs, as ``Row`` names them.

    Instead of a digest the result has ``solutions``, the first ``question.keep`` that were found, for the parent to
    check itself. ``cpu`` and ``memory`` are for this process and for children that have ended.
    """
    goal, record, solutions, count = question.goal.of(selection), Record(), list[tuple[int, ...]](), 0
    limit = {Goal.FIRST: 1, Goal.UNIQUE: 2, Goal.COUNT: COUNTED + 1}[goal]
    request = Request(domains, limit, None, question.time_limit, None, question.seed, confirm=False)
    children = _children_cpu()
    reset = _peak_is_reset()
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        with run(model, selection, request, record) as found:
            for solution in found:
                count += 1
                if count <= question.keep:
                    solutions.append(solution)
            verdict, reason = _verdict(found.outcome, limit)
    except Exception as error:
        verdict, reason = verdict_of(error), str(error)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    below, fields = _children_cpu() - children, record.as_dict()
    unique = count == 1 if verdict.settled else False if count > 1 else None
    return {
        "asked": str(goal),
        "status": str(verdict),
        "unique": None if goal is Goal.FIRST else unique,
        "reason": reason[:LONGEST],
        "wall": wall,
        "cpu": cpu + below,
        "phases": fields.get("phases", {}),
        "sizes": fields.get("sizes", {}),
        "notes": fields.get("notes", [])[:NOTES],
        "isolated": record.isolated,
        "solutions": solutions,
        "count": count if goal is Goal.COUNT else None,
        "memory": tree.peak(os.getpid()) if reset and not (below or record.isolated) else None,
    }


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


def _has_strays() -> bool:
    """Return whether an engine left a process behind: any descendant except warm children waiting for work."""
    if not _has_children():
        return False
    return not tree.SEEN or not workers.waiting().issuperset(tree.descendants(os.getpid()))


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _peak_is_reset() -> bool:
    """Start to measure the peak memory of this process anew, where the system can do that."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
        return True
    return False
