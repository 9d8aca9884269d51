"""What a rewrite is: it states one constraint by others that mean the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..model import Constraint, Domain, InDomain, Variable

Accepts = Callable[[Constraint], str | None]
"""Returns None when a backend accepts the constraint as it is, else the reason why not."""


def _go_on() -> None:
    """Let the work go on: nothing limits it."""


def _accept_none(constraint: Constraint) -> str | None:
    return "no backend is named"


class _Watched(Mapping[str, Domain]):
    """Domains by name, with a call of ``check`` at each look."""

    def __init__(self, domains: Mapping[str, Domain], check: Callable[[], object]) -> None:
        self._domains, self._check = domains, check

    def __getitem__(self, name: str) -> Domain:
        self._check()
        return self._domains[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._domains)

    def __len__(self) -> int:
        return len(self._domains)


Mark = tuple[int, int, int]
"""How many variables, literals and selectors there are."""

Taken = tuple[list[Variable], list[tuple[Constraint, InDomain]], list[tuple[str, dict[int, str]]]]
"""Variables, literals and selectors that were taken back."""


@dataclass
class Scratch:
    """Where a rewrite looks up domains and makes auxiliary variables, with names that nothing else has.

    ``accepts`` is the word of the backend, for rewrites that have a choice; ``stated`` are the constraints of the
    whole model, all of which hold. ``known`` remembers, by constraint, the literal that tells whether it holds;
    ``selectors``, by variable and value, the 0 or 1 that tells whether that is the value. ``check`` is called again
    and again on the way; what it raises ends the work.
    """

    domains: dict[str, Domain]
    added: list[Variable] = field(default_factory=list)
    accepts: Accepts = _accept_none
    stated: tuple[Constraint, ...] = ()
    known: dict[Constraint, InDomain] = field(default_factory=dict)
    selectors: dict[str, dict[int, str]] = field(default_factory=dict)
    check: Callable[[], object] = _go_on

    @property
    def watched(self) -> Mapping[str, Domain]:
        """The domains for work that looks at them again and again: each look calls ``check``."""
        return self.domains if self.check is _go_on else _Watched(self.domains, self.check)

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
        """Return how much was added so far, for ``take_back``."""
        return len(self.added), len(self.known), len(self.selectors)

    def take_back(self, mark: Mark) -> Taken:
        """Take back what was added since a mark: variables, and literals and selectors made of them."""
        variables, self.added[mark[0] :] = self.added[mark[0] :], []
        for variable in variables:
            del self.domains[variable.name]
        known = [self.known.popitem() for _ in range(len(self.known) - mark[1])]
        selectors = [self.selectors.popitem() for _ in range(len(self.selectors) - mark[2])]
        return variables, known[::-1], selectors[::-1]

    def put_back(self, taken: Taken) -> None:
        """Add again what was taken back, where nothing was added since."""
        variables, known, selectors = taken
        self.added += variables
        self.domains |= {variable.name: variable.domain for variable in variables}
        self.known |= known
        self.selectors |= selectors

    def takes(self, constraint: Constraint) -> bool:
        """Tell whether the backend accepts a constraint as it is."""
        self.check()
        return self.accepts(constraint) is None


Cost = Callable[[Constraint, Mapping[str, Domain]], float | None]
"""What a rewrite of a constraint costs by itself; None where it does not apply."""

Apply = Callable[[Constraint, Scratch], list[Constraint]]
"""Returns the constraints that state one; the variables that they need are made by the Scratch."""


@dataclass(frozen=True)
class Rewrite:
    """One way to state constraints of kind ``source`` by constraints of the kinds ``targets``.

    ``cost`` looks at the constraint and the domains, since the best way depends on its size: roughly the number of
    tuples or literals that it makes; None where the rewrite does not apply. ``functional``: every auxiliary variable
    that ``apply`` adds is determined by the stated ones. ``unfolds``: what it makes has fewer parts within parts, so
    that any kind, the source's own included, may follow.
    """

    name: str
    source: type[Constraint]
    targets: frozenset[type[Constraint]]
    cost: Cost
    apply: Apply
    functional: bool = True
    unfolds: bool = False
