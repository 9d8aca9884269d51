"""Capabilities: the constraints that a backend accepts and the features it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from ..model import Constraint, Domain, Model
from .numbers import Numbers
from .quirk import Quirk


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
    TRACE = "trace"  # reports the decisions of its search as it makes them


class Isolate(StrEnum):
    """When a backend runs in a child process that can be killed."""

    NEVER = "never"
    IF_LIMITED = "if limited"
    ALWAYS = "always"


Export = Callable[[Any, Mapping[str, Domain]], Iterator[str | bytes]]
"""Yields a compiled model, with narrowed domains, in pieces for another program: all text or all bytes."""


def _accept_every(_: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Capabilities:
    """The capabilities declared by a backend, read by the planner, the conformance suite and the support table.

    ``kinds`` are the kinds of constraint accepted; ``refuses`` and ``refuses_model`` may turn down a single constraint
    of such a kind or a whole model, with the reason. ``doubted`` are the kinds of which ``refuses`` may turn some down
    (None: it is asked about every constraint). ``requires`` are the modules the engine needs, ``install`` what
    ``pip install`` takes to get them, ``conflicts`` modules that cannot be loaded beside them: a child process runs no
    two backends of which one conflicts with what the other requires. ``programs`` have to be on the path; ``install``
    is then the whole advice. ``deaf``: the engine handles no signals while it works, so the command line runs it in a
    child process. ``numbers`` are the largest numbers that it takes. If one of the ``quirks`` could affect a model,
    another engine confirms what this one denies. ``adds`` names what is added to a model that is lowered for it, see
    ``lowering.ADDITIONS``. ``derives``: its compiled models report what the engine derived, for plans
    (``derived.CompiledWithDerived``). ``exports`` are the formats in which a compiled model can be written, by name.
    ``auto`` asks the backends that have a preference (see ``registry.ranked``) with the options ``chosen_with``, unless
    ``preferred`` is false: the backend would be slow here.
    """

    kinds: frozenset[type[Constraint]]
    features: frozenset[Feature] = frozenset()
    requires: tuple[str, ...] = ()
    install: str = ""
    conflicts: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    isolate: Isolate = Isolate.NEVER
    deaf: bool = False
    refuses: Callable[[Constraint], str | None] = _accept_every
    doubted: frozenset[type[Constraint]] | None = None
    refuses_model: Callable[[Model], str | None] = _accept_every
    numbers: Numbers = Numbers()  # noqa: RUF009
    quirks: tuple[Quirk, ...] = ()
    adds: tuple[str, ...] = ()
    derives: bool = False
    exports: Mapping[str, Export] = field(default_factory=dict, hash=False)
    chosen_with: str = ""
    preferred: bool = True

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
