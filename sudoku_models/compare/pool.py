"""The workers of one machine: starts runs on them, enforces limits from outside, replaces those that die."""

from __future__ import annotations

import os
import selectors
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..errors import Unsupported
from .machine import Gauge
from .plan import Job, Plan
from .workers import LOADING, Fields, Worker, WorkerTask, bounded, steps

if TYPE_CHECKING:
    from .worker import Board


LOOK = 0.02
"""Seconds between two checks of the processes of a run."""

IDLE = 16
"""The number of idle workers that are kept besides those at work."""

GENERATIONS = 8
"""The most times that the workers are replaced by new ones during the repeats."""

TRIES = 3
"""The most times that a run is restarted if its worker died before the run began."""


class Pool:
    """Runs jobs, ``plan.parallel`` at a time. Close it (or use ``with``) to end all its workers.

    ``started`` is called with each job when its run begins. Each repeat runs on its own workers (many repeats share
    ``GENERATIONS`` of them), so that the spread of the repeats includes the differences between processes.
    """

    def __init__(self, plan: Plan, started: Callable[[Job], object] | None = None) -> None:
        if os.name != "posix":
            raise Unsupported("measured runs need Linux or macOS")
        self.plan, self.started = plan, started
        self._selector = selectors.DefaultSelector()
        self._idle: OrderedDict[Worker, tuple[str, int]] = OrderedDict()
        self._active: dict[Worker, WorkerTask] = {}
        self._boards: dict[Board, int] = {}
        self._unloadable: set[str] = set()
        self._tries: defaultdict[int, int] = defaultdict(int)
        self._gauge = Gauge()
        self._readings: dict[int, Fields] = {}

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers."""
        for worker in [*self._active, *self._idle]:
            worker.kill()
        self._active.clear()
        self._idle.clear()
        self._selector.close()

    def run(self, jobs: Iterator[Job]) -> Iterator[tuple[Job, Fields] | None]:
        """Yield the result of each job as it ends, and None while runs take longer."""
        more = True
        while True:
            while more and len(self._active) < self.plan.parallel:
                job = next(jobs, None)
                more = job is not None
                if job is not None:
                    self._readings[job.position] = self._gauge.reading()
                    yield from map(self._read, self._begin(job))
            if not self._active:
                return
            for entry in self._ended():
                yield entry and self._read(entry)

    def _read(self, entry: tuple[Job, Fields]) -> tuple[Job, Fields]:
        """Add the state of the machine when the run began."""
        job, answer = entry
        return job, {**answer, **self._readings.pop(job.position, {})}

    def _begin(self, job: Job) -> Iterator[tuple[Job, Fields]]:
        """Start a run; yields immediately only if no worker could be started for it."""
        if self.started:
            self.started(job)
        while True:
            worker = self._waiting(job)
            task = self._task(job, worker or self._new(), fresh=worker is None)
            try:
                task.advance()
            except OSError:
                self._drop(task.worker)
                if self._give_up(job):
                    yield job, self._dead(task, "its process could not be started")
                    return
                continue
            self._active[task.worker] = task
            return

    def _task(self, job: Job, worker: Worker, fresh: bool) -> WorkerTask:
        puzzle = job.instance.puzzle
        number = self._boards.setdefault((puzzle.shape, puzzle.rules), len(self._boards))
        board = None if number in worker.boards else number
        worker.boards.add(number)
        warm = not self.plan.cold and job.spec not in self._unloadable
        return WorkerTask(self.plan, job, worker, steps(self.plan, job, board, number, fresh, warm))

    def _waiting(self, job: Job) -> Worker | None:
        """Take a worker that waits for this engine's next run; workers of an earlier repeat are ended."""
        for worker, (spec, generation) in list(self._idle.items()):
            if spec == job.spec and generation == self._generation(job):
                del self._idle[worker]
                return worker
            if spec == job.spec:
                self._drop(worker)
        return None

    def _generation(self, job: Job) -> int:
        return job.repeat * min(self.plan.repeats, GENERATIONS) // self.plan.repeats

    def _new(self) -> Worker:
        worker = Worker()
        self._selector.register(worker.output, selectors.EVENT_READ, worker)
        return worker

    def _drop(self, worker: Worker) -> None:
        self._selector.unregister(worker.output)
        worker.kill()
        self._active.pop(worker, None)
        self._idle.pop(worker, None)

    def _ended(self) -> Iterator[tuple[Job, Fields] | None]:
        """Wait until something ends or needs a check."""
        events = self._selector.select(self._patience())
        if not events:
            yield None
        for key, _ in events:
            worker: Worker = key.data
            task = self._active.get(worker)
            if task is None:  # it died while it waited for work
                self._drop(worker)
            elif found := self._heard(task):
                yield task.job, found
        for task in list(self._active.values()):
            answer = task.look() if time.monotonic() - task.looked >= LOOK else None
            if answer and (found := self._stopped(task, answer)):
                yield task.job, found

    def _patience(self) -> float:
        now = time.monotonic()
        nearest = min(task.looked + LOOK for task in self._active.values())
        return max(0.0, min(nearest - now, LOOK)) + 0.0005

    def _heard(self, task: WorkerTask) -> Fields | None:
        """Read from a worker; return the result of its run when it is over."""
        try:
            if not task.arrived():
                return None
        except (EOFError, OSError, ValueError) as error:
            return self._lost(task, error)
        assert task.answer is not None
        self._free(task, kill=task.strays or self.plan.cold)
        return bounded(self.plan, task.answer)

    def _free(self, task: WorkerTask, kill: bool) -> None:
        del self._active[task.worker]
        if kill:
            self._drop(task.worker)
            return
        self._idle[task.worker] = task.job.spec, self._generation(task.job)
        while len(self._idle) > IDLE:
            self._drop(next(iter(self._idle)))

    def _lost(self, task: WorkerTask, error: Exception) -> Fields | None:
        """Handle the death of a worker: during its run that is the result; before it, the run is started on another."""
        answer = self._dead(task, str(error))
        self._drop(task.worker)
        if task.step in LOADING:
            self._unloadable.add(task.job.spec)
        if task.step != "run" and not self._give_up(task.job):
            return next((failed for _, failed in self._begin(task.job)), None)
        return answer

    def _give_up(self, job: Job) -> bool:
        self._tries[job.position] += 1
        return self._tries[job.position] >= TRIES

    def _dead(self, task: WorkerTask, reason: str) -> Fields:
        wall = time.monotonic() - task.began
        return {"status": "crash", "unique": None, "reason": reason, "wall": wall}

    def _stopped(self, task: WorkerTask, answer: Fields) -> Fields | None:
        """Kill a worker that reached a limit. An engine that cannot be loaded within it runs unloaded."""
        self._drop(task.worker)
        if task.step in LOADING:
            self._unloadable.add(task.job.spec)
            if not self._give_up(task.job):
                return next((failed for _, failed in self._begin(task.job)), None)
        return answer
