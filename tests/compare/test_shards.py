"""A plan on executors: threads, processes, a real dask cluster of which a part is killed."""

from __future__ import annotations

import json
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
from sudoku_models.journal import lines_of

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
def test_one_run_at_a_time_on_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 1)
    plan = Plan.of(["sleeper"], time_limit=0.3, repeats=6)
    with ProcessPoolExecutor(2) as executor:
        start = time.monotonic()
        rows = [row for row in run(plan, found()[:1], executor=executor) if row]
        elapsed = time.monotonic() - start
    assert [row.status for row in rows] == ["timeout"] * 6
    assert elapsed > sum(row.wall for row in rows)


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


def test_a_shard_that_is_handed_in_twice_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "run_shards", lambda *_: iter([*here(), None, *here()]))
    plan = Plan.of(SPECS, repeats=8)
    journal = Journal.create(tmp_path, plan, found())
    announced = [row.key for row in run(plan, found(), journal, executor=Forgetful()) if row]
    assert announced == [row.key for row in here()]
    assert Counter(fields.get("backend") for _, fields in lines_of(journal.path) if fields)["pycosat"] == 24


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


class Cluster:
    """A scheduler and workers on loopback, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._started("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0")

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", *arguments, "--scheduler-file", str(self.file), "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=self.file.parent, **quiet)

    def address(self, workers: int) -> str:
        """Return the address, as soon as so many workers are at work there."""
        import distributed

        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            place = ("--host", "127.0.0.1", "--no-nanny", "--nthreads", "1")
            self.workers.append(self._started("distributed.cli.dask_worker", *place))
        deadline = time.monotonic() + 300
        while not (self.file.exists() and self.file.read_text().endswith("}")) and time.monotonic() < deadline:
            time.sleep(0.1)
        address = str(json.loads(self.file.read_text())["address"])
        client: Any = distributed.Client
        with client(address, timeout="300s", set_as_default=False) as looking:
            looking.wait_for_workers(workers, timeout=300)
        return address

    def kill(self, *processes: subprocess.Popen[bytes]) -> None:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One cluster for all tests: the last one ends it."""
    pytest.importorskip("distributed")
    found = Cluster(tmp_path_factory.mktemp("dask"))
    yield found
    found.kill(*found.workers, found.scheduler)


def test_a_cluster_of_which_a_worker_is_killed_midway_loses_and_doubles_nothing(
    dask: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 9)
    plan = Plan.of(SPECS, repeats=12, parallel=2)
    journal = Journal.create(tmp_path / "run", plan, found())
    rows = []
    with cluster.executor(dask.address(2)) as executor:
        for row in run(plan, found(), journal, executor=executor):
            if row:
                rows.append(row)
                if len(rows) == 20:
                    dask.kill(dask.workers[0])
    assert [worker.poll() for worker in dask.workers] == [-signal.SIGKILL, None]
    assert len(rows) == len({row.key for row in rows}) == 72
    assert sorted(row.position for row in journal.rows()) == list(range(72))
    assert {row.status for row in rows} == {"solved", "unsatisfiable"}


@pytest.mark.parametrize("killed", ["all workers", "the scheduler"])
def test_a_cluster_without_workers_or_scheduler_is_not_waited_for_and_the_run_goes_on_later(
    killed: str, dask: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudoku_models.compare.cluster.DESERTED", 0.5)
    monkeypatch.setattr("sudoku_models.compare.cluster.LOOK", 0.1)
    monkeypatch.setattr("sudoku_models.compare.cluster.SIZE", 4)
    address = dask.address(1)
    processes = dask.workers if killed == "all workers" else [dask.scheduler]
    plan = Plan.of(SPECS[:1], repeats=20, parallel=2)
    journal = Journal.create(tmp_path / "run", plan, found())
    with pytest.raises(ShardsLost, match="were not returned"), cluster.executor(address) as executor:
        for _ in run(plan, found(), journal, executor=executor):
            dask.kill(*processes)
    assert [process.returncode for process in processes] == [-signal.SIGKILL]
    before = len(journal.done())
    assert before < 60
    assert len([row for row in run(plan, found(), journal) if row]) == 60 - before
