"""From what a search learned to the lemmas that the empty clause needs."""

from __future__ import annotations

from typing import Any

from sudoku_models.engine.refutation import Lemma


def lemmas_of(lits: Any, ends: Any, hints: Any, hint_ends: Any, first: int) -> list[Lemma]:
    """Return the learned clauses on which the last one rests, in order, with their own numbers.

    ``ends`` and ``hint_ends`` say where the literals and the hints of each clause end; ``first`` is the number of the
    first learned clause.
    """
    lits, ends, hints, hint_ends = (values.tolist() for values in (lits, ends, hints, hint_ends))
    found: list[Lemma] = []
    wanted = {first + len(ends) - 1}
    for k in range(len(ends) - 1, -1, -1):
        if first + k in wanted:
            low, hint_low = (ends[k - 1], hint_ends[k - 1]) if k else (0, 0)
            because = hints[hint_low : hint_ends[k]]
            found.append(Lemma(first + k, tuple(lits[low : ends[k]]), tuple(because)))
            wanted.update(number for number in because if number >= first)
    return found[::-1]
