"""Checked proofs of the backends' claims in a comparison, made after the runs: one ``Judgement`` for each puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ..prove import PATIENCE, Judgement, judgement_of
from ..verbs.agreement import Verdict
from .plan import Instance
from .rows import Row, digest


def claims(row: Row) -> bool:
    """Return whether a row makes a claim that can be proved: that there is no solution, or only one."""
    return row.verdict is Verdict.UNSATISFIABLE or (row.verdict is Verdict.SOLVED and row.unique is True)


def proved(
    rows: Iterable[Row],
    instances: Iterable[Instance],
    there: Mapping[str, Judgement],
    limit: float | None = PATIENCE,
) -> Iterator[tuple[Instance, Judgement]]:
    """Prove the claims of rows, puzzle by puzzle, except those already proved; rows of one puzzle must be adjacent.

    ``limit`` (seconds) applies to each proof, and to its check; proofs that failed with a shorter limit are tried
    again.
    """
    known = {instance.sha: instance for instance in instances}
    for sha, group in groupby(rows, key=lambda row: row.sha256):
        settled = sha in there and not there[sha].hopeful(limit)
        if sha in known and not settled and any(list(map(claims, group))):
            yield known[sha], proof_of(known[sha], limit)


def proof_of(instance: Instance, limit: float | None = PATIENCE) -> Judgement:
    """Return what a checked certificate proves about a puzzle; its solutions are given by their digests, as in rows."""
    judgement, _ = judgement_of(instance.puzzle, time_limit=limit)
    cells = instance.puzzle.shape.cells
    return judgement.known_by(lambda values: digest(values[:cells]))
