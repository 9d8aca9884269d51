"""The variables of a model, and facts derived from them alone; models on the same board share them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from .domain import Domain
from .expression import Variable


class StatedVariables(tuple[Variable, ...]):
    """The variables of a model, in order and with distinct names, which are checked only once.

    ``memo`` caches other objects derived from the variables alone; it is ignored by equality and pickling.
    """

    memo: dict[Any, Any]

    @classmethod
    def of(cls, variables: Iterable[Variable]) -> StatedVariables:
        """Return checked variables; raise TypeError for other objects, and ValueError for a repeated name."""
        if isinstance(variables, StatedVariables):
            return variables
        listed: Any = variables
        if getattr(listed, "ndim", 1) > 1:  # a board as an array
            listed = listed.ravel()
        found = cls(listed)
        found.memo = {}
        for variable in found:
            if not isinstance(variable, Variable):
                raise TypeError(f"{variable!r:.60} is not a variable: a list of variables is expected")
        if len(found.known) < len(found):
            twice = next(name for name, times in Counter(found.names).items() if times > 1)
            raise ValueError(f"the variable {twice} appears twice in the model")
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return StatedVariables.of, (tuple(self),)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in order."""
        return tuple([v.name for v in self])

    @cached_property
    def known(self) -> frozenset[str]:
        """The names as a set."""
        return frozenset(self.names)

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each variable's name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def domains(self) -> dict[str, Domain]:
        """The domain of each variable, by name."""
        return {v.name: v.domain for v in self}

    @cached_property
    def unlike(self) -> tuple[Domain, ...]:
        """The distinct domains."""
        return tuple(dict.fromkeys({id(v.domain): v.domain for v in self}.values()))

    @cached_property
    def values(self) -> int:
        """The total number of values in all domains."""
        return sum([len(v.domain) for v in self])
