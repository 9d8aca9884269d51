"""The definition of a rewrite: it states one constraint by others with the same meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from ..dataclass import dataclass
from ..model import Constraint, Domain, InDomain, Variable

Accepts = Callable[[Constraint], str | None]
"""Returns None if a backend accepts the constraint as it is, otherwise the reason why not."""


def _go_on() -> None:
    """Do nothing: the work is not limited."""


def _accept_none(constraint: Constraint) -> str | None:
    return "no backend is named"


Mark = tuple[int, int]
"""The numbers of variables and literals."""


@dataclass
class Scratch:
    """The working state of rewrites: looks up domains and makes auxiliary variables with unique names.

    ``accepts`` tests whether the backend accepts a constraint, for rewrites that have a choice; ``stated`` are the
    constraints of the whole model, all of which hold. ``known`` maps a constraint to the literal that is true exactly
    if it holds. ``check`` is called repeatedly; an exception from it ends the work.
    """

    domains: dict[str, Domain]
    added: list[Variable] = field(default_factory=list)
    accepts: Accepts = _accept_none
    stated: tuple[Constraint, ...] = ()
    known: dict[Constraint, InDomain] = field(default_factory=dict)
    check: Callable[[], object] = _go_on

    def auxiliary(self, hint: str, values: Domain) -> str:
        """Add an auxiliary variable and return its name; ``hint`` becomes a part of it."""
        self.check()
        name = f"_{hint}{len(self.added)}"
        while name in self.domains:
            name = "_" + name
        variable = Variable(name, values)
        self.added.append(variable)
        self.domains[name] = variable.domain
        return name

    def mark(self) -> Mark:
        """Return how much has been added so far, for ``take_back``."""
        return len(self.added), len(self.known)

    def take_back(self, mark: Mark) -> None:
        """Remove what was added since a mark: variables, and the literals made of them."""
        while len(self.added) > mark[0]:
            del self.domains[self.added.pop().name]
        while len(self.known) > mark[1]:
            self.known.popitem()

    def takes(self, constraint: Constraint) -> bool:
        """Return whether the backend accepts a constraint as it is."""
        self.check()
        return self.accepts(constraint) is None


Cost = Callable[[Any, Scratch], float | None]
"""The own cost of a rewrite of a constraint of its kind; None if it does not apply."""

Apply = Callable[[Any, Scratch], list[Constraint]]
"""Returns the constraints that replace one of its kind; the Scratch makes the variables that they need."""


@dataclass(frozen=True)
class Rewrite:
    """One way to state constraints of kind ``source`` by constraints of the kinds ``targets``.

    ``cost`` depends on the constraint and the domains, since the best rewrite depends on their size: roughly the number
    of tuples or literals that it produces; None if the rewrite does not apply. ``functional``: every auxiliary variable
    that ``apply`` adds is determined by the stated ones. ``unfolds``: the result is less deeply nested, so any kind,
    the source's own included, may follow.
    """

    name: str
    source: type[Constraint]
    targets: frozenset[type[Constraint]]
    cost: Cost
    apply: Apply
    functional: bool = True
    unfolds: bool = False
