"""A formula in conjunctive normal form, as stated in a certificate: variables in the model's order, plain lists."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..model import Domain
from .looking import Look

Clause = tuple[int, ...]

LONGEST = 40_000_000
"""The most numbers (literals and ends of clauses) in a formula: about 160 MB."""

LOOKS = 4_096
"""Clauses between two checks of the clock."""


class TooLarge(ValueError):
    """The formula of a model would be larger than a certificate may be."""


@dataclass
class FlatFormula:
    """Clauses in one flat array, each ended by 0. Variable 1 + k is the k-th pair of a model's variable and a value.

    ``starts`` has the start of each clause, and of the next one. ``look`` is called repeatedly while
    clauses are added; an exception from it ends the work.
    ``literals`` maps (name, value) to its variable; auxiliary variables follow after those.
    """

    literals: dict[tuple[str, int], int] = field(default_factory=dict)
    numbers: array[int] = field(default_factory=lambda: array("i"))
    starts: array[int] = field(default_factory=lambda: array("i", [0]))
    variables: int = 0
    look: Look = lambda: None

    @classmethod
    def over(cls, names: Sequence[str], domains: Sequence[Domain]) -> FlatFormula:
        """Return a formula without clauses whose variables are the values of these variables, in order."""
        if sum(map(len, domains)) > LONGEST:
            raise TooLarge(
                f"the variables have more than {LONGEST:,} values, which is more than a certificate may have"
            )
        pairs = ((name, value) for name, values in zip(names, domains, strict=True) for value in values)
        literals = {pair: number for number, pair in enumerate(pairs, 1)}
        return cls(literals, variables=len(literals))

    def copy(self) -> FlatFormula:
        """Return a formula with the same clauses to which more can be added; the map is shared."""
        return FlatFormula(self.literals, self.numbers[:], self.starts[:], self.variables)

    def beyond(self) -> FlatFormula:
        """Return a formula for further clauses only: the same variables and map, no clauses."""
        return FlatFormula(self.literals, variables=self.variables)

    def fresh(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause, each literal once; one that is always true is left out. TooLarge if the formula becomes too
        large.
        """
        literals = dict.fromkeys(clause)
        if any(-x in literals for x in literals):
            return
        self.numbers.extend(literals)
        self.numbers.append(0)
        self.starts.append(len(self.numbers))
        if not self.clauses % LOOKS:
            self.look()
        if len(self.numbers) > LONGEST:
            raise TooLarge(f"the formula has more than {LONGEST:,} numbers, which is more than a certificate may have")

    @property
    def clauses(self) -> int:
        """The number of clauses."""
        return len(self.starts) - 1

    def clause(self, number: int) -> Clause:
        """Return a clause by its number, counted from 1."""
        return tuple(self.numbers[self.starts[number - 1] : self.starts[number] - 1])

    def __iter__(self) -> Iterator[Clause]:
        """Yield the clauses in order."""
        return map(self.clause, range(1, self.clauses + 1))

    @property
    def dimacs(self) -> str:
        """The formula as a DIMACS file, with one clause on each line."""
        lines = " ".join(["", *map(str, self.numbers)]).replace(" 0 ", " 0\n ")
        return f"p cnf {self.variables} {self.clauses}\n" + "".join(f"{line.strip()}\n" for line in lines.splitlines())

    @property
    def mapping(self) -> str:
        """The map as text: a line ``number name value`` for each value of each variable of the model."""
        return "".join(f"{number} {name} {value}\n" for (name, value), number in self.literals.items())
