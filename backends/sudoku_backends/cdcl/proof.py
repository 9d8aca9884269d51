"""From what a search learned to the lemmas that the empty clause needs."""

from __future__ import annotations

import numpy as np

from sudoku_models.engine.refutation import Lemma

from .machine import machine
from .solver import Ints, Learned


def lemmas_of(learned: Learned) -> list[Lemma]:
    """Return the learned clauses on which the last one, the empty clause, rests, in order, with their own numbers.

    Without a conflict below the root all of them are literals that follow one by one; then the empty clause alone is
    returned, its hints the clauses that show each of them.
    """
    first, lits, starts, hints, hint_at, conflicts = learned
    needed = _needed(learned)
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


def _needed(learned: Learned) -> Ints:
    """Return the places of the learned clauses on which the last one rests, itself included."""
    count = len(learned.hint_at) - 1
    marks = np.zeros(count, np.int64)
    addresses = (array.ctypes.data for array in (learned.hints, learned.hint_at, marks))
    machine().rests(*addresses, count, learned.first)
    return np.flatnonzero(marks)
