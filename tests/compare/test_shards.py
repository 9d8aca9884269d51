"""A plan on executors: threads, processes, a real dask cluster of which a part is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare import Instance, Journal, Plan, Row, cluster, compare, distinct, instances, run
from sudoku_models.compare.cluster import ShardsLost

from ..planting import planted

__all__ = ["planted"]

ROOT = Path(__file__).parents[2]
PUZZLES = ["1.....2....3....", "1.3...2....3.4..", "11.............."]
SPECS = ["backtracking", "pycosat"]


def found() -> list[Instance]:
    return distinct(instances(PUZZLES))


@pytest.fixture(autouse=True)
def lasting_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let many repeats share two workers of each engine: no test here is about starting them."""
    monkeypatch.setattr("sudoku_models.compare.pool.GENERATIONS", 2)


@cache
def here() -> tuple[Row, ...]:
    """Return the rows of eight repeats without an executor."""
    return tuple(compare(PUZZLES, SPECS, repeats=8).rows)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_the_same_runs_as_without_an_executor(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 16)
    with kind(2) as executor:
        there = compare(PUZZLES, SPECS, repeats=8, executor=executor, directory=tmp_path)
    assert len(here()) == 48
    assert Counter(row.key for row in there.rows) == Counter(row.key for row in here())
    assert {(r.key, r.status, r.unique, r.position) for r in there.rows} == {
        (r.key, r.status, r.unique, r.position) for r in here()
    }
    said = Journal.open(tmp_path).provenance()
    assert said["hosts"].keys() == {row.host for row in there.rows}


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(("parallel", "least"), [(1, 1.0), (2, 0.0)])
def test_one_run_at_a_time_on_a_machine_unless_more_are_wanted(
    parallel: int, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 1)
    plan = Plan.of(["sleeper"], time_limit=0.3, repeats=6, parallel=parallel)
    with ProcessPoolExecutor(2) as executor:
        start = time.monotonic()
        rows = [row for row in run(plan, found()[:1], executor=executor) if row]
        elapsed = time.monotonic() - start
    assert [row.status for row in rows] == ["timeout"] * 6
    assert elapsed > least * sum(row.wall for row in rows)


class Forgetful(Executor):
    """Loses every second shard."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        future: Future[Any] = Future()
        if self.count % 2:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(RuntimeError("the machine is gone"))
        return future


def test_lost_shards_are_reported_and_made_up_for(tmp_path: Path) -> None:
    plan = Plan.of(["backtracking"], repeats=30)
    journal = Journal.create(tmp_path, plan, found())
    with pytest.raises(ShardsLost, match="the machine is gone"):
        list(run(plan, found(), journal, executor=Forgetful()))
    before = len(journal.done())
    assert 0 < before < 90
    rows = [row for row in run(plan, found(), journal) if row]
    assert len(rows) == 90 - before
    assert len(list(journal.rows())) == 90


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Two workers and a scheduler on loopback, each a process of its own; yields the address and these processes."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", *arguments, "--scheduler-file", str(file), "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=tmp_path, **quiet)

    host = ("--host", "127.0.0.1")
    processes = [start("distributed.cli.dask_scheduler", *host, "--port", "0")]
    workers = [start("distributed.cli.dask_worker", *host, "--no-nanny", "--nthreads", "1") for _ in range(2)]
    processes += workers
    import json

    deadline = time.monotonic() + 300
    while not (file.exists() and file.read_text().endswith("}")) and time.monotonic() < deadline:
        time.sleep(0.1)
    try:
        yield json.loads(file.read_text())["address"], [*workers, processes[0]]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_of_which_a_worker_is_killed_midway_loses_and_doubles_nothing(
    dask: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 9)
    address, workers = dask
    plan = Plan.of(SPECS, repeats=12, parallel=2)
    journal = Journal.create(tmp_path / "run", plan, found())
    rows = []
    with cluster.executor(address) as executor:
        for row in run(plan, found(), journal, executor=executor):
            if row:
                rows.append(row)
                if len(rows) == 20:
                    workers[0].send_signal(signal.SIGKILL)
    assert workers[0].wait() == -signal.SIGKILL
    assert workers[1].poll() is None
    assert len(rows) == len({row.key for row in rows}) == 72
    assert sorted(row.position for row in journal.rows()) == list(range(72))
    assert {row.status for row in rows} == {"solved", "unsatisfiable"}


@pytest.mark.parametrize("killed", [slice(0, 2), slice(2, 3)], ids=["all workers", "the scheduler"])
def test_a_cluster_without_workers_or_scheduler_is_not_waited_for_and_the_run_goes_on_later(
    killed: slice,
    dask: tuple[str, list[subprocess.Popen[bytes]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.DESERTED", 0.5)
    monkeypatch.setattr("sudoku_models.compare.cluster.LOOK", 0.1)
    address, processes = dask
    plan = Plan.of(SPECS[:1], repeats=100, parallel=2)
    journal = Journal.create(tmp_path / "run", plan, found())
    with pytest.raises(ShardsLost, match="were not returned"), cluster.executor(address) as executor:
        for _ in run(plan, found(), journal, executor=executor):
            for process in processes[killed]:
                process.send_signal(signal.SIGKILL)
    before = len(journal.done())
    assert before < 300
    assert len([row for row in run(plan, found(), journal) if row]) == 300 - before
