"""What a backend is: it declares its capabilities, compiles a model, runs requests and yields solutions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

from ..model import Constraint, Domain, Givens, Model, Variable, VariableLike
from .capabilities import Capabilities as Capabilities
from .capabilities import Feature as Feature
from .capabilities import Isolate as Isolate
from .capabilities import Places as Places
from .record import Clock, Record
from .wanted import Improving as Improving
from .wanted import Projection as Projection
from .wanted import Solution as Solution
from .wanted import wanted_of as wanted_of


@dataclass(frozen=True, slots=True)
class Step:
    """A decision of a search: a variable gets a value, or gives it back (None)."""

    variable: str
    value: int | None


@dataclass(frozen=True)
class Request:
    """One question to a compiled model.

    ``domains`` narrow the compiled model further: a given is a domain of one, pencil marks are a domain of some.
    ``limit`` is how many solutions are wanted (None: all). ``keep`` names the variables that tell solutions apart
    (None: all): of those that agree on them one is yielded, whole. ``time_limit`` is in seconds,
    ``memory_limit`` in bytes. ``seed`` chooses among searches, ``workers`` is threads inside the engine. ``trace`` is
    called with every Step of the search, in its order; what it returns, if true, ends the run. Without ``confirm`` no
    quirk of the engine is minded.

    With an objective the solutions are an improving sequence, each strictly better than the one before, and the limit
    cuts it off: None leads to the best one. ``keep`` is then refused, since no two solutions have the same worth.
    """

    domains: Mapping[str, Domain] = field(default_factory=dict)
    limit: int | None = 1
    keep: tuple[str, ...] | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    trace: Callable[[Step], object] | None = None
    confirm: bool = True


class Reason(StrEnum):
    """Why a run ended."""

    EXHAUSTED = "exhausted"  # no further solution exists
    LIMIT = "limit"  # as many solutions as were asked for
    TIME = "time limit"
    MEMORY = "memory limit"
    CLOSED = "closed"  # by the caller, or by the trace
    GAVE_UP = "gave up"  # an incomplete engine found nothing (more)


@dataclass(frozen=True)
class Ending:
    """How a search ended; what a backend's search generator returns.

    ``bound``: no solution has an objective better than that; None where the record or the domains say as much.
    """

    reason: Reason
    bound: int | None = None


Search = Generator[Solution, None, Ending]
"""A backend's search: yields solutions, returns an Ending; closing it stops the engine."""


@dataclass(frozen=True)
class Outcome:
    """What a run came to.

    ``complete``: no further solution exists. Count 0 and complete is unsatisfiable, 1 and complete is unique, 0 and
    not complete is unknown. With an objective complete means that none better exists, and ``bound`` is a value that no
    solution exceeds for the better: the best one's own when complete (None when there is no solution).
    """

    count: int
    complete: bool
    reason: Reason
    bound: int | None
    record: Record


class Run(Iterator[Solution]):
    """The solutions of one request, pulled one by one; ``outcome`` afterwards.

    Time that the consumer spends between solutions does not count against the limit. Closing the run (or leaving its
    ``with`` block, or dropping it) stops the engine.
    """

    def __init__(self, search: Search, clock: Clock, record: Record | None = None) -> None:
        self.record = record or Record()
        self._search, self._clock = search, clock
        self._count = 0
        self._ending: Ending | None = None

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Solution:
        if self._ending:
            raise StopIteration
        self._clock.resume()
        try:
            solution = next(self._search)
        except StopIteration as stop:
            self._ending = stop.value
            raise StopIteration from None
        finally:
            self._clock.pause()
        self._count += 1
        return solution

    def close(self) -> None:
        """Stop the engine and end the run; nothing happens when it has ended already."""
        self._search.close()
        self._ending = self._ending or Ending(Reason.CLOSED)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def ending(self) -> Ending:
        """How the run ended; a run that has not ended is closed first."""
        if self._ending is None:
            self.close()
        assert self._ending
        return self._ending

    @property
    def outcome(self) -> Outcome:
        """What the run came to; a run that has not ended is closed first."""
        ending = self.ending
        complete = ending.reason is Reason.EXHAUSTED
        bound = ending.bound if complete or ending.bound is not None else self.record.bound
        return Outcome(self._count, complete, ending.reason, bound, self.record)


