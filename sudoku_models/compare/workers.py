"""Warm worker processes, seen from outside: one for each engine, killed with everything it started, then replaced."""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..engine import tree
from ..engine.contract import Feature
from ..engine.registry import is_ours
from ..engine.workers import ModuleProcess, portable
from ..model import Constraint, Variable
from ..puzzle import Shape
from ..puzzle.rules import Board, Filled, Group, Rule, each
from .asking import RunQuestion
from .plan import COUNTED, Job, Plan
from .worker import HEADER, MARK

GRACE = 0.25
"""Seconds after the limit in which an engine that observes limits itself may still report."""

SLACK = 0.02
"""Seconds allowed for sending an answer."""

WARMING = 60.0
"""Seconds for loading an engine: its modules, its code, a first board."""

TRYING = 15.0
"""The least seconds for a first small puzzle; otherwise ``TRIALS`` times the limit of a run, up to ``WARMING``.

The same applies to the steps before it for backends of other packages; backends of this package are known to compile
code there and to end. An engine that needs longer runs without having been loaded.
"""

TRIALS = 5

WHERE = {
    "hello": " while its process started",
    "try": " in a first small puzzle",
    "board": " while the board was compiled",
}
"""The words added to a reason, by the step in which a run was stopped."""

LOADING = ("hello", "try")
"""The steps before a worker takes its first board."""

STARTING = 60.0
"""Seconds for the start of a worker that loads no engine."""

Fields = dict[str, Any]
"""The result of a run, by the names of ``Row``."""


class Worker(ModuleProcess):
    """A child process that runs one engine, one run at a time."""

    def __init__(self) -> None:
        super().__init__("sudoku_models.compare.worker")
        assert self.process.stdin
        self.pid, self.input = self.process.pid, self.process.stdin.fileno()
        self.buffer = bytearray()
        self.boards: set[int] = set()
        self.base = 0.0

    def send(self, *message: Any) -> None:
        """Write one question; OSError if the worker is gone."""
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        view = memoryview(HEADER.pack(MARK, len(data)) + data)
        while view:
            view = view[os.write(self.input, view) :]

    def receive(self) -> Fields | None:
        """Read the available bytes; None while the answer is incomplete. Raises EOFError if the worker has died and
        ValueError if it wrote something that is not an answer.
        """
        data = os.read(self.output, 1 << 16)
        if not data:
            raise EOFError(f"the engine's process {self.death()}")
        self.buffer += data
        if len(self.buffer) < HEADER.size:
            return None
        mark, size = HEADER.unpack_from(self.buffer)
        if mark != MARK:
            raise ValueError("the engine's process wrote something that is not an answer")
        if len(self.buffer) < HEADER.size + size:
            return None
        message = json.loads(self.buffer[HEADER.size : HEADER.size + size])
        del self.buffer[: HEADER.size + size]
        if not isinstance(message, dict) or self.buffer:
            raise ValueError("the engine's process wrote something that is not an answer")
        return message


@dataclass
class WorkerTask:
    """A run on its way through a worker: loading, taking the board, running.

    ``children`` says that the worker has descendants, ``strays`` that the engine left some behind which are not waiting
    for its next run; ``most`` is the largest memory seen from outside.
    """

    plan: Plan
    job: Job
    worker: Worker
    steps: deque[tuple[Any, ...]]
    began: float = 0.0
    looked: float = 0.0
    most: int = 0
    step: str = ""
    deadline: float | None = None
    children: bool = False
    strays: bool = False
    answer: Fields | None = field(default=None)

    def advance(self) -> None:
        """Send the next step."""
        message = self.steps.popleft()
        self.step, self.began = message[0], time.monotonic()
        self.looked, self.most = self.began, 0
        allowed = self._allowed(warm=self.step == "hello" and message[2])
        self.deadline = None if allowed is None else self.began + allowed
        self.worker.send(*message)

    def _allowed(self, warm: bool) -> float | None:
        if self.step == "hello" and not warm:
            return STARTING
        limit = self.plan.time_limit
        if self.step in LOADING:
            known = self.step == "hello" and is_ours(self.job.selection)
            return WARMING if known or limit is None else min(WARMING, max(TRYING, TRIALS * limit))
        if limit is None:
            return None
        bounded = Feature.TIME_LIMIT in self.job.selection.capabilities.features
        return limit + SLACK + (GRACE if bounded and self.step == "run" else 0.0)

    def arrived(self) -> bool:
        """Read an available answer, and continue; return True when the run is over. Raises the errors of
        ``Worker.receive``.
        """
        message = self.worker.receive()
        if message is None:
            return False
        self.children, self.strays = bool(message.pop("children", False)), bool(message.pop("strays", False))
        if self.children and self.step == "run":
            message |= {"cpu": self.cpu(), "memory": None}
        total = message.pop("total", self.worker.base)
        self.worker.base = tree.cpu(self.worker.pid) if self.children else total
        if self.step != "run" and "status" not in message:
            self.advance()
            return False
        self.answer = message
        return True

    def look(self) -> Fields | None:
        """Check the worker's processes from outside; return an answer if a limit is reached: then they must be
        killed.
        """
        plan, pid = self.plan, self.worker.pid
        self.looked = time.monotonic()
        elapsed = self.looked - self.began
        memory = tree.memory(pid)
        self.most = max(self.most, memory)
        if plan.memory_limit is not None and memory > plan.memory_limit:
            return self.stopped("out of memory", "memory limit", elapsed)
        if self.deadline is not None and self.looked > self.deadline:
            return self.stopped("timeout", "time limit", elapsed)
        if plan.cpu_limit is not None and self.step not in LOADING and self.cpu() > plan.cpu_limit:
            return self.stopped("timeout", "CPU limit", elapsed)
        return None

    def cpu(self) -> float:
        """Return the CPU seconds of all the worker's processes in this step, seen from outside."""
        return max(0.0, tree.cpu(self.worker.pid) - self.worker.base)

    def stopped(self, status: str, reason: str, elapsed: float) -> Fields:
        """Return what is known of a run that ends here."""
        peak = tree.peak(self.worker.pid)
        return {
            "status": status,
            "unique": None,
            "reason": reason + WHERE.get(self.step, ""),
            "wall": elapsed,
            "cpu": self.cpu() if tree.SEEN else None,
            "memory": peak if peak is None else max(peak, self.most),
        }


