"""What a refuter proves about a tiny model, held against brute force: every claim that is true, and one that is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from sudoku_models.errors import LimitReached, Unsupported
from sudoku_models.model import Model, brute_force
from sudoku_models.prove import Certificate, Claim, ClaimFalse, TooLarge, certificate_of, certify, check
from sudoku_models.prove.outside import outside_opinions

PATIENCE = 60.0
"""Seconds for one certificate, and for its check; beyond it the case counts as declined."""

MOST = 40
"""Of more solutions than this a count is not certified."""

FALSE = "what is false"
NO_HINTS = "without hints"


@dataclass(frozen=True)
class ProofCase:
    """What was asked (a claim, or how a certificate was checked), and what is wrong with the answer; "" for nothing.

    ``declined``: there was no answer.
    """

    what: str
    doubt: str = ""
    declined: bool = False


def proved(model: Model, refuter: str) -> Iterator[ProofCase]:
    """Yield what comes of asking a refuter for proofs about a model.

    The claim that is true (none, one, that many solutions, or the best one) has to be proved; the certificate has to
    pass the check, with its hints and without, and every independent checker that is installed. Where there are several
    solutions it must not prove that there is one.
    """
    rows = list(islice(brute_force(model), MOST + 1))
    if len(rows) > 1 and model.objective is None:
        yield _false(model, rows[0], refuter)
    if len(rows) > MOST and model.objective is None:
        return
    few = {0: Claim.UNSATISFIABLE, 1: Claim.UNIQUE}.get(len(rows), Claim.COUNT)
    claim = few if model.objective is None or not rows else Claim.OPTIMAL
    count = len(rows) if claim is Claim.COUNT else None
    try:
        made = certify(model, claim, "backtracking", count=count, refuter=refuter, time_limit=PATIENCE)
        yield _checked(claim.value, made)
    except (Unsupported, TooLarge, LimitReached):
        yield ProofCase(claim.value, declined=True)
        return
    except Exception as error:
        yield ProofCase(claim.value, f"the claim {claim.value!r} is true: {type(error).__name__}: {error}")
        return
    yield _checked(NO_HINTS, replace(made, proof=(), drat=tuple(made.steps)))
    for opinion in outside_opinions(made, time_limit=PATIENCE):
        refused = f"it refuses the proof of {claim.value!r}: {opinion.said}" if opinion.accepted is False else ""
        yield ProofCase(f"by {opinion.checker}", refused, opinion.accepted is None)


def _checked(what: str, certificate: Certificate) -> ProofCase:
    try:
        found = check(certificate, time_limit=PATIENCE)
    except LimitReached:
        return ProofCase(what, declined=True)
    claim = certificate.claim.value
    return ProofCase(
        what, "" if found else f"the claim {claim!r} is true, and its certificate is refused: {found.problem}"
    )


def _false(model: Model, row: tuple[int, ...], refuter: str) -> ProofCase:
    """Ask for a proof that a solution is the only one where there are others."""
    try:
        certificate_of(model, Claim.UNIQUE, (row,), refuter, time_limit=PATIENCE)
    except ClaimFalse:
        return ProofCase(FALSE)
    except (Unsupported, TooLarge, LimitReached):
        return ProofCase(FALSE, declined=True)
    return ProofCase(FALSE, "it proves that there is one solution, and there are several")
