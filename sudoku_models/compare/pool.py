"""Measured runs on one machine: workers are started, warmed, watched from outside, killed at a limit, and replaced.

A worker is a child process of the engine room that belongs to one backend and takes one run at a time. It is sent
models without their rules: what it finds is checked and judged here, so a rule may be one that only this process knows.
"""

from __future__ import annotations

import os
import random
import selectors
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine import tree
from ..engine.contract import Closable, Feature
from ..engine.registry import is_ours
from ..engine.workers import Child, bare, portable
from ..errors import BackendCrashed, Unsupported
from ..model import Model
from ..puzzle import Puzzle
from . import measuring
from .machine import Gauge
from .measuring import Fields, RunQuestion
from .plan import COUNTED, Job, Plan, StatedModel

if TYPE_CHECKING:
    from ..make.symmetry import Transformation

LOOK = 0.02
"""Seconds between two checks of the processes of a run."""

IDLE = 16
"""The number of idle workers that are kept besides those at work."""

GENERATIONS = 8
"""The most times that the workers are replaced by new ones during the repeats."""

TRIES = 3
"""The most times that a run is restarted if its worker died before the run began."""

GRACE, SLACK = 0.25, 0.02
"""Seconds after the limit in which an engine that observes limits itself may still report, and for sending an answer.
"""

WARMING = 60.0
"""Seconds for loading an engine: its modules, its code, a first board."""

TRYING, TRIALS = 15.0, 5
"""The same for backends of other packages: at least ``TRYING`` seconds, otherwise ``TRIALS`` times the limit of a run,
up to ``WARMING``. Backends of this package are known to compile code there and to end. An engine that needs longer runs
without having been loaded.
"""

STARTING = 60.0
"""Seconds for the start of a worker that loads no engine."""

STEPS: dict[str, Callable[..., Fields]] = {
    "load": measuring.load,
    "model": measuring.state,
    "run": measuring.carry_out,
}
"""What a worker is asked to do, in this order."""

WHERE = {
    "load": " while its process started",
    "model": " while the board was compiled",
}
"""The words added to a reason, by the step in which a run was stopped."""


class Worker(Child):
    """A child process that runs one engine, one run at a time.

    ``base`` is the CPU time that it had used before the present step, ``children`` says that it has descendants,
    ``strays`` that the engine left some behind which are not waiting for its next run, ``most`` is the largest memory
    seen from outside.
    """

    def __init__(self) -> None:
        super().__init__()
        self.known: set[int] = set()
        self.base, self.children, self.strays = 0.0, False, False

    def take(self, job: Job, state: Fields, steps: deque[tuple[Any, ...]], undo: Transformation | None) -> None:
        """Take a run with what must be done for it; ``state`` is that of the machine when it began.

        ``undo`` leads from the solutions of a relabelled puzzle back to those of the puzzle.
        """
        self.job, self.state, self.steps, self.undo = job, state, steps, undo

    def advance(self, plan: Plan) -> None:
        """Begin the next step; BackendCrashed if the process is gone."""
        self.step, *content = self.steps.popleft()
        self.began = self.looked = time.monotonic()
        self.most = 0
        seconds = allowed(plan, self.job, self.step, warm=self.step != "load" or content[1])
        self.deadline = None if seconds is None else self.began + seconds
        self.begin(None)
        self.send(("call", partial(measuring.answered, STEPS[self.step], *content), None))

    def arrived(self, plan: Plan) -> Fields | None:
        """Return the result of the run when it is over; otherwise go on. BackendCrashed if the process has died."""
        self.fill()
        frame = self.frame()
        if frame is None:
            return None
        kind, message = frame
        if kind == "error":
            if isinstance(message, BackendCrashed):
                raise message
            return {"status": "error", "reason": str(message)}
        self.children, self.strays = bool(message.pop("children", False)), bool(message.pop("strays", False))
        if self.children and self.step == "run":
            message |= {"cpu": self.cpu(), "memory": None}
        total = message.pop("total", self.base)
        self.base = tree.cpu(self.process.pid) if self.children else total
        if self.step != "run" and "status" not in message:
            self.advance(plan)
            return None
        if self.undo and message.get("solutions"):
            shape = self.job.instance.puzzle.shape
            message["solutions"] = [self.undo.moved(solution, shape) for solution in message["solutions"]]
        return bounded(plan, message)

    def look(self, plan: Plan) -> Fields | None:
        """Check the processes from outside; return an answer if a limit is reached: they must be killed."""
        self.looked = time.monotonic()
        memory = tree.memory(self.process.pid)
        self.most = max(self.most, memory)
        if plan.memory_limit is not None and memory > plan.memory_limit:
            return self.stopped("out of memory", "memory limit")
        if self.deadline is not None and self.looked > self.deadline:
            return self.stopped("timeout", "time limit")
        if plan.cpu_limit is not None and self.step != "load" and self.cpu() > plan.cpu_limit:
            return self.stopped("timeout", "CPU limit")
        return None

    def cpu(self) -> float:
        """Return the CPU seconds of all processes in this step, seen from outside."""
        return max(0.0, tree.cpu(self.process.pid) - self.base)

    def stopped(self, status: str, reason: str) -> Fields:
        """Return what is known of a run that ends here."""
        peak = tree.peak(self.process.pid)
        return {
            "status": status,
            "reason": reason + WHERE.get(self.step, ""),
            "wall": self.looked - self.began,
            "cpu": self.cpu() if tree.SEEN else None,
            "memory": peak if peak is None else max(peak, self.most),
        }

    def dead(self, reason: str) -> Fields:
        """Return the result of a run whose process has died."""
        return {"status": "crash", "reason": reason, "wall": time.monotonic() - self.began}


