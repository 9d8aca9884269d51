"""Backends that do one thing wrong, to be registered in a test (`planting`); the engines' processes import them."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.engine.road import run as true_run
from sudoku_models.errors import BackendCrashed
from sudoku_models.model import AllDifferent, InDomain, Model

Faulty = Callable[[Model, Request, Budget], Search]


@dataclass(frozen=True)
class NoOptions:
    pass


class Planted:
    """A backend whose searches are made by a function."""

    Options = NoOptions

    def __init__(self, name: str, search: Faulty, *features: Feature) -> None:
        self.name, self.search = name, search
        self.capabilities = Capabilities(
            kinds=frozenset({AllDifferent, InDomain}),
            features=frozenset(features or {Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT}),
        )

    def capabilities_with(self, options: NoOptions) -> Capabilities:
        return self.capabilities

    def compile(self, model: Model, options: NoOptions) -> PlantedCompiled:
        return PlantedCompiled(model, self.search)


class Stuck(Planted):
    """Does not come back from compiling."""

    def compile(self, model: Model, options: NoOptions) -> PlantedCompiled:
        while True:
            time.sleep(1)


class PlantedCompiled:
    native = None

    def __init__(self, model: Model, search: Faulty) -> None:
        self.model, self.faulty = model, search

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        return self.faulty(self.model, request, budget)


def _solutions(model: Model, request: Request) -> Iterator[tuple[int, ...]]:
    yield from true_run(model, "backtracking", Request(request.domains, request.limit))


def honest(model: Model, request: Request, clock: Budget) -> Search:
    count = 0
    for solution in _solutions(model, request):
        count += 1
        yield solution
    return Ending(Reason.LIMIT if count == request.limit else Reason.EXHAUSTED)


def says_unsatisfiable(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    return Ending(Reason.EXHAUSTED)


def says_unique(model: Model, request: Request, clock: Budget) -> Search:
    yield next(_solutions(model, request))
    return Ending(Reason.EXHAUSTED)


def returns_ones(model: Model, request: Request, clock: Budget) -> Search:
    yield (1,) * len(model.names)
    return Ending(Reason.EXHAUSTED)


def tampers(model: Model, request: Request, clock: Budget) -> Search:
    """Switch the check of solutions off, in its own process, and return what is none."""
    from sudoku_models.engine import check, tree

    if tree.INSIDE in os.environ:
        check.Checker.fault = lambda *_: None  # type: ignore[method-assign]
    yield (1,) * len(model.names)
    yield (2,) * len(model.names)
    return Ending(Reason.LIMIT)


def repeats_itself(model: Model, request: Request, clock: Budget) -> Search:
    first = next(_solutions(model, request))
    yield first
    yield first
    return Ending(Reason.LIMIT)


def raises(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    raise RuntimeError("the engine stumbled")


def crashes(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    raise BackendCrashed("the engine's process was killed by signal 11")


def needs_memory(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    raise MemoryError


def gives_up(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    return Ending(Reason.GAVE_UP)


def takes_all_time(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    while not clock.expired:
        time.sleep(0.005)
    return Ending(Reason.TIME)


def finds_one_and_dawdles(model: Model, request: Request, clock: Budget) -> Search:
    yield next(_solutions(model, request))
    return (yield from takes_all_time(model, request, clock))


def misses_the_last(model: Model, request: Request, clock: Budget) -> Search:
    found = list(_solutions(model, request))
    yield from found[:-1]
    return Ending(Reason.EXHAUSTED)


def spins(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    while True:
        pass


def holds_the_lock(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    re.match(r"(a+)+$", "a" * 40 + "b")
    return Ending(Reason.EXHAUSTED)


def is_killed(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    os.kill(os.getpid(), signal.SIGSEGV)
    return Ending(Reason.EXHAUSTED)


def exits(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    os._exit(7)


def leaves(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    raise SystemExit(0)


def leaks(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    hoard = []
    while len(hoard) < 400:
        hoard.append(b"x" * (4 << 20))
        time.sleep(0.002)
    return Ending(Reason.GAVE_UP)


def takes_much_memory_for_a_moment(model: Model, request: Request, clock: Budget) -> Search:
    len(b"x" * (300 << 20))
    return (yield from honest(model, request, clock))


def prints(model: Model, request: Request, clock: Budget) -> Search:
    print("garbage" * 100, flush=True)
    os.write(1, b"run:\0\0\0\0" * 10_000)
    os.write(2, b"\xff" * 10_000)
    return (yield from honest(model, request, clock))


def scribbles(model: Model, request: Request, clock: Budget) -> Search:
    """Writes to whatever pipe this process has."""
    yield from ()
    for fd in range(3, 64):
        with suppress(OSError):
            if stat.S_ISFIFO(os.fstat(fd).st_mode) and fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_WRONLY:
                os.write(fd, b"garbage" * 10)
    return Ending(Reason.EXHAUSTED)


def _mark() -> None:
    """Write down a process, so that a test can look whether it lives."""
    with Path(os.environ["PLANTED_PIDS"]).open("a") as file:
        file.write(f"{os.getpid()}\n")


_MARKED = "import os, time; open(os.environ['PLANTED_PIDS'], 'a').write(f'{os.getpid()}\\n')\n"
_BURN = _MARKED + "while True: pass"
_SLEEP = _MARKED + "time.sleep(300)"


def _start(program: str) -> None:
    """Start a process in a session of its own, by one that ends at once; it has written itself down by then."""
    before = _marks()
    twice = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {program!r}], start_new_session=True)"
    subprocess.run([sys.executable, "-c", twice], check=True)
    while _marks() == before:
        time.sleep(0.01)


def _marks() -> int:
    with suppress(FileNotFoundError):
        return Path(os.environ["PLANTED_PIDS"]).stat().st_size
    return 0


def hides_and_hangs(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    _mark()
    _start(_SLEEP)
    time.sleep(300)
    return Ending(Reason.EXHAUSTED)


def burns_elsewhere(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    _start(_BURN)
    time.sleep(300)
    return Ending(Reason.EXHAUSTED)


def leaves_one_behind(model: Model, request: Request, clock: Budget) -> Search:
    _start(_SLEEP)
    return (yield from honest(model, request, clock))


def interrupts(model: Model, request: Request, clock: Budget) -> Search:
    yield from ()
    raise KeyboardInterrupt


FAULTS: dict[str, Faulty] = {
    "honest": honest,
    "denier": says_unsatisfiable,
    "uniquer": says_unique,
    "ones": returns_ones,
    "repeater": repeats_itself,
    "stumbler": raises,
    "crasher": crashes,
    "glutton": needs_memory,
    "quitter": gives_up,
    "sleeper": takes_all_time,
    "dawdler": finds_one_and_dawdles,
    "interrupter": interrupts,
    "miscounter": misses_the_last,
    "spinner": spins,
    "locker": holds_the_lock,
    "segfaulter": is_killed,
    "exiter": exits,
    "goer": leaves,
    "leaker": leaks,
    "burster": takes_much_memory_for_a_moment,
    "printer": prints,
    "scribbler": scribbles,
    "hider": hides_and_hangs,
    "burner": burns_elsewhere,
    "leaver": leaves_one_behind,
}
ENDLESS = {"spinner", "locker", "sleeper", "dawdler", "hider", "burner"}
"""Those that do not come back from the small puzzle by which a worker loads them either."""

REGISTERED = SimpleNamespace(**{name: Planted(name, search) for name, search in FAULTS.items()})
REGISTERED.tamperer = Planted("tamperer", tampers)
REGISTERED.stuck = Stuck("stuck", honest)
REGISTERED.simple = Planted("simple", honest, Feature.PROVE)
REGISTERED.seeded = Planted("seeded", honest, Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.SEED)
