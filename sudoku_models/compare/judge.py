"""Compare the rows of one puzzle with each other: a claim refuted by checked solutions, or by a proof, is WRONG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ..prove import PATIENCE, Judgement, judgement_of
from ..verbs.agreement import Verdict, refutations, stated_solutions
from .plan import COUNTED, Instance, StatedModel
from .rows import Row, digest


def known(instance: Instance) -> list[str]:
    """Return the digest of the solution that came with a puzzle, if it passes the check."""
    return [digest(solution) for solution in stated_solutions(instance.puzzle)]


def judged(rows: Sequence[Row], known: Iterable[str] = (), proof: Judgement | None = None) -> list[Row]:
    """Return the rows of one puzzle, refuted ones with the verdict WRONG and the reason; ``known`` are checked digests.

    With a ``proof``, rows that it contradicts are WRONG too, and each claim says whether it has the proof.
    """
    refuted = {**_miscounts(rows), **refutations(rows, known)}
    found = [
        replace(row, status=str(Verdict.WRONG), reason=refuted[i]) if i in refuted else row
        for i, row in enumerate(rows)
    ]
    return found if proof is None else [_by_proof(row, proof) for row in found]


def _by_proof(row: Row, proof: Judgement) -> Row:
    if proof.proves(row):
        return replace(row, proof=proof.refuter)
    reason = proof.refutes(row)
    if reason is None and row.count is not None and row.count > 1 and proof.claim is not None:
        reason = f"counts {row.count} solutions; refuted by a checked proof by {proof.refuter}"
    if reason is not None:
        return replace(row, status=str(Verdict.WRONG), reason=reason)
    return replace(row, unproved=proof.problem) if claims(row) else row


def judged_all(
    rows: Iterable[Row], instances: Iterable[Instance], proofs: Mapping[str, Judgement] | None = None
) -> Iterator[Row]:
    """Judge the rows of many puzzles; yield them puzzle by puzzle, each in the order in which they ran.

    Rows of none of the ``instances`` come last.
    """
    proofs = proofs or {}
    stated = {instance.sha: instance for instance in instances}
    groups: dict[str, list[Row]] = {sha: [] for sha in stated}
    for row in rows:
        groups.setdefault(row.sha256, []).append(row)
    for sha, found in groups.items():
        solutions = known(stated[sha]) if sha in stated else ()
        yield from judged(sorted(found, key=lambda row: row.position), solutions, proofs.get(sha))


def _miscounts(rows: Sequence[Row]) -> dict[int, str]:
    """Every counted solution was checked, and none was repeated, so a higher count refutes a lower one."""
    most = max((row for row in rows if row.count is not None), key=lambda row: row.count or 0, default=None)
    if most is None or most.count is None:
        return {}
    return {
        i: f"counts {row.count} solution{'' if row.count == 1 else 's'}; refuted by {most.count} of {most.backend}"
        for i, row in enumerate(rows)
        if row.verdict.settled and row.count is not None and row.count <= COUNTED and row.count < most.count
    }


class Watch:
    """Judges rows as they arrive, to report wrong answers immediately: each once, and not again in its repeats."""

    def __init__(self, instances: Iterable[Instance]) -> None:
        self._instances = {instance.sha: instance for instance in instances}
        self._claims: dict[str, dict[tuple[object, ...], Row]] = {}
        self._reported = set[tuple[object, ...]]()

    def add(self, row: Row) -> list[Row]:
        """Add a row; return the rows of its puzzle that are now known to be wrong and were not before."""
        claims, instance = self._claims.setdefault(row.sha256, {}), self._instances.get(row.sha256)
        reason = row.reason if row.verdict is Verdict.WRONG else ""
        claim = row.sha256, row.backend, row.status, row.unique, row.solution, row.count, reason
        if claims.setdefault(claim, row) is not row:
            return []
        found = zip(claims, judged(list(claims.values()), known(instance) if instance else ()), strict=True)
        wrong = {c: one for c, one in found if one.verdict is Verdict.WRONG and c not in self._reported}
        self._reported |= wrong.keys()
        return list(wrong.values())


# proofs, made after the runs


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
    puzzle = instance.puzzle
    judgement, _ = judgement_of(puzzle.structure if isinstance(puzzle, StatedModel) else puzzle, time_limit=limit)
    return judgement.known_by(lambda values: digest(values[: puzzle.shape.cells]))
