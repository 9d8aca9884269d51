"""The value of each reduction of ``native``: all on, each left out, puzzle by puzzle in turn, in one run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sudoku_backends.native.backend import REDUCTIONS

from sudoku_models import Puzzle
from sudoku_models.engine.contract import Request
from sudoku_models.engine.road import run
from sudoku_models.model import Model

LOOKS = 5_000_000
"""A proof that takes more looks at constraints is given up, as ``auto`` does."""


class Proof(NamedTuple):
    """Milliseconds from a model to the proof, nodes of the search, how often each reduction found something."""

    took: float
    nodes: int
    found: dict[str, int]


def report_reductions(puzzles: Sequence[Puzzle], runs: int) -> None:
    """Print times and nodes with all reductions, with none, and with each left out."""
    ways = {"nothing": "", **{name: name for name in REDUCTIONS}, "all of them": "+".join(REDUCTIONS)}
    proofs: dict[str, list[Proof]] = {way: [] for way in ways}
    for puzzle in puzzles:
        for way, without in ways.items():
            tries = [proof(puzzle, without)]
            while len(tries) < runs and tries[0].took < 1000:
                tries.append(proof(puzzle, without))
            proofs[way].append(min(tries, key=lambda one: one.took))
    headings = ("finds in", "median ms", "p90", "total", "nodes", "longer", "shorter")
    print(f"{'left out':<20}" + "".join(f"{heading:>12}" for heading in headings))
    whole = proofs["nothing"]
    for way, found in proofs.items():
        took = [one.took for one in found]
        finds = sum(way in one.found for one in whole) if way in REDUCTIONS else len(whole)
        pairs = [(one.nodes, all_on.nodes) for one, all_on in zip(found, whole, strict=True)]
        longer, shorter = (sum(sign * a > sign * b for a, b in pairs) for sign in (1, -1))
        print(
            f"{way:<20}{finds:>12}{np.median(took):>12.2f}{np.quantile(took, 0.9):>12.2f}{sum(took):>12.0f}"
            f"{sum(one.nodes for one in found):>12,}{longer:>12}{shorter:>12}"
        )


def proof(puzzle: Puzzle, without: str) -> Proof:
    """Let ``native`` prove a puzzle, some reductions left out, from a model on which nothing is compiled."""
    stated = puzzle.structure
    model = Model(stated.variables, stated.constraints, stated.objective)
    started = time.process_time()
    with run(model, f"native:patience={LOOKS},without={without}", Request(puzzle.domains, 2)) as found:
        for _ in found:
            pass
        sizes = found.outcome.record.sizes
    took = 1000 * (time.process_time() - started)
    return Proof(took, sizes.get("nodes", 0), {name: sizes[name] for name in REDUCTIONS if name in sizes})
