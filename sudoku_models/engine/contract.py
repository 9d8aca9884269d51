"""The backend contract: a backend declares capabilities, compiles a model, runs requests and yields solutions."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import field
from enum import IntEnum, StrEnum
from itertools import islice
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from ..dataclass import dataclass
from ..model import Constraint, Domain, Model, Variable
from .budget import Budget, GaveUp, Interruption, OutOfMemory
from .numbers import Numbers
from .record import Record


class Feature(StrEnum):
    """A feature of a backend beyond finding a first solution. Undeclared features are refused, never ignored."""

    ENUMERATE = "enumerate"  # all solutions, lazily, each once; without it only one solution may be requested
    PROVE = "prove"  # an exhausted search is a proof; without it "nothing found" is unknown
    OBJECTIVE = "objective"  # a linear objective: solutions improve, and each is yielded as soon as it is found
    TIME_LIMIT = "time limit"  # stops at a time limit; without it the road isolates a run that has one
    SEED = "seed"  # another seed gives another search; the same seed gives the same answer
    WORKERS = "workers"  # more than one thread inside the engine
    PATIENCE = "patience"  # a bounded try: the search gives up after an amount of work
    PROOF = "proof"
    ASSUME = "assume"  # Compiled.assume: constraints are added between searches, or hold where a search assumes them
    BATCH = "batch"  # Compiled.rows: many puzzles in one call
    HINT = "hint"  # Request.hint: values that the search tries first
    TRACE = "trace"  # reports the decisions of its search as it makes them


class Isolate(StrEnum):
    """When a backend runs in a child process that can be killed."""

    NEVER = "never"
    IF_LIMITED = "if limited"
    ALWAYS = "always"


@dataclass(frozen=True)
class Quirk:
    """A fault of an engine: ``what`` happens, the ``versions`` in which it was seen, and the workaround (``around``).

    ``touches`` returns whether a model, in the engine's terms, is of the kind for which the fault was seen. What the
    engine then reports as nonexistent (no solution, no other one, no better one) is confirmed by another engine, or by
    this one with the options ``instead``, with which it does not have the fault: see ``confirm``.
    """

    name: str
    what: str
    versions: str
    around: str
    touches: Callable[[Model], bool]
    instead: str = ""


class Derived(NamedTuple):
    """A derived fact: its name, the number of times it was found in the model, and its meaning in plain words."""

    name: str
    times: int
    meaning: str

    def line(self, backend: str) -> str:
        """Return the fact as a line of a plan."""
        return f"{backend} derives {self.times} x {self.name}: {self.meaning}"


Export = Callable[[Any, Mapping[str, Domain]], Iterator[str | bytes]]
"""Yields a compiled model, with narrowed domains, in pieces for another program: all text or all bytes."""


def _accept_every(_: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Capabilities:
    """The capabilities declared by a backend, read by the planner, the conformance suite and the support table.

    ``kinds`` are the kinds of constraint accepted; ``refuses`` and ``refuses_model`` may turn down a single
    constraint of such a kind or a whole model, with the reason. ``doubted`` are the kinds of which ``refuses`` may
    turn some down (None: it is asked about every constraint). ``requires`` are the modules the engine needs,
    ``install`` what ``pip install`` takes to get them, ``conflicts`` modules that cannot be loaded beside them: a
    child process runs no two backends of which one conflicts with what the other requires. ``programs`` have to be
    on the path; ``install`` is then the whole advice. ``numbers`` are the largest numbers that it takes. If one of
    the ``quirks`` could affect a model, another engine confirms what this one denies. ``adds`` names what is added
    to a model that is lowered for it, see ``lowering.ADDITIONS``. ``derives``: its compiled models have a method
    ``derived()``, which returns what the engine derived from several constraints together, a Derived for each fact,
    for plans. ``exports`` are the formats in which a compiled model can be written, by name. ``auto`` asks the
    backends that have a preference (see ``registry.ranked``) with the options ``chosen_with``, unless ``preferred``
    is false: the backend would be slow here. With the options ``log`` ("key=value", perhaps several) the engine
    writes its own log of a search to the error stream.
    """

    kinds: frozenset[type[Constraint]]
    features: frozenset[Feature] = frozenset()
    requires: tuple[str, ...] = ()
    install: str = ""
    conflicts: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    isolate: Isolate = Isolate.NEVER
    refuses: Callable[[Constraint], str | None] = _accept_every
    doubted: frozenset[type[Constraint]] | None = None
    refuses_model: Callable[[Model], str | None] = _accept_every
    numbers: Numbers = Numbers()
    quirks: tuple[Quirk, ...] = ()
    adds: tuple[str, ...] = ()
    derives: bool = False
    exports: Mapping[str, Export] = field(default_factory=dict, hash=False)
    chosen_with: str = ""
    preferred: bool = True
    log: str = ""

    def accepts(self, constraint: Constraint) -> str | None:
        """Return None if the constraint is accepted as it is, otherwise the reason why not."""
        if type(constraint) not in self.kinds:
            return f"it does not support {type(constraint).__name__} constraints"
        return self.refuses(constraint)

    def accepts_model(self, model: Model) -> str | None:
        """Return None if the model is accepted as it is, otherwise the reason why not."""
        reason = self.accepts_whole(model)
        return reason or next((r for r in map(self.accepts, model.constraints) if r), None)

    def accepts_whole(self, model: Model) -> str | None:
        """Return None if a model whose single constraints are all accepted is accepted as a whole, otherwise the
        reason.
        """
        if model.objective and Feature.OBJECTIVE not in self.features:
            return "it does not support objectives"
        return self.numbers.refused(model) or self.refuses_model(model)


Solution = tuple[int, ...]
"""One value for each variable of the model, in the model's order."""

