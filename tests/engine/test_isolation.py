"""Runs and calls in children: right answers, limits that hold whatever an engine does, and nothing is left behind."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.engine import Budget, Reason, Request, run, workers
from sudoku_models.engine.budget import OutOfTime
from sudoku_models.engine.contract import Solution
from sudoku_models.engine.workers import ChildExecutor
from sudoku_models.errors import BackendFailed, FormatError, WrongAnswer
from sudoku_models.model import AllDifferent, Model, Variable, brute_force
from sudoku_models.testing.processes import LINUX, children, left_behind

from ..held import time_is_up_behind
from ..planted import REGISTERED
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


@linux
def test_the_child_is_kept_warm_and_used_again(clean: set[int]) -> None:
    stated = model()
    list(run(stated, planted.Isolated(), Request()))
    first = children() - clean
    for _ in range(5):
        list(run(stated, planted.Isolated(), Request(limit=None)))
    assert children() - clean == first
    assert len(first) == 1


@linux
def test_an_engine_that_cannot_be_loaded_beside_what_is_loaded_works_in_a_child() -> None:
    assert "xmlrpc.client" not in sys.modules
    with run(model(), planted.Clashes(), Request()) as found:
        assert len(list(found)) == 1
    assert found.outcome.record.isolated


@linux
def test_closing_kills_what_the_child_has_started() -> None:
    stated = Model([Variable("high", range(2048)), Variable("low", range(2048))])
    found = run(stated, planted.Parent(), Request(limit=None))
    high, low = next(found)
    found.close()
    assert gone(2048 * high + low)


@pytest.mark.parametrize("backend", ["spinner", "locker", "stuck"])
def test_the_time_limit_holds_whatever_the_engine_does(backend: str) -> None:
    started = time.perf_counter()
    with run(model(), getattr(REGISTERED, backend), Request(time_limit=0.7), isolate=True) as found:
        assert list(found) == []
    assert 0.6 < time.perf_counter() - started < PATIENCE
    assert found.outcome.reason is Reason.TIME
    assert not found.outcome.complete


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        *(("segfaulter", "killed by signal 11"), ("exiter", "exit code 7"), ("stumbler", "the engine stumbled")),
        ("goer", "tried to exit the program with code 0"),
    ],
)
def test_an_engine_that_dies_is_reported(backend: str, expected: str) -> None:
    found = run(model(), getattr(REGISTERED, backend), Request(limit=None), isolate=True)
    with pytest.raises(BackendFailed, match=expected):
        next(found)
    assert not found.outcome.complete


def test_a_wrong_answer_in_a_child_is_a_wrong_answer_here() -> None:
    with pytest.raises(WrongAnswer, match="AllDifferent") as caught:
        list(run(model(), REGISTERED.ones, Request(), isolate=True))
    assert caught.value.backend == "ones"


def test_what_an_engine_prints_is_not_taken_for_an_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with run(model(), REGISTERED.printer, Request(limit=None), isolate=True) as found:
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
    with ProcessPoolExecutor(2, get_context("fork")) as pool:  # a server of forks would stay after the test
        assert list(pool.map(_in_worker, [1, 2, 3, 4])) == [1, 2, 3, 4]


SCRIPT = """
import sys
from sudoku_models.engine import Request, run
from tests.engine.test_isolation import many
from tests.planted import REGISTERED
found = run(many(), {backend}, Request(limit=None), isolate=True)
{then}
"""


def _script(backend: str, then: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT.format(backend=backend, then=textwrap.dedent(then))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parents[2])


def test_it_works_from_a_script_without_a_guard(tmp_path: Path) -> None:
    hundred = "print(sum(1 for _, _ in zip(range(100), found)))"
    (tmp_path / "script.py").write_text(SCRIPT.format(backend="'backtracking'", then=hundred))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.stdout.split() == ["100"], done.stderr


@linux
@pytest.mark.parametrize("backend", ["'backtracking'", "REGISTERED.locker"])
def test_the_child_dies_with_its_parent(backend: str) -> None:
    script = _script(
        backend,
        """
        import threading, time
        from sudoku_models.testing.processes import children
        threading.Thread(target=next, args=(found,), daemon=True).start()
        while not children(): time.sleep(0.02)
        time.sleep(0.5)
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
@pytest.mark.parametrize("backend", [REGISTERED.leaker, Hoards(), HoardsBelow()], ids=lambda backend: backend.name)
def test_the_memory_limit_holds_and_counts_what_the_engine_starts(backend: Any) -> None:
    with run(model(), backend, Request(memory_limit=300 << 20)) as found:
        assert list(found) == []
        assert found.outcome.reason is Reason.MEMORY


@pytest.mark.parametrize("limit", [None, 100])
def test_an_engine_that_never_stops_after_its_last_solution_is_killed(
    limit: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "STOPPING", 0.1)
    with run(model(), planted.NeverStops(), Request(limit=1, time_limit=limit)) as found:
        assert next(found) == (1, 2, 3)
        assert next(found, None) is None
    assert found.outcome.reason is Reason.LIMIT
    assert not workers.waiting()


def test_a_child_that_was_not_up_in_time_goes_on_and_serves_the_next_run() -> None:
    workers.close_idle()
    with pytest.MonkeyPatch.context() as patch:
        time_is_up_behind(0, patch)
        late = run(model(), planted.Isolated(), Request())
        assert list(late) == [] and late.outcome.reason is Reason.TIME
    (pid,) = workers.waiting()
    assert list(run(model(), planted.Isolated(), Request(limit=None))) == list(brute_force(model()))
    assert workers.waiting() == {pid}


