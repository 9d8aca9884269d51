"""From what a search learned to the lemmas that the empty clause needs."""

from __future__ import annotations

from sudoku_models.engine.refutation import Lemma

from .solver import ClauseSearch


def lemmas_of(search: ClauseSearch) -> list[Lemma]:
    """Return the learned clauses on which the last one, the empty clause, rests, in order, with their own numbers.

    Without a conflict below the root all of them are literals that follow one by one; then the empty clause alone is
    returned, its hints the clauses that show each of them.
    """
    numbers, at, found = search.proof().tolist(), 0, []
    while at < len(numbers):
        middle = numbers.index(0, at)
        end = numbers.index(0, middle + 1)
        found.append(Lemma(numbers[at], tuple(numbers[at + 1 : middle]), tuple(numbers[middle + 1 : end])))
        at = end + 1
    return found
