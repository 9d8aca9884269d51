"""The formula of a certificate: as data, and as its clauses are written."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat

from ..errors import SudokuModelsError
from ..model import Domain

Clause = tuple[int, ...]

LONGEST = 40_000_000
"""The most numbers (literals and ends of clauses) in a formula: about 160 MB."""

MOST_VALUES = 5_000_000
"""The most values of all variables together."""

MOST_STEPS = 500_000_000
"""The most pairs of values (or similar) that are examined, even if there is nothing to state about them."""

LOOKS = 100_000
"""Steps between two checks of the clock."""


class TooLarge(SudokuModelsError, ValueError):
    """The formula of a model would be larger than a certificate may be."""


@dataclass(frozen=True)
class Formula:
    """A formula in conjunctive normal form.

    ``numbers`` are the literals of its ``clauses``, 0 after each clause. ``literals`` maps (name, value) of a model's
    variables to variables of the formula; new variables follow after those, up to ``variables``.
    """

    literals: Mapping[tuple[str, int], int] = field(repr=False)
    numbers: array[int] = field(repr=False)
    variables: int
    clauses: int

    def __iter__(self) -> Iterator[Clause]:
        """Yield the clauses in order."""
        start = 0
        for _ in range(self.clauses):
            end = self.numbers.index(0, start)
            yield tuple(self.numbers[start:end])
            start = end + 1

    @property
    def dimacs(self) -> str:
        """The formula as a DIMACS file, with one clause on each line."""
        lines = " ".join(["", *map(str, self.numbers)]).replace(" 0 ", " 0\n ")
        return f"p cnf {self.variables} {self.clauses}\n" + "".join(f"{line.strip()}\n" for line in lines.splitlines())

    @property
    def mapping(self) -> str:
        """The map as text: a line ``number name value`` for each value of each variable of the model."""
        return "".join(f"{number} {name} {value}\n" for (name, value), number in self.literals.items())


class Clauses:
    """Clauses as they are written, over numbered variables: each value of each variable of a model, then new ones.

    While ``repeats`` is set, a clause may come with a literal twice: it is written once, and a clause that is always
    true is left out. ``look`` is called repeatedly; an exception from it ends the work. Raises TooLarge beyond bounds.
    """

    def __init__(self, domains: Mapping[str, Domain], look: Callable[[], None]) -> None:
        if sum(map(len, domains.values())) > MOST_VALUES:
            raise TooLarge(f"the variables have more than {MOST_VALUES:,} values, which is too much for a certificate")
        pairs = [(x, value) for x, values in domains.items() for value in values]
        self.literals = dict(zip(pairs, range(1, len(pairs) + 1), strict=True))
        self.domains = domains
        self.variables = len(pairs)
        self.all: list[Clause] = []
        self.look = look
        self.repeats = False
        self._room = LONGEST
        self._steps = self._seen = 0

    def say(self, *literals: int) -> None:
        """Write a clause."""
        if self.repeats:
            literals = tuple(dict.fromkeys(literals))
            if len(set(map(abs, literals))) < len(literals):
                return
        self.all.append(literals)
        self._room -= len(literals) + 1
        if not len(self.all) % 1024:
            self.look()
        if self._room < 0:
            raise TooLarge(
                f"the formula has more than {LONGEST:,} literals and clauses in all, too many for a certificate"
            )

    def step(self, work: int) -> None:
        """Count the steps of the next piece of work and check the clock."""
        self._steps += work
        if self._steps > MOST_STEPS:
            raise TooLarge(
                f"stating the model takes more than {MOST_STEPS:,} steps, which is too much for a certificate"
            )
        if self._steps > self._seen + LOOKS:
            self._seen = self._steps
            self.look()

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def values(self, x: str) -> list[tuple[int, int]]:
        """Return each value of a variable with its number in the formula."""
        return [(value, self.literals[x, value]) for value in self.domains[x]]

    def beyond(self, look: Callable[[], None]) -> Clauses:
        """Return an empty set of clauses over the same variables, for those that follow these."""
        made = Clauses({}, look)
        made.literals, made.domains, made.variables = self.literals, self.domains, self.variables
        made._room = self._room
        return made

    def flat(self) -> array[int]:
        """Return the literals of the clauses, 0 after each clause."""
        ended = chain.from_iterable(zip(self.all, repeat((0,))))
        return array("i", list(chain.from_iterable(ended)))