Wanted = Callable[[Solution], bool]
"""Returns whether a solution is to be yielded, and remembers what it needs for that."""


@dataclasses.dataclass(frozen=True, slots=True)
class TraceStep:
    """A step of a search: a variable gets a value, or loses it again (None)."""

    variable: str
    value: int | None


@dataclass(frozen=True)
class Request:
    """One question to a compiled model.

    ``domains`` narrow the compiled model further: a given has one value, pencil marks have several. ``limit`` is the
    number of solutions wanted (None: all). ``keep`` names the variables that distinguish solutions (None: all): of the
    solutions that agree on them, one is yielded in full. ``time_limit`` is in seconds, ``memory_limit`` in bytes.
    ``patience`` bounds the work of a search, not its time, so that the same question always has the same answer: about
    as much as an engine does in that many tenths of a microsecond; a search that needs more gives up
    (``Feature.PATIENCE``). With ``turns`` it may yield an empty block instead, and go on when it is pulled again, with
    twice the patience: meanwhile it is another engine's turn.
    ``seed`` selects a search, ``workers`` is the number of threads inside the engine. ``trace`` is called with every
    TraceStep of the search, in order; the run ends if it returns a true value. ``hint`` are values by name that the
    search tries first; they may be wrong. Without ``confirm``, quirks of the
    engine are ignored.

    With an objective the solutions are an improving sequence, each strictly better than the one before, and the limit
    cuts it off: without a limit it ends with the best one. ``keep`` is then refused, since no two solutions have the
    same value.
    """

    domains: Mapping[str, Domain] = field(default_factory=dict)
    limit: int | None = 1
    keep: tuple[str, ...] | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    seed: int = 0
    workers: int = 1
    trace: Callable[[TraceStep], object] | None = None
    confirm: bool = True
    patience: int | None = None
    hint: Mapping[str, int] = field(default_factory=dict)
    turns: bool = False

    def but(self, **changes: Any) -> Request:
        """Return the same question with some fields changed: what ``replace`` does, in a tenth of its time.

        Raises TypeError for a name that is no field.
        """
        if unknown := changes.keys() - vars(self).keys():
            raise TypeError(f"a Request has no field {min(unknown)!r}: {', '.join(vars(self))} are expected")
        made = object.__new__(Request)
        vars(made).update(vars(self), **changes)
        return made


class Reason(StrEnum):
    """Why a run ended."""

    EXHAUSTED = "exhausted"  # no further solution exists
    LIMIT = "limit"  # the requested number of solutions was found
    TIME = "time limit"
    MEMORY = "memory limit"
    CLOSED = "closed"  # stopped by the caller or by the trace
    GAVE_UP = "gave up"  # an incomplete engine found no (further) solution


