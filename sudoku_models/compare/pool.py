"""Measured runs on one machine: workers are started, warmed, watched from outside, killed at a limit, and replaced.

A worker is a child process of the engine room that belongs to one backend and takes one run at a time. It is sent
models without their rules: what it finds is checked and judged here, so a rule may be one that only this process knows.
"""

from __future__ import annotations

import atexit
import os
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine import tree
from ..engine.budget import Budget, Interruption, OutOfMemory, OutOfTime
from ..engine.contract import Closable, Feature
from ..engine.workers import Child, bare, portable, receive
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
"""Seconds after which a caller that waits for the end of runs can do something else."""

IDLE = 16
"""The number of idle workers that are kept besides those at work."""

GENERATIONS = 8
"""The most times that the workers are replaced by new ones during the repeats."""

TRIES = 3
"""The most times that a run is begun if its worker dies before that."""

GRACE, SLACK = 0.25, 0.02
"""Seconds after the limit in which an engine that observes limits itself may still report, and for sending an answer.
"""

LOADING = 60.0
"""Seconds for the start of a worker and for loading its engine: its modules, its code, a first board. An engine that
needs longer runs without having been loaded.
"""

STEPS: dict[str, Callable[..., Fields]] = {
    "load": measuring.load,
    "model": measuring.state,
    "run": measuring.carry_out,
}
"""What a worker is asked to do, in this order."""

Step = tuple[Any, ...]
"""The name of a step, and what the worker is sent for it."""

WHERE = {
    "load": " while its process started",
    "model": " while the board was compiled",
}
"""The words added to a reason, by the step in which a run was stopped."""


class OutOfCpu(Interruption):
    """The CPU time of a run is spent."""


LIMITS = {
    OutOfTime: ("timeout", "time limit"),
    OutOfCpu: ("timeout", "CPU limit"),
    OutOfMemory: ("out of memory", "memory limit"),
}
"""The status and the reason of a run that reached a limit."""


