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
from . import workers
from .budget import Budget, Interruption
from .capabilities import Capabilities
from .check import Checker, checker_of
from .combined import Combined
from .contract import C_co, Compiled, Compiler
from .derived import Derived
from .record import Record
from .registry import BackendLike, Selection, select

PROMPT, SHARE = 0.25, 0.25
"""Seconds, and the share of a limit if that is more, that stating a model may take in this process under a limit."""

LARGE = 200_000
"""Models larger than this are not even lowered to see whether an engine takes them: that takes seconds."""

MODEST = 50_000
"""Under a time limit, larger models than this are not stated in this process."""

RATE = 1e-5
"""Seconds that most engines take at worst to compile and state a lowered model, for each unit of its size."""


class Large(Interruption):
    """The lowered model is too large to be stated in this process within the limit."""


@dataclass(frozen=True)
class Prepared(Generic[C_co]):
    """A model lowered and compiled for one backend with its options; kept on the model.

    ``compiled`` has the backend's own type if ``prepare`` was given a backend, not its name.
    """

    model: Model = field(repr=False)
    selection: Selection
    lowered: Lowered = field(repr=False)
    compiled: C_co = field(repr=False)
    checker: Checker = field(repr=False)

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
    model: Model, spec: Compiler[C_co], record: Record | None = None, budget: Budget | None = None
) -> Prepared[C_co]: ...
@overload
def prepare(
    model: Model, spec: BackendLike, record: Record | None = None, budget: Budget | None = None
) -> Prepared[Any]: ...
def prepare(model: Model, spec: Any, record: Record | None = None, budget: Budget | None = None) -> Prepared[Any]:
    """Lower and compile a model for a backend; done once for each model object, backend and options.

    Raises Unsupported if no rewrites lead to what the backend accepts, OutOfTime if the time is spent first, and
    Large if the time limit calls for a child process.
    """
    selection = select(spec)
    key = prepared_key(selection)
    found = model.memo.get(key)
    if not isinstance(found, Prepared):
        prepared = _prepare(model, selection, record or Record(), budget or Budget())
        found = model.memo.setdefault(key, prepared)
        assert isinstance(found, Prepared)
    return found


def _prepare(model: Model, selection: Selection, record: Record, budget: Budget) -> Prepared[Any]:
    watch = record.stopwatch()
    lowered = plan(model, selection, budget.check)
    watch.lap("lower")
    budget.check()
    left = None if workers.inside_child() else budget.left
    if left is not None and RATE * lowered.model.size > max(PROMPT, SHARE * left):
        raise Large
    compiled = compiled_by(selection, lowered.model)
    watch.lap("compile")
    return Prepared(model, selection, lowered, compiled, checker_of(model))


def prepared_key(selection: Selection, what: str = "prepared") -> tuple[str, str]:
    """Return the key by which a model keeps something for a backend with its options, by default its compiled form."""
    return what, selection.key


def is_prompt(model: Model, selection: Selection) -> bool:
    """Return whether a model is prepared already, or small enough to be lowered in this process under a limit."""
    return model.size <= MODEST or prepared_key(selection) in model.memo


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
    key = prepared_key(selection, "plan")
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