@dataclass(frozen=True)
class Ending:
    """How a search ended; what a backend's search returns.

    ``bound``: no solution has a better objective; None if the record or the domains already give this bound.
    ``failed``: of the switches that were assumed, some that contradict each other: see ``Assuming.search``.
    """

    reason: Reason
    bound: int | None = None
    failed: tuple[int, ...] = ()

    @staticmethod
    def at(stop: Interruption) -> Ending:
        """Return how a search ended that was interrupted from inside."""
        reasons = {OutOfMemory: Reason.MEMORY, GaveUp: Reason.GAVE_UP}
        return Ending(reasons.get(type(stop), Reason.TIME))

    @staticmethod
    def of(returned: Any) -> Ending:
        """Return what a search returned; raise TypeError if that is no Ending as it is declared."""
        if not isinstance(returned, Ending) or not isinstance(returned.reason, Reason):
            raise TypeError(f"its search ended with {returned!r:.60}: an Ending with a Reason is expected")
        if returned.bound is not None and type(returned.bound) is not int:
            raise TypeError(f"its search ended with the bound {returned.bound!r:.60}: an int is expected")
        return returned


Block = Any
"""Some solutions: one as a tuple, several as a list of tuples or as an array (int64, a row for each solution, a column
for each variable of the model, in its order).
"""


def _rows_of(block: Block) -> list[Solution]:
    if type(block) is list:
        return block
    return [block] if type(block) is tuple else [*map(tuple, block.tolist())]


