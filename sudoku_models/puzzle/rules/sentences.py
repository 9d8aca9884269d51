"""Splits the judges of rules into sentences about few cells each, so that many boards can be judged together.

A judge that reads the whole board must be called for every board. A sentence about two cells is evaluated once for
each pair of values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from operator import ne

from .board import Board, Filled
from .rule_base import Rule

Sentence = Callable[[Filled], bool]
"""Returns whether a filled board satisfies a part of a rule."""


@dataclass(frozen=True)
class SentenceJudge:
    """Judges solutions by one sentence of a rule."""

    board: Board
    rule: Rule
    sentence: Sentence

    def broken(self, values: Mapping[str, int]) -> str | None:
        """Return the rule, in words, if a solution breaks the sentence."""
        return None if self.sentence(Filled(self.board, values)) else f"the rule {self.rule}"


def judges_of(board: Board, rules: Iterable[Rule]) -> tuple[SentenceJudge, ...]:
    """Return a judge for each sentence of some rules of a board."""
    return tuple(SentenceJudge(board, rule, sentence) for rule in rules for sentence in _sentences(board, rule))


def _sentences(board: Board, rule: Rule) -> Iterable[Sentence]:
    """Return the sentences of a rule, or its judge if a subclass overrides the judge but not the sentences."""
    kind = next(kind for kind in type(rule).__mro__ if "judge" in vars(kind) or "sentences" in vars(kind))
    return rule.sentences(board) if "sentences" in vars(kind) else (rule.judge,)


def about(cells: Iterable[str], keeps: Callable[..., bool]) -> Sentence:
    """Return the sentence that a function of the values of some cells is true."""
    names = tuple(cells)
    return lambda grid: keeps(*grid.along(names))


def differing(cells: Iterable[str]) -> Iterator[Sentence]:
    """Yield for every two of some cells the sentence that they differ."""
    return (about(couple, ne) for couple in combinations(cells, 2))