Ended = tuple[Job, Fields]
"""A run that is over, and its result."""


class Pool(Closable):
    """Runs jobs, ``plan.parallel`` at a time. Close it (or use ``with``) to end all its workers.

    ``started`` is called with each job when its run begins. Each repeat runs on its own workers (many repeats share
    ``GENERATIONS`` of them), so that the spread of the repeats includes the differences between processes.
    """

    def __init__(self, plan: Plan, started: Callable[[Job], object] | None = None) -> None:
        if os.name != "posix":
            raise Unsupported("measured runs need Linux or macOS")
        self.plan, self.started = plan, started
        self._selector = selectors.DefaultSelector()
        self._idle, self._active = list[Worker](), list[Worker]()
        self._numbers: dict[Model, int] = {}
        self._unloadable: set[str] = set()
        self._tries = Counter[int]()
        self._gauge = Gauge()

    def close(self) -> None:
        """End all workers."""
        for worker in [*self._active, *self._idle]:
            worker.kill()
        self._active.clear()
        self._idle.clear()
        self._selector.close()

    def run(self, jobs: Iterator[Job]) -> Iterator[Ended | None]:
        """Yield the result of each job as it ends, and None while runs take longer."""
        more = True
        while True:
            while more and len(self._active) < self.plan.parallel:
                job = next(jobs, None)
                more = job is not None
                if job is not None and (entry := self._begin(job, self._gauge.reading())):
                    yield entry
            if not self._active:
                return
            yield from self._ended()

    def _begin(self, job: Job, state: Fields) -> Ended | None:
        """Start a run, and keep the machine's state with it; return a result only if no worker takes the run."""
        if self.started:
            self.started(job)
        while True:
            worker = self._worker(job, state)
            self._active.append(worker)
            try:
                worker.advance(self.plan)
                return None
            except BackendCrashed:
                self._drop(worker)
                if self._give_up(job):
                    return self._result(worker, worker.dead("its process could not be started"))

    def _worker(self, job: Job, state: Fields) -> Worker:
        """Return a worker with a run, and with what it must be sent for that."""
        plan, puzzle, steps = self.plan, job.instance.puzzle, deque[tuple[Any, ...]]()
        worker = self._waiting(job)
        if worker is None:
            worker = Worker()
            self._selector.register(worker.output, selectors.EVENT_READ, worker)
            warm = not plan.cold and job.spec not in self._unloadable
            steps.append(("load", portable(job.selection), warm, plan.time_limit))
        number = self._numbers.setdefault(puzzle.structure, len(self._numbers))
        if number not in worker.known:
            worker.known.add(number)
            steps.append(("model", number, bare(puzzle.structure), not plan.cold))
        moved = None if job.takes_seed else relabelling(puzzle, job.seed)
        domains = moved(puzzle).domains if moved else puzzle.domains
        # every solution of a puzzle with rules is judged here; two show that another one is not the only one
        keep = COUNTED + 1 if puzzle.rules else 2
        question = RunQuestion(plan.goal, plan.time_limit, job.seed if job.takes_seed else 0, keep)
        steps.append(("run", number, domains, question))
        worker.take(job, state, steps, moved and moved.inverse(puzzle.shape))
        return worker

    def _waiting(self, job: Job) -> Worker | None:
        """Take a worker that waits for this engine's next run; workers of an earlier repeat are ended."""
        for worker in [worker for worker in self._idle if worker.job.spec == job.spec]:
            if self._generation(worker.job) == self._generation(job):
                self._idle.remove(worker)
                return worker
            self._drop(worker)
        return None

    def _generation(self, job: Job) -> int:
        return job.repeat * min(self.plan.repeats, GENERATIONS) // self.plan.repeats

    def _drop(self, worker: Worker) -> None:
        self._selector.unregister(worker.output)
        worker.kill()
        for workers in (self._active, self._idle):
            if worker in workers:
                workers.remove(worker)

    def _ended(self) -> Iterator[Ended | None]:
        """Wait until something ends or needs a check."""
        nearest = min(worker.looked + LOOK for worker in self._active) - time.monotonic()
        events = self._selector.select(max(0.0, min(nearest, LOOK)) + 0.0005)
        if not events:
            yield None
        for key, _ in events:
            if key.data in self._idle:  # it died while it waited for work
                self._drop(key.data)
            elif key.data in self._active and (entry := self._heard(key.data)):
                yield entry
        for worker in list(self._active):
            answer = worker.look(self.plan) if time.monotonic() - worker.looked >= LOOK else None
            if answer and (entry := self._lost(worker, answer)):
                yield entry

    def _heard(self, worker: Worker) -> Ended | None:
        """Read from a worker; return the result of its run when it is over, also when it has died."""
        try:
            answer = worker.arrived(self.plan)
        except BackendCrashed as error:
            return self._lost(worker, worker.dead(str(error)), again=worker.step != "run")
        if answer is None:
            return None
        if worker.strays or self.plan.cold:
            self._drop(worker)
        else:
            self._active.remove(worker)
            self._idle.append(worker)
            while len(self._idle) > IDLE:
                self._drop(self._idle[0])
        return self._result(worker, answer)

    def _lost(self, worker: Worker, answer: Fields, again: bool = False) -> Ended | None:
        """End a worker that died or reached a limit; return the result of its run.

        An engine that could not be loaded runs unloaded, and one that died before the run is started ``again``.
        """
        self._drop(worker)
        if worker.step == "load":
            self._unloadable.add(worker.job.spec)
        if (again or worker.step == "load") and not self._give_up(worker.job):
            return self._begin(worker.job, worker.state)
        return self._result(worker, answer)

    def _give_up(self, job: Job) -> bool:
        self._tries[job.position] += 1
        return self._tries[job.position] >= TRIES

    def _result(self, worker: Worker, answer: Fields) -> Ended:
        return worker.job, {**answer, **worker.state}


