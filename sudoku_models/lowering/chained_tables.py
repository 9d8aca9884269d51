"""Constraints that are read letter by letter, as chains of tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..model import Constraint, Domain, InDomain, Linear, NValue, Table
from .arithmetic import merged
from .as_words import word_of
from .rewrite import Rewrite, Scratch
from .unrolling import steps, unrolled

MOST = 1_000_000
"""The most rows that the tables of one constraint may have."""


MOST_SETS = 20_000
"""The same if states are sets of values: there is a better rewrite for large ones."""


def _cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    word = word_of(constraint, domains)
    return None if word is None else steps(word, domains, MOST_SETS if isinstance(constraint, NValue) else MOST)


def _long_cost(constraint: Constraint, domains: Mapping[str, Domain]) -> float | None:
    assert isinstance(constraint, Linear)
    return _cost(constraint, domains) if len(merged(constraint)) > 2 else None


def _apply(hint: str) -> Callable[[Constraint, Scratch], list[Constraint]]:
    def apply(constraint: Constraint, scratch: Scratch) -> list[Constraint]:
        word = word_of(constraint, scratch.domains)
        assert word is not None
        return unrolled(word, scratch, MOST, hint)

    return apply


def chain(name: str, kind: type[Constraint], hint: str) -> Rewrite:
    """Return the rewrite of one kind to the tables of its automaton."""
    cost = _long_cost if kind is Linear else _cost
    return Rewrite(name, kind, frozenset({Table, InDomain}), cost, _apply(hint))
