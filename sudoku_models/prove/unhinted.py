"""Check a proof without hints (DRAT).

It is accepted if each lemma follows from the clauses before it, including deleted ones or, failing that, without those.
Compiled code searches for hints, in an engine that need not be trusted: the check of proofs with hints judges them.
What that does not accept is checked in plain Python (``drat``), where a lemma may also follow by resolution on a
literal.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ..engine.machine_code.library import possible
from ..engine.refutation import Cnf, derived
from .drat import Step, check_drat
from .looking import Deadline
from .lrat import Clause, NotProved, check_lrat

FEW = 20
"""Proofs with at most this number of lemmas are checked in plain Python directly."""


def check_unhinted(
    formula: Sequence[Clause],
    numbers: array[int],
    variables: int,
    steps: Sequence[Step],
    look: Deadline,
    few: int | None,
) -> int:
    """Check that a proof refutes a formula; return the number of lemmas. NotProved if it does not.

    ``numbers`` are the literals of the formula, 0 after each clause. Compiled code is used for proofs with more lemmas
    than ``few``; None for never.
    """
    lemmas = [clause for added, clause in steps if added]
    if few is not None and len(lemmas) > few and _with_hints(formula, numbers, variables, lemmas, look):
        return len(lemmas)
    try:
        return check_drat(formula, ((True, clause) for clause in lemmas), look)
    except NotProved:
        if len(lemmas) == len(steps):
            raise
    return check_drat(formula, steps, look)


def _with_hints(
    formula: Sequence[Clause], numbers: array[int], variables: int, lemmas: Sequence[Clause], look: Deadline
) -> bool:
    """Return whether hints for all the lemmas were found with which they refute the formula."""
    cnf = Cnf(numbers, len(formula), variables, variables)
    proof = derived(cnf, lemmas, look.left, every=True)
    if proof is None:
        return False
    if possible():
        from .lrat_fast import accepted, as_arrays

        if accepted(*as_arrays(formula), proof, look):
            return True
    from .many_certificates import lines_of

    try:
        return check_lrat(formula, lines_of(proof), look) > 0
    except NotProved:
        return False
