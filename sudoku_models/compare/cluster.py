"""Run a plan on many machines: any executor runs its shards, each on the warm workers of the process that receives it.

dask.distributed, the extra ``cluster``, brings executors on a cluster.
"""

from __future__ import annotations

import os
import re
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from ..engine.registry import select
from ..engine.workers import portable
from ..errors import SudokuModelsError, Unusable
from .journal import Journal
from .machine import machine
from .plan import Job, Plan
from .pool import Pool
from .rows import Row, row_of

LOCAL = "local"
PATIENCE = "20s"
HEARD = 5.0
"""Seconds within which a scheduler must respond at its address."""

_ADDRESS = re.compile(r"(?:(?:tcp|tls|wss?)://)?(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+):(\d{1,5})/?\Z")

SIZE = 32
"""Runs in a shard: enough to make sending it cheap, and few enough that little is lost with a machine."""

AHEAD = 64
"""The most shards that are submitted and not finished."""

RESTING = 30.0
"""Seconds after which idle workers are ended."""

DESERTED, LOOK = 60.0, 5.0
"""Seconds without any worker of a cluster, or without its scheduler, after which waiting ends; and between two looks.
"""


class NoCluster(Unusable):
    """A cluster cannot be reached, or a package that it needs is not installed."""


class ShardsLost(SudokuModelsError):
    """An executor could not run some shards; their runs are missing and can be run later."""


def check(scheduler: str) -> None:
    """Raise NoCluster for an invalid address, if nothing responds there, or if dask.distributed is not installed."""
    if find_spec("distributed") is None:
        raise NoCluster("a cluster needs dask.distributed: pip install 'sudoku-models[cluster]'")
    if scheduler == LOCAL:
        return
    match = _ADDRESS.match(scheduler)
    if not match or not 0 < int(match[2]) < 65536:
        raise NoCluster(f"{scheduler!r} is not a scheduler: {LOCAL}, or an address such as tcp://host:8786 is expected")
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), HEARD).close()
    except OSError as error:
        raise NoCluster(f"the scheduler {scheduler} cannot be reached: {error}") from error


@contextmanager
def executor(scheduler: str = LOCAL, parallel: int = 1) -> Iterator[Executor]:
    """Return an executor on a scheduler (``tcp://host:port``), or on a new local cluster of ``parallel`` processes."""
    check(scheduler)
    import distributed

    module: Any = distributed
    where: dict[str, Any] = {"address": scheduler, "timeout": PATIENCE}
    if scheduler == LOCAL:
        where = {"n_workers": parallel, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    try:
        client = module.Client(**where, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoCluster(f"the scheduler {scheduler} cannot be reached: {error}") from error
    try:
        yield client.get_executor(pure=False)
    finally:
        with suppress(Exception):  # the scheduler may be gone, and then there is nothing to close
            client.close()


def _is_deserted(executor: Executor) -> bool:
    """Return whether a cluster has no worker, or no scheduler that responds; False for any other executor."""
    client: Any = getattr(executor, "_client", None)
    if client is None:
        return False
    try:
        return client.status != "running" or not client.sync(client.scheduler.ncores, callback_timeout=HEARD)
    except Exception:  # whatever the cluster's own library raises without a response
        return True


def run_shards(plan: Plan, jobs: Iterator[Job], executor: Executor, journal: Journal | None) -> Iterator[Row | None]:
    """Yield the rows of all jobs as their shards finish, in any order; ShardsLost at the end if some failed."""
    settings, backends = replace(plan, backends=()), tuple(map(portable, plan.backends))
    unsent: Any = None  # selections are made anew where a shard runs
    waiting, lost = set[Future[Any]](), list[BaseException]()
    shards = iter(lambda: [replace(job, selection=unsent) for job in islice(jobs, SIZE)], [])
    looked = seen = time.monotonic()
    try:
        while True:
            while len(waiting) < AHEAD and not lost and (shard := next(shards, None)):
                try:
                    waiting.add(executor.submit(run_shard, settings, backends, shard))
                except Exception as error:  # a cluster without its scheduler may raise anything
                    lost.append(error)
            if not waiting:
                break
            done, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
            yield None
            for future in done:
                gone = CancelledError("the cluster gave it up") if future.cancelled() else future.exception()
                if gone is not None:
                    lost.append(gone)
                    continue
                host, rows = future.result()
                if journal:
                    journal.host(host)
                yield from map(Row.parse, rows)
            now = time.monotonic()
            if now - looked >= LOOK:
                looked, seen = now, seen if _is_deserted(executor) else now
            if now - seen >= DESERTED + LOOK:
                reason = f"for {DESERTED:.0f} s the cluster had no worker, or no scheduler"
                raise ShardsLost(f"{len(waiting)} shards of runs were not returned: {reason}")
    finally:
        for future in waiting:
            future.cancel()
    if lost:
        raise ShardsLost(
            f"{len(lost)} shards of runs were not returned: {type(lost[0]).__name__}: {lost[0]}"
        ) from lost[0]


# in the process that receives a shard


def run_shard(settings: Plan, backends: Sequence[Any], jobs: Sequence[Job]) -> tuple[dict[str, Any], list[str]]:
    """Run a shard of a plan, one run at a time; return the machine and the rows as JSON. One shard at a time in each
    process.
    """
    plan = replace(settings, backends=tuple(map(select, backends)), parallel=1)
    selected = (replace(job, selection=plan.named[job.spec]) for job in jobs)
    with _lock, _slot(settings.parallel):
        pool = _pool(plan)
        try:
            found = [row_of(plan, *entry).json() for entry in pool.run(selected) if entry]
        except BaseException:
            pool.close()
            raise
        # the workers are kept for the next shard, for a limited time
        timer = threading.Timer(RESTING, _end_resting)
        timer.daemon = True
        _kept.append((pool, timer))
        timer.start()
    return machine(), found


_lock = threading.Lock()
_kept: list[tuple[Pool, threading.Timer]] = []


def _forked() -> None:
    """Forget the workers of the process that this one is a fork of: the threads that watch them do not exist here."""
    global _lock
    _lock = threading.Lock()
    _kept.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _pool(plan: Plan) -> Pool:
    """Return the workers of this process: those of the last shard if it had the same plan."""
    while _kept:
        pool, timer = _kept.pop()
        timer.cancel()
        if pool.plan == plan:
            return pool
        pool.close()
    return Pool(plan)


def _end_resting() -> None:
    with _lock:
        while _kept:
            _kept.pop()[0].close()


@contextmanager
def _slot(count: int) -> Iterator[None]:
    """Hold one of this machine's ``count`` slots for measured runs; it is released when this process ends."""
    import fcntl

    def taken(file: Any) -> bool:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False

    names = [Path(tempfile.gettempdir()) / f"sudoku-models-{os.getuid()}-{i}.lock" for i in range(count)]
    files = [name.open("a") for name in names]
    try:
        while not any(map(taken, files)):
            time.sleep(0.01)
        yield
    finally:
        for file in files:
            file.close()
