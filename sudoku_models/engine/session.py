"""Sessions: a model that is compiled once and takes further constraints between runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..errors import Unsupported
from ..lowering import Branches, Lowered, lower
from ..model import Constraint, Model, Variable
from .base import keeps_nothing
from .budget import Budget
from .check import Guard, without_auxiliaries
from .contract import Feature, Request, Run, Search, Solution
from .record import Record
from .registry import BackendLike, Selection, select
from .road import Prepared, checked, normal, prepare, refuse_undeclared


def addition(
    selection: Selection, before: Model, constraints: Sequence[Constraint], check: Callable[[], object] | None = None
) -> tuple[Lowered, tuple[Variable, ...]]:
    """Return constraints lowered for an engine that has a model already, and the variables that they need beyond its.

    What could be added to a model as a whole is not added to them.
    """
    able = selection.capabilities
    step = lower(Model(before.variables, constraints), able.kinds, able.accepts, str(selection), check)
    return step, step.model.variables[len(before.variables) :]


class Session:
    """A model on a backend with the feature ``assume``, which keeps as much of its work as it can between runs.

    ``model`` is the model as stated so far. A session belongs to the thread that made it and has one run at a time: an
    open run ends when the next one begins and when a constraint is added. Use it in a ``with`` block, or close it.
    """

    def __init__(self, model: Model, spec: BackendLike) -> None:
        """Begin with a model; Unsupported if the backend has no sessions or does not accept the model."""
        self.selection = select(spec)
        if Feature.ASSUME not in self.selection.capabilities.features:
            raise keeps_nothing(str(self.selection))
        prepared = prepare(model, self.selection)
        self._prepared = prepared
        self._engine = prepared.compiled.assume()
        self._thread = threading.get_ident()
        self._open: Run | None = None
        self._closed = False

    @property
    def model(self) -> Model:
        """The model as it was stated, with all added constraints."""
        return self._prepared.model

    def add(self, *constraints: Constraint) -> None:
        """Add constraints over the model's variables, of any kind that can be lowered for the backend.

        ValueError if one names something that is not a variable; Unsupported if the backend cannot take one. Then none
        is added, and an open run continues unless the engine itself refused the constraint.
        """
        self._belongs()
        stated = self.model.with_(*constraints)
        before, capabilities = self._prepared.lowered.model, self.selection.capabilities
        step, variables = addition(self.selection, before, constraints)
        whole = before.with_(*step.model.constraints, variables=variables)
        reason = capabilities.accepts_model(whole)
        if reason:
            raise Unsupported(f"{self.selection} does not accept this model: {reason}")
        self._settle()
        self._engine.add(step.model.constraints, variables)
        functional = self._prepared.lowered.functional and step.functional
        tree = Branches()
        tree.take_in(self._prepared.lowered.tree)
        tree.take_in(step.tree)
        lowered = Lowered(whole, functional, tree)
        self._prepared = Prepared(stated, self.selection, lowered, self._prepared.compiled)

    def run(self, request: Request | None = None, record: Record | None = None) -> Run:
        """Start a request under all constraints added so far; return a Run of checked solutions, like ``road.run``.

        It runs in this process: Unsupported for a limit that the backend does not observe by itself.
        """
        self._belongs()
        request, record = normal(self.model, request or Request()), record or Record()
        refuse_undeclared(self.selection, request, self.model)
        if request.memory_limit is not None:
            raise Unsupported("a session runs in this process, where memory cannot be limited")
        if request.time_limit is not None and Feature.TIME_LIMIT not in self.selection.capabilities.features:
            raise Unsupported(
                f"a session runs in this process, where {self.selection} cannot be stopped by a time limit"
            )
        self._settle()
        record.backend, record.options = self.selection.backend.name, self.selection.changed
        record.seed, record.plan = request.seed, tuple(str(self._prepared.lowered.tree).splitlines())
        budget = Budget(request.time_limit)
        self._open = _SessionRun(self._search(self._prepared, request, budget, record), budget, record)
        return self._open

    def _search(self, prepared: Prepared[Any], request: Request, budget: Budget, record: Record) -> Search:
        guard = Guard(prepared.model, self.selection, request)
        if request.keep is None and not prepared.lowered.functional and not prepared.model.objective:
            request = replace(request, keep=prepared.model.names)
        width = len(prepared.lowered.model.names)

        def begun(inner: Record) -> Search:
            return without_auxiliaries(self._engine.search(request, budget, inner), width, prepared.model)

        return (yield from checked(begun, budget, record, guard))

    def close(self) -> None:
        """End an open run and release the engine."""
        if not self._closed:
            self._settle()
            self._engine.close()
            self._closed = True

    def _settle(self) -> None:
        """End the open run, only in the thread of the session."""
        self._belongs()
        if self._open is not None:
            self._open.close()

    def _belongs(self) -> None:
        """Raise RuntimeError in another thread, or if the session is closed."""
        _refuse_thread(self._thread)
        if self._closed:
            raise RuntimeError("the session is closed")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _SessionRun(Run):
    """A run of a session: only the thread that began it can advance and end it."""

    def __init__(self, search: Search, budget: Budget, record: Record) -> None:
        super().__init__(search, budget, record)
        self._thread = threading.get_ident()

    def __next__(self) -> Solution:
        _refuse_thread(self._thread)
        return super().__next__()

    def close(self) -> None:
        if self._ending is None:
            _refuse_thread(self._thread)
        super().close()


def _refuse_thread(thread: int) -> None:
    if threading.get_ident() != thread:
        raise RuntimeError("a session belongs to the thread that made it: make one in each thread")
