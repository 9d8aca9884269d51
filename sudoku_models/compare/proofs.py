"""Checked proofs of the backends' claims in a comparison: made after the runs, and kept beside the journal.

A proof is one puzzle's ``Judgement``. In a journal's folder the file ``proofs.jsonl`` has a line for each: a text with
its checksum. A damaged line is ignored and its proof made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from ..prove import PATIENCE, Claim, Judgement, judgement_of
from ..verbs.agreement import Verdict
from .plan import Instance
from .run_rows import Row
from .sealed import opened, sealed
from .verified import digest

NAME = "proofs.jsonl"
SCHEMA = "sudoku-models/proof/1"


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


def keep(folder: Path, sha: str, proof: Judgement) -> None:
    """Write a proof beside a journal; it is durable when this returns."""
    fields: dict[str, Any] = {
        "claim": proof.claim,
        "solutions": proof.solutions,
        "refuter": proof.refuter,
        "problem": proof.problem,
    }
    fields["limit"] = proof.limit
    with (folder / NAME).open("a", encoding="utf-8") as file:
        file.write(sealed(json.dumps({"schema": SCHEMA, "sha": sha, **fields})) + "\n")
        file.flush()
        os.fsync(file.fileno())


def kept(folder: Path) -> dict[str, Judgement]:
    """Return the intact proofs beside a journal, by the SHA-256 of their puzzles."""
    try:
        lines = (folder / NAME).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    return dict(_read(text) for line in lines if (text := opened(line)) is not None)


def _read(text: str) -> tuple[str, Judgement]:
    fields = json.loads(text)
    claim = None if fields["claim"] is None else Claim(fields["claim"])
    return fields["sha"], Judgement(
        claim, tuple(fields["solutions"]), fields["refuter"], fields["problem"], fields.get("limit")
    )
