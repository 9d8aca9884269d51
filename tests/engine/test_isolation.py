"""Runs in a child process: the same answers, limits that hold whatever the engine does, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.engine import Reason, Request, run, workers
from sudoku_models.engine.contract import Solution
from sudoku_models.errors import BackendFailed, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing.processes import LINUX, children, left_behind

from ..held import HeldClock
from . import planted

linux = pytest.mark.skipif(not LINUX, reason="only on Linux: processes are looked up in /proc")

PATIENCE = 300.0
"""Seconds until what should end at once is given up for lost."""


def model(n: int = 3) -> Model:
    xs = [Variable(f"x{i}", range(1, n + 1)) for i in range(n)]
    return Model(xs, [AllDifferent(xs)])


def many() -> Model:
    return Model([Variable(f"x{i}", range(10)) for i in range(4)])


@pytest.fixture(autouse=True)
def clean() -> Any:
    """Nothing may be left behind; gives the processes that others had started before."""
    workers.close_idle()
    threads, processes = set(threading.enumerate()), children()
    yield processes
    assert not left_behind(threads, processes)


def gone(pid: int, patience: float = PATIENCE) -> bool:
    """Has a process ended (a zombie has), now or soon?"""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("limit", [1, 2, 6, 7, None])
def test_answers_are_those_of_the_same_process(limit: int | None) -> None:
    with run(model(), planted.Isolated(), Request(limit=limit)) as found:
        assert list(found) == list(brute_force(model()))[:limit]
        assert found.outcome.complete == (limit in (7, None))
        assert found.record.isolated


@linux
def test_the_child_is_kept_warm_and_used_again(clean: set[int]) -> None:
    stated = model()
    list(run(stated, planted.Isolated(), Request()))
    first = children() - clean
    for _ in range(5):
        list(run(stated, planted.Isolated(), Request(limit=None)))
    assert children() - clean == first
    assert len(first) == 1


def test_a_warm_child_knows_more_models_than_it_keeps() -> None:
    models = [Model([Variable("x", range(n + 1))]) for n in range(2 * workers.MODELS)]
    for _ in range(2):
        for i, stated in enumerate(models):
            assert len(list(run(stated, planted.Isolated(), Request(limit=None)))) == i + 1


@linux
@pytest.mark.parametrize("pulled", [1, 3, 200])
def test_closing_kills_the_child(clean: set[int], pulled: int) -> None:
    found = run(many(), planted.Isolated(), Request(limit=None))
    for _ in range(pulled):
        next(found)
    (child,) = children() - clean
    found.close()
    assert gone(child, 0.1)
    assert found.outcome.reason is Reason.CLOSED


@linux
def test_closing_kills_what_the_child_has_started() -> None:
    stated = Model([Variable("high", range(2048)), Variable("low", range(2048))])
    found = run(stated, planted.Parent(), Request(limit=None))
    high, low = next(found)
    found.close()
    assert gone(2048 * high + low)


@pytest.mark.parametrize("backend", [planted.Spins, planted.SpinsBelieved, planted.HoldsTheLock, planted.SlowToCompile])
def test_the_time_limit_holds_whatever_the_engine_does(backend: type[planted.Planted]) -> None:
    started = time.perf_counter()
    with run(model(), backend(), Request(time_limit=0.7), isolate=True) as found:
        assert list(found) == []
    assert 0.6 < time.perf_counter() - started < PATIENCE
    assert found.outcome.reason is Reason.TIME
    assert not found.outcome.complete


def test_the_time_of_the_consumer_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    held = HeldClock()
    monkeypatch.setattr("sudoku_models.engine.budget.time", held)
    with run(many(), planted.Isolated(), Request(limit=None, time_limit=100.0)) as found:
        for _ in range(100):
            next(found)
        held.sleep(1_000)
        assert all(next(found) for _ in range(200))


@linux
def test_the_memory_limit_holds() -> None:
    started = time.perf_counter()
    with run(model(), planted.Hungry(), Request(memory_limit=300 << 20)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.MEMORY
    assert time.perf_counter() - started < PATIENCE


@pytest.mark.parametrize(
    ("backend", "expected"),
    [(planted.Crashes, "killed by signal 11"), (planted.Exits, "exit code 7"), (planted.RaisesApart, "out of order")],
)
def test_an_engine_that_dies_is_reported_from_an_answer(backend: type[planted.Planted], expected: str) -> None:
    found = run(model(), backend(), Request(limit=None))
    assert next(found) == (1, 2, 3)
    with pytest.raises(BackendFailed, match=expected):
        next(found)
    assert not found.outcome.complete


def test_a_wrong_answer_in_a_child_is_a_wrong_answer_here() -> None:
    with pytest.raises(WrongAnswer, match="AllDifferent") as caught:
        list(run(model(), planted.WrongApart(), Request()))
    assert caught.value.backend == "wrongapart"


def test_what_an_engine_prints_is_not_taken_for_an_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with run(model(), planted.Prints(), Request(limit=None)) as found:
        assert len(list(found)) == 6
    assert "garbage" not in capfd.readouterr().out


def test_a_backend_that_cannot_be_sent_is_an_error() -> None:
    backend = planted.Isolated()
    backend.secret = lambda: None  # type: ignore[attr-defined]
    with pytest.raises(BackendFailed, match="cannot be sent"):
        list(run(model(), backend, Request()))


def _in_worker(value: int) -> int:
    return next(run(model(4), planted.Isolated(), Request({"x0": (value,)})))[0]


def test_it_works_from_a_worker_of_a_process_pool() -> None:
    next(run(model(4), planted.Isolated(), Request()))
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(_in_worker, [1, 2, 3, 4])) == [1, 2, 3, 4]


SCRIPT = """
import sys
from sudoku_models.engine import Request, run
from tests.engine import planted
from tests.engine.test_isolation import many
found = run(many(), planted.{backend}(), Request(limit=None))
{then}
"""


def _script(backend: str, then: str) -> subprocess.Popen[str]:
    return _started(SCRIPT.format(backend=backend, then=textwrap.dedent(then)))


def _started(text: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", text]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parents[2])


def said_by(script: subprocess.Popen[str]) -> str:
    """Return what a script prints; one that does not end is ended."""
    try:
        return script.communicate(timeout=PATIENCE)[0]
    finally:
        script.kill()


def test_it_works_from_a_script_without_a_guard(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT.format(backend="Isolated", then="print(len(list(found)))"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.stdout.split() == ["10000"], done.stderr


@linux
@pytest.mark.parametrize("backend", ["Isolated", "Spins", "HoldsTheLock"])
def test_the_child_dies_with_its_parent(backend: str) -> None:
    script = _script(
        backend,
        """
        import threading, time
        from sudoku_models.testing.processes import children
        threading.Thread(target=next, args=(found,), daemon=True).start()
        while not children(): time.sleep(0.02)
        time.sleep(1.0)
        print(*children(), flush=True)
        time.sleep(60)
        """,
    )
    try:
        assert script.stdout
        child = int(script.stdout.readline())
        script.send_signal(signal.SIGKILL)
        script.wait()
        assert gone(child), f"the child of {backend} outlives its parent"
    finally:
        script.kill()
        script.wait()
        script.stdout.close()


@linux
def test_ctrl_c_ends_a_run_and_its_child() -> None:
    script = _script(
        "Spins",
        """
        import os, signal, threading, time
        from sudoku_models.testing.processes import children
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            next(found)
        except KeyboardInterrupt:
            found.close()
            print("interrupted", *children())
        """,
    )
    out = said_by(script)
    assert out.split() == ["interrupted"]


class Hoards(planted.Isolated):
    """Asks for very much memory at once, too fast for anybody to look on."""

    def solutions(self, model: Model) -> Iterator[Solution]:
        yield (len(bytearray(8 << 30)),)


class HoardsBelow(planted.Isolated):
    """Has a process of its own that takes the memory."""

    def solutions(self, model: Model) -> Iterator[Solution]:
        program = "import time; hoard = [b'x' * (4 << 20) for _ in range(150)]; time.sleep(60)"
        subprocess.run([sys.executable, "-c", program], check=True)
        yield from brute_force(model)


@linux
@pytest.mark.parametrize("backend", [Hoards, HoardsBelow])
def test_the_memory_limit_is_kept_by_the_kernel_and_counts_what_the_engine_starts(
    backend: type[planted.Planted],
) -> None:
    with run(model(), backend(), Request(memory_limit=300 << 20)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.MEMORY


STOPPED = """
import os, signal, sys, time
from sudoku_models.engine import Request, run
from tests.engine import planted
from tests.engine.test_isolation import children, many
found = run(many(), planted.Isolated(), Request(limit=None))
next(found)
(child,) = children()
os.kill(child, signal.SIGSTOP)
print(child, flush=True)
os._exit(0)
"""


@linux
def test_a_child_that_was_stopped_dies_with_its_parent() -> None:
    script = _started(STOPPED)
    out = said_by(script)
    assert gone(int(out.split()[0]))