class Compiled(Protocol):
    """A model in an engine's own form. Immutable, and any number of threads may run it at once."""

    @property
    def native(self) -> Any:
        """A fresh copy of the engine's own model, the caller's to extend."""

    def run(self, request: Request) -> Run:
        """Start a search; the work begins when the first solution is pulled.

        The run's record says how large the engine's model was (``sizes``: variables, clauses, constraints) and may
        time the phases encode, run and decode apart.
        """


class BatchStatus(IntEnum):
    """What is known of one puzzle of a batch."""

    UNKNOWN = 0  # a limit of time ended the work before it was answered; its count is 0
    LIMIT = 1  # as many solutions as were asked for
    EXHAUSTED = 2  # no further solution exists


@dataclass(frozen=True)
class Batch:
    """The answers to n puzzles, as numpy arrays of n rows.

    ``status`` (uint8) is a BatchStatus, ``count`` (int32) the number of solutions found, up to the limit (at most
    2^31 - 1). ``values`` (uint8, one column for each variable of the model, in its order) is a first solution, 0 where
    there is none; k stands for the k-th value of the domain, counted from 1, so that it is the value itself where they
    are 1 to n.
    """

    status: Any
    count: Any
    values: Any
    record: Record

    def __repr__(self) -> str:
        solved = int((self.count > 0).sum())
        return f"<Batch of {len(self.status)} rows, {solved} with a solution, by {self.record.backend}>"


class CompiledBatch(Compiled, Protocol):
    """Feature BATCH: many puzzles of one model in one call."""

    def run_many(self, grids: Any, request: Request) -> Batch:
        """Answer every row of a numpy array, up to ``request.limit`` solutions each.

        ``grids`` has a column for each variable: uint8 values as in ``Batch.values``, 0 where a variable is open, or
        uint16 candidate masks, in which bit k - 1 is the k-th value. ``request.domains`` narrow all rows;
        ``request.workers`` is threads. Which solution comes first depends on the row alone.
        """


@runtime_checkable
class CompiledWithCandidates(Protocol):
    """A compiled form that takes batches and finds the candidates of many puzzles in one call."""

    def candidates_many(self, grids: Any, request: Request) -> Any:
        """Return the values that each variable has in some solution: uint16 masks with a row for each of ``grids``.

        ``grids``, masks and the request are as for ``run_many``. A row without a solution is 0 throughout. None when
        the request's limit of time came first.
        """


@dataclass(frozen=True)
class Witnessed:
    """The candidates of n puzzles, with solutions that have them, as numpy arrays.

    ``masks`` (uint16, n rows) are as for ``CompiledWithCandidates``. Of each solution ``rows`` has the number of its
    puzzle, ``values`` (uint8) the values as in ``Batch.values``.
    """

    masks: Any
    rows: Any
    values: Any


@runtime_checkable
class CompiledWithWitnesses(Protocol):
    """A compiled form that takes batches and finds the candidates of many puzzles, each with a solution that has it."""

    def witnessed_many(self, grids: Any, request: Request) -> Witnessed | None:
        """Return candidates and solutions; None when the request's limit of time came first.

        ``grids`` and the request are as for ``run_many``. Each candidate is a value of one of the solutions.
        """


@runtime_checkable
class CompiledWithBlocks(Protocol):
    """A compiled form that hands over many solutions at once, to be counted."""

    def blocks(self, request: Request, record: Record | None = None) -> Generator[Any, None, Ending]:
        """Yield arrays (int64) of solutions: a row each, with a value for each variable of the model, in its order.

        All rows of all blocks are different, and the first block is short; together they are no more than
        ``request.limit``. There are no ``keep``, ``trace`` and ``memory_limit``, and the model has no objective. What
        is known of the search goes into the record, as that of a run. Returns how the search ended.
        """

    def narrowed(self, request: Request) -> Mapping[str, Domain]:
        """Return domains, within those of the request, in which all solutions are; empty ones when there are none."""


