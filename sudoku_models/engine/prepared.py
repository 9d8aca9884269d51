"""A model prepared for a backend: lowered and compiled, once for each model object, backend and options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Generic, overload

from ..errors import BackendCrashed, BackendFailed, SudokuModelsError, Unsupported
from ..lowering import Branches, Lowered, lower
from ..model import Model
from ..model.model import TOO_DEEP
from . import place
from .budget import Budget
from .capabilities import Capabilities
from .check import Checker, checker_of
from .combined_backends import Combined
from .contract import C_co, Compiled, Compiler, Feature
from .derived import Derived
from .record import Record
from .registry import BackendLike, Selection, select

USED: set[str] = set()
"""The names of the backends that have compiled a model in this process: their engines are loaded."""


@dataclass(frozen=True)
class Prepared(Generic[C_co]):
    """A model lowered and compiled for one backend with its options; kept on the model. It took ``seconds`` of CPU
    time.

    ``compiled`` has the backend's own type if ``prepare`` was given a backend, not its name.
    """

    model: Model = field(repr=False)
    selection: Selection
    lowered: Lowered = field(repr=False)
    compiled: C_co = field(repr=False)
    checker: Checker = field(repr=False)
    seconds: float = 0.0

    @cached_property
    def at_once(self) -> Any:
        """The function that answers givens directly (``CompiledAtOnce``); None without one, with quirks, or without
        proofs.
        """
        capabilities = self.selection.capabilities
        quiet = not capabilities.quirks and capabilities.features >= {Feature.ENUMERATE, Feature.PROVE}
        return getattr(self.compiled, "at_once", None) if quiet and self.lowered.functional else None

    @property
    def plan(self) -> tuple[str, ...]:
        """The plan as lines of text: what became of the constraints, then what the engine derived from them."""
        return self.plan_later()

    @cached_property
    def plan_later(self) -> Callable[[], tuple[str, ...]]:
        """A function that writes the plan; it needs neither the model nor its compiled form."""
        compiled: Any = self.compiled
        found: Sequence[Derived] = compiled.derived() if self.selection.capabilities.derives else ()
        return partial(_lines, self.lowered.tree, self.selection.backend.name, found)


def _lines(tree: Branches, name: str, found: Sequence[Derived]) -> tuple[str, ...]:
    return (*str(tree).splitlines(), *(one.line(name) for one in found))


@dataclass(frozen=True)
class Planned(Lowered):
    """A model in a backend's terms. Printing it compiles it and shows the plan with what the engine derives."""

    stated: Model = field(repr=False, compare=False)
    selection: Selection

    def __str__(self) -> str:
        if not self.selection.capabilities.derives:
            return super().__str__()
        return "\n".join(prepare(self.stated, self.selection).plan)


@overload
def prepare(
    model: Model, spec: Compiler[C_co], record: Record | None = None, clock: Budget | None = None
) -> Prepared[C_co]: ...
@overload
def prepare(
    model: Model, spec: BackendLike, record: Record | None = None, clock: Budget | None = None
) -> Prepared[Any]: ...
def prepare(model: Model, spec: Any, record: Record | None = None, clock: Budget | None = None) -> Prepared[Any]:
    """Lower and compile a model for a backend; done once for each model object, backend and options.

    Raises Unsupported if no rewrites lead to what the backend accepts, OutOfTime if the clock expires first, and
    ``place.Large`` if the time limit calls for a child process.
    """
    selection = select(spec)
    key = place.prepared_key(selection)
    found = model.memo.get(key)
    if not isinstance(found, Prepared):
        found = model.memo.setdefault(key, _prepare(model, selection, record or Record(), clock or Budget()))
        assert isinstance(found, Prepared)
    return found


def _prepare(model: Model, selection: Selection, record: Record, clock: Budget) -> Prepared[Any]:
    spent, watch = record.worked("lower", "compile"), record.stopwatch()
    lowered = plan(model, selection, clock.check)
    watch.lap("lower")
    clock.check()
    place.weigh(selection, model, lowered.model, clock.left, record.worked("lower", "compile") - spent)
    compiled = compiled_by(selection, lowered.model)
    USED.add(selection.backend.name)
    watch.lap("compile")
    seconds = record.worked("lower", "compile") - spent
    return Prepared(model, selection, lowered, compiled, checker_of(model), seconds)


def compiled_by(selection: Selection, model: Model) -> Compiled:
    """Return a lowered model compiled by a backend; BackendFailed for any exception that is not ours."""
    try:
        return selection.backend.compile(model, selection.options)
    except SudokuModelsError:
        raise
    except RecursionError as error:
        raise Unsupported(f"{selection} does not accept this model: {TOO_DEEP}") from error
    except SystemExit as error:
        raise BackendCrashed(f"{selection} tried to exit the program with code {error.code!r}") from error
    except Exception as error:
        raise BackendFailed(f"{selection} could not compile the model: {type(error).__name__}: {error}") from error


def plan(model: Model, spec: BackendLike, check: Callable[[], object] | None = None) -> Lowered:
    """Return the model in the backend's terms. Printing it shows the rewrites and what the engine derives.

    Raises Unsupported if no rewrites lead to what the backend accepts; ``check`` is called during the work, and what it
    raises ends the work.
    """
    selection = select(spec)
    if isinstance(selection.backend, Combined):
        raise Unsupported(f"{selection} has no plan of its own: ask for the plan of a member")
    key = place.prepared_key(selection, "plan")
    found = model.memo.get(key)
    if not isinstance(found, Lowered):
        lowered = planned(model, selection.capabilities, str(selection), check)
        found = model.memo[key] = Planned(lowered.model, lowered.functional, lowered.tree, model, selection)
    return found


def planned(
    model: Model, capabilities: Capabilities, target: str, check: Callable[[], object] | None = None
) -> Lowered:
    """Return the model rewritten for these capabilities; ``target`` names their owner in an Unsupported error.

    ``check`` is called during the work; an exception from it ends the work.
    """
    taken = capabilities.kinds
    try:
        lowered = lower(model, taken, capabilities.accepts, target, check, capabilities.adds, capabilities.doubted)
        reason = capabilities.accepts_whole(lowered.model)  # each constraint was checked when it was lowered
    except RecursionError:
        reason = TOO_DEEP
    if reason:
        raise Unsupported(f"{target} does not accept this model: {reason}")
    return lowered