class Over(Budget):
    """Its time is over when it is looked at while a message is sent."""

    def check(self) -> None:
        if any(frame.function == "send" for frame in inspect.stack(0)):
            raise OutOfTime


def test_a_child_that_was_not_up_in_time_gets_the_rest_of_a_large_model_later() -> None:
    workers.close_idle()
    large = Model([Variable("x" * 500_000, (1, 2))])  # more than a pipe holds
    late = run(large, planted.Isolated(), Request(), budget=Over())
    assert list(late) == [] and late.outcome.reason is Reason.TIME
    (pid,) = workers.waiting()
    assert list(run(large, planted.Isolated(), Request(limit=None))) == [(1,), (2,)]
    assert workers.waiting() == {pid}


def test_a_child_that_loads_for_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LOADING", 0.0)
    time_is_up_behind(0, monkeypatch)
    workers.close_idle()
    assert list(run(model(), planted.Isolated(), Request())) == []
    assert not workers.waiting()


def test_a_child_whose_run_was_cancelled_while_it_loaded_serves_no_other() -> None:
    budget = Budget()
    threading.Timer(0.05, budget.cancel).start()
    assert list(run(model(), REGISTERED.spinner, isolate=True, budget=budget)) == []
    assert not workers.waiting()


@linux
def test_a_fork_that_closes_an_open_run_leaves_it_to_its_parent() -> None:
    found = run(model(5), planted.Isolated(), Request(limit=None))
    some = [next(found)]
    if not (fork := os.fork()):
        found.close()
        os._exit(0)
    os.waitpid(fork, 0)
    assert len({*some, *found}) == 120 > workers.AHEAD


@pytest.mark.parametrize(("backend", "module"), [("cp-sat", "ortools"), ("highs", "highspy"), ("z3", "z3")])
def test_a_program_may_end_in_the_middle_of_a_search(backend: str, module: str) -> None:
    """The engine works in a thread, which a program could not end while it ends itself."""
    if find_spec(module) is None:  # importing it here might clash with another engine
        pytest.skip("not applicable (feature): the engine is not installed")
    code = f"from sudoku_models import *; found = solutions('{'.' * 81}', '{backend}'); print(next(found) is not None)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=PATIENCE, check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"True\n", b"", 0)


def fail(error: Exception) -> None:
    raise error


def spin(started: Path) -> None:
    started.touch()
    while True:
        time.sleep(60)


def test_an_error_of_a_call_comes_back_and_the_child_goes_on() -> None:
    with ChildExecutor(1) as executor:
        pid = executor.submit(os.getpid).result()
        with pytest.raises(FormatError, match="no grid"):
            executor.submit(fail, FormatError("no grid")).result()
        with pytest.raises(BackendFailed, match="ValueError: too small"):
            executor.submit(fail, ValueError("too small")).result()
        assert executor.submit(os.getpid).result() == pid
        with pytest.raises(BackendFailed, match="cannot be sent"):
            executor.submit(lambda: 1).result()
        assert executor.submit(abs, -4).result() == 4


def test_a_child_that_dies_fails_its_call_alone() -> None:
    with ChildExecutor(1) as executor:
        with pytest.raises(BackendFailed, match="exit code 3"):
            executor.submit(os._exit, 3).result()
        assert executor.submit(abs, -4).result() == 4


def test_an_exception_beside_the_calls_ends_them(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), ChildExecutor(1) as executor:
        calls = [executor.submit(spin, tmp_path / "started") for _ in range(3)]
        while not (tmp_path / "started").exists():
            time.sleep(0.02)
        raise KeyboardInterrupt
    assert all(call.done() for call in calls)


STRUCK = """
import os, signal, subprocess, sys
from sudoku_models.engine.workers import Child
from sudoku_models.engine.program import Program
from sudoku_models.testing.processes import left_behind
import threading

class Struck(subprocess.Popen):
    def __init__(self, *words, **options):
        {before}
        super().__init__(*words, **options)
        {after}

    def wait(self, timeout=None):
        {waiting}
        return super().wait(timeout)

subprocess.Popen = Struck
try:
    started = {started}
    {end}
    print("nothing was raised")
except KeyboardInterrupt:
    print("raised", left_behind({{threading.main_thread()}}, set()))
"""
STRIKE = "os.kill(os.getpid(), signal.SIGINT)"
STARTED = {
    "program": ("Program(['sleep', '600'])", "started.close()"),
    "child": ("Child()", "started.kill()"),
}
MOMENTS = ["before", "after", "waiting"]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", STARTED)
def test_ctrl_c_while_a_process_starts_or_stops_leaves_none(kind: str, moment: str) -> None:
    started, end = STARTED[kind]
    strikes = {other: STRIKE if other == moment else "pass" for other in MOMENTS}
    code = STRUCK.format(started=started, end=end, **strikes)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout.strip() == "raised", done.stderr


def test_a_process_that_cannot_read_a_request_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lacks the model that it was sent."""
    nowhere = types.ModuleType("nowhere")
    monkeypatch.setitem(sys.modules, "nowhere", nowhere)
    hidden: Any = type("Hidden", (planted.Planted,), {"__module__": "nowhere"})
    nowhere.Hidden = hidden  # type: ignore[attr-defined]
    with pytest.raises(BackendFailed, match=r"the request cannot be read: .*nowhere"):
        next(run(model(), hidden(), isolate=True))
    assert not workers.waiting()
