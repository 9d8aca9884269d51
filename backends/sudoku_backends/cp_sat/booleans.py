"""The form ``booleans``: a literal for each value of each variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudoku_models.model import Domain

from .integers import Integers, Literal

LARGEST_IN_SUMS = 2**53
"""Larger values are not added up: such a sum might exceed 64 bits."""


class Booleans(Integers):
    """States a model with a literal for each value of each variable; integers are channelled to them."""

    clausal = True

    def add_variable(self, name: str, values: Domain) -> None:
        """Add an integer and a literal for each of its values; exactly one of these is true."""
        super().add_variable(name, values)
        literals = [self.model.new_bool_var(f"{name}={value}") for value in values]
        self.literals.update({(name, value): literal for value, literal in zip(values, literals, strict=True)})
        if values and max(-values[0], values[-1]) <= LARGEST_IN_SUMS:
            self.model.add_exactly_one(literals)
            terms = zip(values, literals, strict=True)
            self.model.add(self.variables[name] == sum(value * literal for value, literal in terms))
        elif values:
            for value, literal in zip(values, literals, strict=True):
                self.channel(name, (value,), literal)

    def add_literals(self) -> None:
        """Add nothing: the literals are there already."""

    def fresh_literal(self, x: str, values: Sequence[int]) -> Literal:
        """Return a literal for "``x`` has one of these values"; the literal of a single value exists already."""
        return self.literals[x, values[0]] if len(values) == 1 else super().fresh_literal(x, values)

    def all_different(self, xs: Iterable[str]) -> None:
        """State that each value occurs at most once; exactly once if the numbers of values and variables are equal."""
        xs = list(xs)
        if self.when:
            super().all_different(xs)
            return
        values = sorted({value for x in xs for value in self.stated.domains[x]})
        for value in values:
            literals = [self.literals[x, value] for x in xs if (x, value) in self.literals]
            if len(values) == len(xs):
                self.model.add_exactly_one(literals)
            else:
                self.model.add_at_most_one(literals)
        if len(values) < len(xs):
            self.impossible()