def bounded(plan: Plan, answer: Fields) -> Fields:
    """Check an answer against the limits: one that came too late, or used too much, does not count."""
    wall, cpu, memory = answer.get("wall", 0.0), answer.get("cpu"), answer.get("memory")
    if answer["status"] not in ("solved", "unsatisfiable", "unknown", "error"):
        return answer
    if plan.memory_limit is not None and memory is not None and memory > plan.memory_limit:
        return {**answer, "status": "out of memory", "reason": "memory limit"}
    if plan.time_limit is not None and wall > plan.time_limit:
        return {**answer, "status": "timeout", "reason": "time limit"}
    if plan.cpu_limit is not None and cpu is not None and cpu > plan.cpu_limit:
        return {**answer, "status": "timeout", "reason": "CPU limit"}
    return answer


def steps(plan: Plan, job: Job, board: int | None, number: int, fresh: bool, warm: bool) -> deque[tuple[Any, ...]]:
    """Return what a worker must be sent for a run; ``board`` is None if it already has the board."""
    found: deque[tuple[Any, ...]] = deque()
    puzzle = job.instance.puzzle
    if fresh:
        found.append(("hello", portable(job.selection), warm))
        found.extend([("try", plan.time_limit)] if warm else [])
    if board is not None:
        found.append(("board", board, (puzzle.shape, sendable(puzzle.shape, puzzle.rules)), not plan.cold))
    fields = {"givens": puzzle.givens, "candidates": puzzle.candidates}
    found.append(("run", number, fields, question(plan, job)))
    return found


def question(plan: Plan, job: Job) -> RunQuestion:
    """Return the question of a run."""
    engine_seed = job.seed if job.takes_seed else 0
    keep = 2 if travel(job.instance.puzzle.rules) else COUNTED + 1
    return RunQuestion(plan.goal, plan.time_limit, engine_seed, 0 if job.takes_seed else job.seed, keep)


@dataclass(frozen=True)
class _AsConstraints(Rule):
    """All rules of a puzzle, as the constraints that they yield; the rules themselves judge in this process."""

    yielded: tuple[Constraint, ...]
    auxiliaries: tuple[tuple[Variable, tuple[Constraint, ...]], ...]
    brought: tuple[Group, ...]

    def groups(self, shape: Shape) -> Iterable[Group]:
        return self.brought

    def constraints(self, board: Board) -> Iterable[Constraint]:
        for variable, definition in self.auxiliaries:
            board.auxiliary(variable.name, variable.domain, *definition)
        return self.yielded

    def judge(self, grid: Filled) -> bool:
        return grid.satisfies(self.constraints)


def sendable(shape: Shape, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return the rules; if another process cannot import a class among them, one rule with all their constraints."""
    if travel(rules):
        return rules
    board = Board(shape, rules)
    yielded = tuple(constraint for rule in rules for constraint in rule.constraints(board))
    groups = tuple(group for name, group in board.groups.items() if name)
    return (_AsConstraints(yielded, tuple(board.auxiliaries.values()), groups),)


def travel(rules: tuple[Rule, ...]) -> bool:
    """Return whether another process can import the classes of rules; otherwise solutions are judged in this one."""
    return all(_importable(type(rule)) for rule in each(rules))


def _importable(kind: type) -> bool:
    module = sys.modules.get(kind.__module__)
    if module is None or module.__name__ == "__main__" or module.__spec__ is None:
        return False
    return getattr(module, kind.__qualname__, None) is kind
