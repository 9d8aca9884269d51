"""A checker of DRUP proofs, by the words of the format alone: every line follows by unit propagation.

As all checkers of the format do, it keeps the literals that are sure once they are: solvers drop the clauses that made
them so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def propagated(clauses: Iterable[Sequence[int]], true: set[int]) -> bool:
    """Add to ``true`` what follows by unit propagation; say whether a clause has all its literals false."""
    waiting, changed = list(clauses), True
    while changed:
        changed = False
        for clause in waiting:
            if not true.isdisjoint(clause):
                continue
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                true |= left
                changed = True
    return False


def first_fault(clauses: Iterable[Sequence[int]], proof: Iterable[str]) -> str | None:
    """Return the first line of a proof that does not follow, or what is missing at its end; None for a proof."""
    known, sure = Counter(tuple(sorted(clause)) for clause in clauses), set[int]()
    for number, line in enumerate(proof, 1):
        words = line.removeprefix("d ").split()
        assert words[-1] == "0", line
        literals = tuple(sorted(map(int, words[:-1])))
        if line.startswith("d "):
            propagated(+known, sure)
            known[literals] -= 1
        elif not propagated(+known, sure | {-literal for literal in literals}):
            return f"line {number} does not follow: {line}"
        elif not literals:
            return None
        else:
            known[literals] += 1
    return "the proof does not end with the empty clause"