class Worker(Child):
    """A child process that runs one engine, one run at a time, watched by one thread.

    ``base`` is the CPU time that it had used before the present step, ``children`` says that it has descendants,
    ``strays`` that the engine left some behind which are not waiting for its next run. It is ``lost`` once it died or
    reached a limit, and must be killed; ``begun`` says whether the run itself began.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan, self.known = plan, set[int]()
        self.base, self.children, self.strays, self.lost, self.begun = 0.0, False, False, False, False

    def work(self, job: Job, steps: Sequence[Step], budget: Budget) -> Fields:
        """Carry out the steps of a run until one has a status; return its result. Ends when the budget is cancelled."""
        answer: Fields = {}
        for name, *content in steps:
            self.step, self.job, self.lost, self.begun, since = name, job, True, False, time.monotonic()
            self.begin(None)
            try:
                with budget.part(allowed(self.plan, job, name)) as clock:
                    self.send(("call", partial(measuring.answered, STEPS[name], *content), None), clock)
                    self.begun = name == "run"
                    _, kind, message = receive([self], clock)
                answer = self._answer(kind, message)
            except BackendCrashed as error:
                answer = {"status": "crash", "reason": str(error), "wall": time.monotonic() - since}
            except Interruption as stop:
                status, reason = LIMITS[type(stop)]
                cpu, peak = self.cpu() if tree.SEEN else None, tree.peak(self.process.pid)
                answer = {"status": status, "reason": reason + WHERE.get(name, "")}
                answer |= {"wall": time.monotonic() - since, "cpu": cpu, "memory": peak}
            if "status" in answer:
                break
        return answer

    def exceeds(self, _: int | None) -> bool:
        """Return whether the processes use more memory than the plan allows; OutOfCpu for their CPU time."""
        if self.plan.cpu_limit is not None and self.step != "load" and self.cpu() > self.plan.cpu_limit:
            raise OutOfCpu
        return super().exceeds(self.plan.memory_limit)

    def _answer(self, kind: str, answer: Any) -> Fields:
        """Return the result of a step from what the process sent."""
        if isinstance(answer, BackendCrashed):
            raise answer
        self.lost = False
        if kind == "error":
            return {"status": "error", "reason": str(answer)}
        self.children, self.strays = bool(answer.pop("children", False)), bool(answer.pop("strays", False))
        if self.children and self.step == "run":
            answer |= {"cpu": self.cpu(), "memory": None}
        total = answer.pop("total", self.base)
        self.base = tree.cpu(self.process.pid) if self.children else total
        return bounded(self.plan, answer) if "status" in answer else {}

    def cpu(self) -> float:
        """Return the CPU seconds of all processes in this step, seen from outside."""
        return max(0.0, tree.cpu(self.process.pid) - self.base)


Ended = tuple[Job, Fields]
"""A run that is over, and its result."""


class Pool(Closable):
    """Runs jobs, ``plan.parallel`` at a time, each watched by a thread. Close it (or use ``with``) to end all workers.

    ``started`` is called with each job when its run begins. Each repeat runs on its own workers (many repeats share
    ``GENERATIONS`` of them), so that the spread of the repeats includes the differences between processes.
    """

    def __init__(self, plan: Plan, started: Callable[[Job], object] | None = None) -> None:
        if os.name != "posix":
            raise Unsupported("measured runs need Linux or macOS")
        self.plan, self.started = plan, started
        self._threads, self._budget = set[threading.Thread](), Budget()
        self._lock = threading.Lock()
        self._idle, self._active = list[Worker](), set[Worker]()
        self._numbers: dict[Model, int] = {}
        self._unloadable: set[str] = set()
        self._gauge = Gauge()
        atexit.register(self.close)  # a program may end in the middle of a run: later its threads could not end

    def close(self) -> None:
        """End all workers."""
        atexit.unregister(self.close)
        self._budget.cancel()
        for thread in list(self._threads):
            thread.join()
        for worker in [*self._active, *self._idle]:
            worker.kill()
        self._active.clear()
        self._idle.clear()

    def run(self, jobs: Iterator[Job]) -> Iterator[Ended | None]:
        """Yield the result of each job as it ends, and None while runs take longer."""
        ended = queue.SimpleQueue[Ended | BaseException]()

        def carry_out(job: Job, state: Fields) -> None:
            try:
                ended.put((job, self._result(job, state)))
            except BaseException as error:  # is raised to the caller
                ended.put(error)
            finally:
                self._threads.discard(threading.current_thread())

        running = 0
        while True:
            while running < self.plan.parallel and (job := next(jobs, None)):
                state = self._gauge.reading()
                if self.started:
                    self.started(job)
                # a daemon: where the program ends in the middle of a run, nothing waits for it before ``close``
                thread = threading.Thread(target=carry_out, args=(job, state), daemon=True)
                self._threads.add(thread)
                thread.start()
                running += 1
            if not running:
                return
            try:
                found = ended.get(timeout=LOOK)
            except queue.Empty:
                yield None
                continue
            running -= 1
            if isinstance(found, BaseException):
                raise found
            yield found

    def _result(self, job: Job, state: Fields) -> Fields:
        """Return the result of a run, with the state of the machine when it began.

        An engine that could not be loaded runs unloaded, and one that died before the run is started again.
        """
        puzzle, answer = job.instance.puzzle, dict[str, Any]()
        moved = None if job.takes_seed else relabelling(puzzle, job.seed)
        for _ in range(TRIES):
            with self._lock:
                worker, steps = self._worker(job, moved(puzzle).domains if moved else puzzle.domains)
            answer = worker.work(job, steps, self._budget)
            early = worker.lost and not worker.begun and (worker.step == "load" or answer["status"] == "crash")
            with self._lock:
                self._release(worker)  # from here on it may be at work for another thread
            if not early or self._budget.cancelled:
                break
        if moved and answer.get("solutions"):
            back = moved.inverse(puzzle.shape)
            answer["solutions"] = [back.moved(solution, puzzle.shape) for solution in answer["solutions"]]
        return {**answer, **state}

    def _worker(self, job: Job, domains: Any) -> tuple[Worker, list[Step]]:
        """Return a worker for a run, and its steps: what it must be sent for that."""
        plan, puzzle, steps = self.plan, job.instance.puzzle, list[Step]()
        worker = self._waiting(job)
        if worker is None:
            worker = Worker(plan)
            warm = not plan.cold and job.spec not in self._unloadable
            steps.append(("load", portable(job.selection), warm, plan.time_limit))
        self._active.add(worker)
        number = self._numbers.setdefault(puzzle.structure, len(self._numbers))
        if number not in worker.known:
            worker.known.add(number)
            steps.append(("model", number, bare(puzzle.structure), not plan.cold))
        # every solution of a puzzle with rules is judged here; two show that another one is not the only one
        keep = COUNTED + 1 if puzzle.rules else 2
        question = RunQuestion(plan.goal, plan.time_limit, job.seed if job.takes_seed else 0, keep)
        return worker, [*steps, ("run", number, domains, question)]

    def _waiting(self, job: Job) -> Worker | None:
        """Take a worker that waits for this engine's next run; those of an earlier repeat, or that died, are ended."""
        for worker in [worker for worker in self._idle if worker.job.spec == job.spec]:
            self._idle.remove(worker)
            if self._generation(worker.job) == self._generation(job) and worker.process.poll() is None:
                return worker
            worker.kill()
        return None

    def _generation(self, job: Job) -> int:
        return job.repeat * min(self.plan.repeats, GENERATIONS) // self.plan.repeats

    def _release(self, worker: Worker) -> None:
        """Keep a worker for the next run, unless it is not to be used again."""
        self._active.remove(worker)
        if worker.lost and worker.step == "load":
            self._unloadable.add(worker.job.spec)
        if worker.lost or worker.strays or self.plan.cold:
            worker.kill()
            return
        self._idle.append(worker)
        if len(self._idle) > IDLE:
            self._idle.pop(0).kill()


def allowed(plan: Plan, job: Job, step: str) -> float | None:
    """Return the seconds that a step of a run may take; None if there is no limit."""
    if step == "load":
        return LOADING
    if plan.time_limit is None:
        return None
    observed = Feature.TIME_LIMIT in job.selection.capabilities.features
    return plan.time_limit + SLACK + (GRACE if observed and step == "run" else 0.0)


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
