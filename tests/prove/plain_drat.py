"""The check of proofs without hints in its plainest form: sets of literals, no watches, everything looked at again.

The tests, and the changed certificates of ``mutations``, hold the check of ``prove.drat`` against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Clauses = list[frozenset[int]]


def refutes(formula: Iterable[Sequence[int]], steps: Iterable[tuple[bool, Sequence[int]]]) -> bool:
    """Return whether a proof (of each step whether a clause is added, and the clause) refutes a formula.

    A lemma follows by reverse unit propagation, or is a resolution asymmetric tautology on its first literal. A clause
    is deleted only where the literals that hold for good hold without it too.
    """
    clauses = [frozenset(clause) for clause in formula]
    for added, literals in steps:
        clause = frozenset(literals)
        if not added:
            if clause not in clauses:
                return False
            _delete(clauses, clause)
        elif not (follows(clauses, clause) or _resolves(clauses, clause, literals[:1])):
            return False
        elif not clause:
            return True
        else:
            clauses.append(clause)
    return follows(clauses, frozenset())


def follows(clauses: Clauses, lemma: frozenset[int]) -> bool:
    """Return whether supposing all literals of a clause false leads to a contradiction by propagation."""
    return closure(clauses, {-x for x in lemma}) is None


def closure(clauses: Clauses, true: set[int]) -> set[int] | None:
    """Return the literals that hold once some do; None if that is a contradiction."""
    if any(-x in true for x in true):
        return None
    grown = True
    while grown:
        grown = False
        for clause in clauses:
            if clause.isdisjoint(true):
                left = [x for x in clause if -x not in true]
                if not left:
                    return None
                if len(left) == 1:
                    true.add(left[0])
                    grown = True
    return true


def _resolves(clauses: Clauses, clause: frozenset[int], pivot: Sequence[int]) -> bool:
    """Return whether each resolvent on the first literal follows."""
    return bool(pivot) and all(
        follows(clauses, clause | (other - {-pivot[0]})) for other in clauses if -pivot[0] in other
    )


def _delete(clauses: Clauses, clause: frozenset[int]) -> None:
    before, place = closure(clauses, set()), clauses.index(clause)
    rest = clauses[:place] + clauses[place + 1 :]
    if closure(rest, set()) == before:
        clauses[:] = rest