class CompiledAtOnce(Compiled, Protocol):
    """A compiled form that takes so little for one puzzle that what a run is made of would take longer."""

    def at_once(self, givens: Givens, limit: int | None) -> tuple[Solution | None, Reason] | None:
        """Return the first solution, if there is one, and how the search ended; None where it takes a run to tell.

        ``limit`` is as in a request that has no further limits. It takes a run where more than one solution is asked
        for and there are several.
        """


@runtime_checkable
class CompiledWithWarmUp(Protocol):
    """A compiled form that gets faster with use; for measurements that are not to meet the change midway."""

    def warm_up(self) -> None:
        """Do now, on a small model, what otherwise happens after some runs: load modules, compile machine code."""


@runtime_checkable
class CompiledOnUse(Protocol):
    """A backend whose own code is compiled when it is used for the first time on a machine, which takes seconds."""

    @property
    def is_kept(self) -> bool:
        """Tell whether that code lies compiled on disk, or is loaded."""


class CompiledWithAttempt(Compiled, Protocol):
    """Feature ATTEMPT: a bounded try in process, before a child process is started."""

    def attempt(self, request: Request) -> Run | None:
        """Return a run that is settled already, or None when the bounded effort did not settle it.

        With an objective the run may improve while it is pulled, and give up: then a child process goes on.
        """


class EngineSession(Protocol):
    """A compiled model that takes further constraints between its runs. Mutable, of the one thread that made it.

    What the engine keeps of its work from run to run is its own affair; its module says it. A run that is still open
    ends when the next one begins, when something is added and when the session is closed.
    """

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = ()) -> None:
        """Add constraints that ``capabilities`` accept, and before them the auxiliary ``variables`` that they need.

        Solutions of later runs have a value for each such variable too, after the others. Unsupported when the engine
        cannot take one of the constraints any more.
        """

    def run(self, request: Request) -> Run:
        """Start a search, as ``Compiled.run`` does, under everything that was added so far."""

    def close(self) -> None:
        """Let the engine go."""


class CompiledWithSession(Compiled, Protocol):
    """Feature INCREMENTAL: constraints are added between runs. Without it ``session`` raises Unsupported."""

    def session(self) -> EngineSession:
        """Begin a session that has this model to start with."""


class CompiledWithCore(Compiled, Protocol):
    """Feature CORE: which parts contradict each other."""

    def core(self, parts: Sequence[Sequence[Constraint]], request: Request) -> Sequence[int] | None:
        """Return the numbers of some parts that, with the compiled model, have no solution; None when all have one.

        Each part is some constraints that ``capabilities`` accept, over the variables of the model. They need not be
        few. LimitReached when the request's time was not enough.
        """


class CompiledWithMaps(Compiled, Protocol):
    """A compiled form whose ``native`` can be extended by hand: the maps between cells and the engine's own terms.

    They hold for each fresh copy of ``native``. KeyError for what is not a variable or value of the model; Unsupported,
    with the reason, for what the engine has no term for (``base.CompiledBase`` refuses them all).
    """

    def variable(self, cell: VariableLike) -> Any:
        """Return what stands for a variable of the model in the engine's model."""

    def literal(self, cell: VariableLike, value: int) -> Any:
        """Return what is true in the engine's model exactly when a variable has a value."""

    def decode(self, answer: Any) -> dict[str, int]:
        """Return the values, by name, of an answer that the engine gave for a native model."""


C_co = TypeVar("C_co", bound=Compiled, covariant=True)
"""The type of what a backend compiles to, in which ``native`` has the type of the engine's own model."""


class Compiler(Protocol[C_co]):
    """A backend, as far as the type of its compiled models goes."""

    def compile(self, model: Model, options: Any) -> C_co:
        """Compile a model."""


class Backend(Protocol):
    """An engine behind the contract."""

    @property
    def name(self) -> str:
        """The name in specifications and tables."""

    @property
    def Options(self) -> type:  # noqa: N802
        """A frozen dataclass of options, each with a default; choices in ``field(metadata={"choices": ...})``."""

    @property
    def capabilities(self) -> Capabilities:
        """What the backend can do with its default options."""

    def capabilities_with(self, options: Any) -> Capabilities:
        """What the backend can do with these options."""

    def compile(self, model: Model, options: Any) -> Compiled:
        """Compile a model that ``capabilities_with(options)`` accepts."""
