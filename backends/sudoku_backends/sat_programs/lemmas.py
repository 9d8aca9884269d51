"""Proofs in DRAT, as text or in the binary form of the competitions."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_models.engine.refutation import Lemma
from sudoku_models.errors import BackendFailed

_TEXT = frozenset(b"0123456789 -d\r\n\t")


def lemmas(proof: bytes, known: int) -> list[Lemma]:
    """Return the lemmas of a proof up to the empty one, numbered after the ``known`` clauses of the formula.

    Deletions are left out, which takes nothing from what follows. BackendFailed where it is not a proof.
    """
    try:
        clauses = _as_text(proof) if _is_text(proof) else _as_binary(proof)
        found = []
        for number, clause in enumerate(clauses, known + 1):
            found.append(Lemma(number, clause))
            if not clause:
                return found
    except (ValueError, IndexError) as error:
        raise BackendFailed(f"the program wrote a proof that is not DRAT: {error}") from None
    return [*found, Lemma(known + len(found) + 1, ())]


def _is_text(proof: bytes) -> bool:
    """Tell the forms apart: a binary proof begins with the letter a, or has other bytes soon."""
    return not proof.startswith(b"a") and _TEXT.issuperset(proof[:64])


def _as_text(proof: bytes) -> Iterator[tuple[int, ...]]:
    for line in proof.decode("ascii").splitlines():
        if line.strip() and not line.startswith("d"):
            yield tuple(map(int, line.split()[:-1]))


def _as_binary(proof: bytes) -> Iterator[tuple[int, ...]]:
    """Read letters (a: a lemma, d: a deletion), each with numbers of seven bits a byte that end with a 0."""
    at = 0
    while at < len(proof):
        letter, at, clause = proof[at : at + 1], at + 1, list[int]()
        if letter not in (b"a", b"d"):
            raise ValueError(f"a or d was expected at byte {at - 1}")
        while True:
            number, shift = 0, 0
            while True:
                byte, at = proof[at], at + 1
                number |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
            if not number:
                break
            clause.append(-(number >> 1) if number & 1 else number >> 1)
        if letter == b"a":
            yield tuple(clause)
