"""Run a plan on many machines: any executor runs its shards, each on the warm workers of the process that
receives it.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ..engine.registry import select
from ..engine.workers import portable
from ..errors import SudokuModelsError
from .cluster import workers
from .journal import Journal
from .machine import machine
from .plan import Instance, Job, Plan, takes_seed
from .pool import Pool
from .rows import Row, row_of

SIZE = 32
"""Runs in a shard: enough to make sending it cheap, and few enough that little is lost with a machine."""

AHEAD = 64
"""The most shards that are submitted and not finished."""

RESTING = 30.0
"""Seconds after which idle workers are ended."""


DESERTED = 60.0
"""Seconds without any worker of a cluster, or without its scheduler, after which waiting ends."""

LOOK = 5.0
"""Seconds between two checks whether a cluster has workers."""


class ShardsLost(SudokuModelsError):
    """An executor could not run some shards; their runs are missing and can be run later."""


@dataclass(frozen=True)
class RunShard:
    """Runs of a plan in the form in which they are sent: backends by specification if possible."""

    settings: Plan
    backends: tuple[Any, ...]
    runs: tuple[tuple[Instance, int, int, int, int], ...]
    """Instance, index of the backend, seed, repeat, position."""

    @classmethod
    def of(cls, plan: Plan, jobs: list[Job]) -> RunShard:
        """Return the runs of a plan for these jobs, in a form that can be sent."""
        index = {str(selection): i for i, selection in enumerate(plan.backends)}
        runs = tuple((j.instance, index[j.spec], j.seed, j.repeat, j.position) for j in jobs)
        return cls(replace(plan, backends=()), tuple(map(portable, plan.backends)), runs)

    def plan(self) -> Plan:
        """Return the plan with one run at a time, as one process executes it."""
        return replace(self.settings, backends=tuple(map(select, self.backends)), parallel=1)

    def jobs(self, plan: Plan) -> Iterator[Job]:
        """Yield the runs."""
        for instance, backend, seed, repeat, position in self.runs:
            selection, spec = plan.backends[backend], plan.names[backend]
            yield Job(instance, selection, spec, takes_seed(selection), seed, repeat, position)


def run_shards(plan: Plan, jobs: Iterator[Job], executor: Executor, journal: Journal | None) -> Iterator[Row | None]:
    """Yield the rows of all jobs as their shards finish, in any order; ShardsLost at the end if some failed."""
    waiting: set[Future[Any]] = set()
    lost: list[BaseException] = []
    shards, watch = iter(lambda: list(islice(jobs, SIZE)), []), _Watch(executor)
    try:
        while True:
            while len(waiting) < AHEAD and not lost and (shard := next(shards, None)):
                try:
                    waiting.add(executor.submit(run_shard, RunShard.of(plan, shard)))
                except Exception as error:  # a cluster without its scheduler may raise anything
                    lost.append(error)
            if not waiting:
                break
            done, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
            yield None
            for future in done:
                yield from _arrived(future, lost, journal)
            if watch.deserted:
                reason = f"for {DESERTED:.0f} s the cluster had no worker, or no scheduler"
                raise ShardsLost(f"{len(waiting)} shards of runs were not returned: {reason}")
    finally:
        for future in waiting:
            future.cancel()
    if lost:
        raise ShardsLost(
            f"{len(lost)} shards of runs were not returned: {type(lost[0]).__name__}: {lost[0]}"
        ) from lost[0]


class _Watch:
    """Checks from time to time whether a cluster still has workers."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self._looked = self._seen = time.monotonic()

    @property
    def deserted(self) -> bool:
        """Return whether there have been no workers for a long time; always False for an executor that is not a
        cluster.
        """
        now = time.monotonic()
        if now - self._looked >= LOOK:
            self._looked = now
            if workers(self.executor) != 0:
                self._seen = now
        return now - self._seen >= DESERTED + LOOK


def _arrived(future: Future[Any], lost: list[BaseException], journal: Journal | None) -> Iterator[Row]:
    error = CancelledError("the cluster gave it up") if future.cancelled() else future.exception()
    if error is not None:
        lost.append(error)
        return
    host, rows = future.result()
    if journal:
        journal.host(host["host"], host)
    yield from map(Row.parse, rows)


def run_shard(shard: RunShard) -> tuple[dict[str, Any], list[str]]:
    """Run a shard in this process; return the machine and the rows as JSON. One shard at a time in each process."""
    with _lock, _slot(shard.settings.parallel):
        pool = _pool(shard)
        try:
            found = [row_of(pool.plan, *entry).json() for entry in pool.run(shard.jobs(pool.plan)) if entry]
        except BaseException:
            pool.close()
            raise
        _rest(pool)
    return machine(), found


_lock = threading.Lock()
_kept: list[tuple[Plan, Pool, threading.Timer | None]] = []


def _pool(shard: RunShard) -> Pool:
    """Return the workers of this process: those of the last shard if it had the same plan."""
    plan = shard.plan()
    while _kept:
        known, pool, timer = _kept.pop()
        if timer:
            timer.cancel()
        if known == plan:
            return pool
        pool.close()
    return Pool(plan)


def _rest(pool: Pool) -> None:
    """Keep the workers for the next shard, for a limited time."""
    timer = threading.Timer(RESTING, _end_resting)
    timer.daemon = True
    _kept.append((pool.plan, pool, timer))
    timer.start()


def _end_resting() -> None:
    with _lock:
        while _kept:
            _, pool, _ = _kept.pop()
            pool.close()


@contextmanager
def _slot(count: int) -> Iterator[None]:
    """Hold one of this machine's ``count`` slots for measured runs; it is released when this process ends."""
    import fcntl

    names = [Path(tempfile.gettempdir()) / f"sudoku-models-{os.getuid()}-{i}.lock" for i in range(count)]
    files = [name.open("a") for name in names]
    try:
        while not any(_taken(file, fcntl) for file in files):
            time.sleep(0.01)
        yield
    finally:
        for file in files:
            file.close()


def _taken(file: Any, fcntl: Any) -> bool:
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
