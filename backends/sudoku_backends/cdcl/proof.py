"""From what a search learned to the lemmas that the empty clause needs."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sudoku_models.engine.refutation import Lemma

from .solver import Learned

Ints = NDArray[np.int64]


def lemmas_of(learned: Learned) -> list[Lemma]:
    """Return the learned clauses on which the last one, the empty clause, rests, in order, with their own numbers.

    Without a conflict below the root all of them are literals that follow one by one; then the empty clause alone is
    returned, its hints the clauses that show each of them.
    """
    first, lits, starts, hints, hint_at, conflicts = learned
    needed = np.flatnonzero(rests(hints, hint_at, first))
    if not conflicts:
        return [Lemma(first, (), tuple(_chain(learned, needed)))]
    found = []
    for k in needed.tolist():
        clause, because = lits[starts[k] : starts[k + 1]], hints[hint_at[k] : hint_at[k + 1]]
        found.append(Lemma(first + k, tuple(clause.tolist()), tuple(because.tolist())))
    return found


def _chain(learned: Learned, needed: Ints) -> list[int]:
    """Return the clauses of one literal that are used, then those that show literal after literal.

    The last hint of a learned literal is the clause that shows it, the others are clauses of one literal.
    """
    last = learned.hint_at[needed + 1] - 1
    others = np.ones(len(learned.hints), np.bool_)
    others[learned.hint_at[1:] - 1] = False
    used = np.repeat(np.isin(np.arange(len(learned.hint_at) - 1), needed), np.diff(learned.hint_at)) & others
    stated = learned.hints[used]
    found: list[int] = np.unique(stated[stated < learned.first]).tolist() + learned.hints[last].tolist()
    return found


@njit(cache=True)
def rests(hints, hint_at, first):  # type: ignore[no-untyped-def]
    """Mark the clauses on which the last one rests, itself included."""
    count = len(hint_at) - 1
    needed = np.zeros(count, np.bool_)
    needed[count - 1] = True
    for k in range(count - 1, -1, -1):
        if needed[k]:
            for hint in hints[hint_at[k] : hint_at[k + 1]]:
                if hint >= first:
                    needed[hint - first] = True
    return needed