def allowed(plan: Plan, job: Job, step: str, warm: bool) -> float | None:
    """Return the seconds that a step of a run may take; None if there is no limit."""
    limit = plan.time_limit
    if step == "load":
        if not warm:
            return STARTING
        return WARMING if limit is None or is_ours(job.selection) else min(WARMING, max(TRYING, TRIALS * limit))
    if limit is None:
        return None
    observed = Feature.TIME_LIMIT in job.selection.capabilities.features
    return limit + SLACK + (GRACE if observed and step == "run" else 0.0)


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


def relabelling(puzzle: Puzzle | StatedModel, seed: int) -> Transformation | None:
    """Draw a symmetry of a puzzle: a fair seed for an engine that takes none.

    None if nothing changes: for seed 0, and if rules name cells and values. Irregular regions only allow other names
    for the values.
    """
    if not seed or not isinstance(puzzle, Puzzle) or puzzle.rules:
        return None
    from ..make.arrays import blocks  # which loads numpy
    from ..make.symmetry import Transformation, random_cells

    shape, rng = puzzle.shape, random.Random(f"relabel/{seed}/{puzzle.shape}")
    cells = random_cells(shape, rng) if blocks(shape) else tuple(range(shape.cells))
    return Transformation(cells, tuple(rng.sample(shape.values, len(shape.values))))