Search = Generator[Block, None, Ending]
"""A backend's search: yields solutions in blocks, returns an Ending; closing it stops the engine.

It may end by OutOfTime, OutOfMemory or GaveUp instead of returning.
"""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    ``complete``: no further solution exists. Count 0 and complete means unsatisfiable, 1 and complete unique, 0 and
    not complete unknown. With an objective, complete means that no better one exists, and ``bound`` is a value that no
    solution improves on: the best one's own if complete (None if there is no solution).
    """

    count: int
    complete: bool
    reason: Reason
    bound: int | None
    record: Record

    @property
    def missing(self) -> str:
        """Why the answer is incomplete, and what a time limit was spent on if hardly any was left for the search."""
        before = self.record.spent("lower", "compile", "encode")
        late = self.reason is Reason.TIME and before > max(NOTICED, self.record.spent("run"))
        loading = f": {before:.1f} s were spent on loading the engine and stating the model" if late else ""
        return "" if self.complete else f"{self.reason}{loading}"


NOTICED = 0.1
"""Loading and stating for longer than this (seconds) is named where a time limit was reached."""


class Closable:
    """Is closed at the end of its ``with`` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what is open."""
        raise NotImplementedError


class Run(Closable, Iterator[Solution]):
    """The solutions of one request, pulled one by one or in ``blocks``; ``outcome`` is available afterwards.

    Time that the consumer spends between solutions does not count against the limit. Closing the run (or leaving its
    ``with`` block, or dropping it) stops the engine.
    """

    def __init__(self, search: Search, budget: Budget | None = None, record: Record | None = None) -> None:
        self.record, self.budget = record or Record(), budget or Budget()
        self._search = search
        self._rows: Iterator[Solution] = iter(())
        self._count = 0
        self._ending: Ending | None = None

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Solution:
        while True:
            for row in self._rows:
                self._count += 1
                return row
            block = self._pull()
            if block is None:
                raise StopIteration
            self._rows = iter(_rows_of(block))

    def some(self, number: int) -> list[Solution]:
        """Return up to ``number`` solutions, and end the run: its ``outcome`` says whether there may be more."""
        found = [*islice(self._rows, number)]
        try:
            with self.budget:
                while self._ending is None and len(found) < number:
                    found += _rows_of(next(self._search))
        except StopIteration as stop:
            self._ending = Ending.of(stop.value)
        finally:
            self.close()
        self._count += len(found[:number])
        return found[:number]

    def blocks(self) -> Iterator[Block]:
        """Yield what is left in blocks, as the engine finds them."""
        if rest := list(self._rows):
            self._count += len(rest)
            yield rest
        while (block := self._pull()) is not None:
            self._count += 1 if type(block) is tuple else len(block)
            yield block

    def _pull(self) -> Block | None:
        """Return the next block; None at the end."""
        if self._ending:
            return None
        self.budget.start()
        try:
            return next(self._search)
        except StopIteration as stop:
            self._ending = Ending.of(stop.value)
            return None
        except BaseException:
            self._ending = Ending(Reason.CLOSED)
            raise
        finally:
            self.budget.stop()

    def close(self) -> None:
        """Stop the engine and end the run; do nothing if it has already ended."""
        self._search.close()
        if self._ending is None or next(self._rows, None) is not None:
            self._ending, self._rows = Ending(Reason.CLOSED), iter(())

    @property
    def ending(self) -> Ending:
        """How the run ended; a run that has not ended is closed first."""
        if self._ending is None:
            self.close()
        assert self._ending
        return self._ending

    @property
    def outcome(self) -> Outcome:
        """The outcome of the run; a run that has not ended is closed first."""
        ending = self.ending
        complete = ending.reason is Reason.EXHAUSTED
        bound = ending.bound if complete or ending.bound is not None else self.record.bound
        return Outcome(self._count, complete, ending.reason, bound, self.record)


class Compiled(Protocol):
    """A model in an engine's own form. Immutable; any number of threads may search it at the same time.

    It may have more methods, which features announce: ``rows`` (BATCH, ``CompiledWithRows``) and
    ``assume()``, which returns the ``Assuming`` that begins with this model (ASSUME).
    """

    @property
    def native(self) -> Any:
        """A new copy of the engine's own model, which the caller may extend."""

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Yield solutions, all different, the first without waiting for others; return how the search ended.

        The work begins when the first solution is pulled. The budget is that of the job: its time stands still while
        nothing is pulled, and the limits of the request are part of it already. The record has the size of the
        engine's model (``sizes``: variables, clauses, constraints) and may time the phases encode, run and decode.
        """


class BatchStatus(IntEnum):
    """The status of one puzzle in a batch."""

    UNKNOWN = 0  # the time limit was reached before it was answered; its count is 0
    LIMIT = 1  # the requested number of solutions was found
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


class CompiledWithRows(Compiled, Protocol):
    """Feature BATCH: answer many puzzles of one model in one call.

    ``grids`` has a row for each puzzle and a column for each variable: uint8 values as in ``Batch.values``, 0 where a
    variable is open, or uint16 candidate masks, in which bit k - 1 is the k-th value. ``request.domains`` narrow all
    rows; ``request.workers`` is the number of threads.
    """

    def rows(self, grids: Any, request: Request) -> Batch:
        """Answer every row, up to ``request.limit`` solutions each; which one is returned depends only on the row."""


class Assuming(Protocol):
    """A compiled model that grows, in one kept engine. Mutable; bound to the thread that made it.

    Sessions, cores and questions about some parts of a model are asked of it. An open search ends when the next one
    begins, when a constraint is added and when this is closed.
    """

    def add(self, constraints: Sequence[Constraint], variables: Sequence[Variable] = (), switch: bool = False) -> int:
        """Add constraints that ``capabilities`` accept, and before them the auxiliary ``variables`` that they need.

        They hold from now on, or, if ``switch`` is true, only in the searches that assume the switch returned here, a
        number above 0. Solutions of later searches also have a value for each such variable, after the others.
        Unsupported if the engine cannot take one of the constraints any more; then none is added.
        """

    def search(self, request: Request, budget: Budget, record: Record, switches: Sequence[int] = ()) -> Search:
        """Search, as ``Compiled.search`` does, with all that was added for good and what the switches stand for.

        If nothing was found, the Ending names in ``failed`` those of the switches that contradict each other (and the
        rest of the model); there may be fewer of them. A request's ``patience`` ends it by GaveUp.
        """

    def close(self) -> None:
        """Release the engine."""


C_co = TypeVar("C_co", bound=Compiled, covariant=True)
"""The type of a backend's compiled models; its ``native`` has the type of the engine's own model."""


class Compiler(Protocol[C_co]):
    """A backend, reduced to the type of its compiled models."""

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


class Projection:
    """Helps an adapter that finds solutions over all variables, in any order, to yield those that are new.

    That is one for each choice of the kept variables, whose positions in the model are ``positions``; with an objective
    those that are better than all before. If every variable is kept, nothing is remembered.
    """

    def __init__(self, model: Model, keep: Collection[str] | None) -> None:
        self.positions = tuple(range(len(model.names))) if keep is None else tuple(model.index[name] for name in keep)
        self._names, self._objective = model.names, model.objective
        self._partial = len(set(self.positions)) < len(model.names)
        self._seen: set[Solution] = set()
        self._best: int | None = None

    def new(self, solution: Solution) -> bool:
        """Return whether a solution is new, and remember it."""
        if self._objective:
            value = self._objective.value(dict(zip(self._names, solution, strict=True)))
            if not self._objective.improves(value, self._best):
                return False
            self._best = value
        elif self._partial:
            kept = tuple(solution[i] for i in self.positions)
            if kept in self._seen:
                return False
            self._seen.add(kept)
        return True


def wanted_of(model: Model, keep: Collection[str] | None) -> Wanted:
    """Return the test for wanted solutions: see ``Projection``."""
    return Projection(model, keep).new
