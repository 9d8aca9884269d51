"""Changed files of many certificates: a file with a member that is false may not be accepted.

``mutations`` takes its cases from here too if there can be machine code. What a changed file claims of each puzzle is
settled by the oracle that counts (``frontier``), and by the check without hints, both apart from ``check_many``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np

from sudoku_models.errors import FormatError
from sudoku_models.prove import certify_many
from sudoku_models.prove.many_certificates import ARRAYS, OPEN, Certificates, files_of, read_many
from sudoku_models.prove.many_check import check_many
from sudoku_models.puzzle import Puzzle
from tests.testing.frontier import solutions_by_frontier

from .plain_drat import refutes

Files = dict[str, bytes]

HEAD, MODEL = "certificates.json", "model.txt"

STATED = ("1.....2....3.4..", "2.....3....4.1..", "1..1............", "3.....4....1.2..")


@cache
def original() -> Certificates:
    """Return certificates of four boards, three with one solution and one with none."""
    return certify_many(STATED)


@cache
def written() -> Files:
    """Return the files of the certificates."""
    return files_of(original())


def number(rng: Random, files: Files) -> tuple[str, Files]:
    """Change a number of one of the arrays."""
    name = rng.choice(ARRAYS)
    numbers = np.frombuffer(files[name], "<i4").copy()
    k = rng.randrange(len(numbers))
    new = rng.choice((0, 1, 2, 3, 4, -1, OPEN, 1000, int(rng.choice(numbers)), int(numbers[k]) ^ 1, -int(numbers[k])))
    numbers[k] = max(OPEN, min(new, -OPEN - 1))
    return f"{name}: a number", files | {name: numbers.tobytes()}


def rows(rng: Random, files: Files) -> tuple[str, Files]:
    """Let a row of an array be that of another certificate."""
    name = rng.choice(("givens", "solutions", "sizes", "numbers"))
    table = np.frombuffer(files[name], "<i4").reshape(len(STATED), -1).copy()
    j, k = rng.sample(range(len(STATED)), 2)
    table[j] = table[k]
    return f"{name}: a row of another", files | {name: table.tobytes()}


def overwritten(rng: Random, files: Files) -> tuple[str, Files]:
    """Claim of one puzzle that it has no solution, under the number of another one."""
    solutions = np.frombuffer(files["solutions"], "<i4").reshape(len(STATED), -1).copy()
    numbers = np.frombuffer(files["numbers"], "<i4").copy()
    j, k = sorted(rng.sample(range(len(STATED)), 2))
    solutions[j], numbers[j] = OPEN, numbers[k]
    return "a false claim under another's number", files | {
        "solutions": solutions.tobytes(),
        "numbers": numbers.tobytes(),
    }


def byte(rng: Random, files: Files) -> tuple[str, Files]:
    """Change a byte of any file, or cut the file off there."""
    name = rng.choice((HEAD, MODEL, *ARRAYS))
    data = bytearray(files[name])
    k = rng.randrange(len(data))
    if rng.random() < 0.3:
        return f"{name}: cut off", files | {name: bytes(data[:k])}
    data[k] = rng.randrange(256)
    return f"{name}: a byte", files | {name: bytes(data)}


def count(rng: Random, files: Files) -> tuple[str, Files]:
    """Say that there are more or fewer."""
    head = json.loads(files[HEAD])
    head["count"] = rng.choice((0, 1, 3, 5, -1, 10**12))
    return "how many there are", files | {HEAD: json.dumps(head).encode()}


KINDS = (number, number, number, rows, rows, overwritten, byte, count)


def case_of_many(rng: Random, patience: float) -> tuple[str, str]:
    """Change a file of many; return what was changed and what came of it, as ``mutations.case`` does."""
    what, files = rng.choice(KINDS)(rng, written())
    what = f"many: {what}"
    try:
        changed = read_many(files.__getitem__)
    except FormatError:
        return what, "cannot be read"
    if files_of(replace(changed, refuter=original().refuter)) == written():
        return what, "means the same"
    if not check_many(changed, time_limit=patience, plain=rng.random() < 0.5):
        return what, "refused"
    return what, "another proof of the same" if is_true(changed) else "ACCEPTED"


def is_true(certificates: Certificates) -> bool:
    """Return whether all claims are true, each under a different number, and also follow without hints."""
    if sorted(set(certificates.numbers)) != sorted(certificates.numbers) or min(certificates.numbers) < 1:
        return False
    for k, puzzle in enumerate(certificates.puzzles):
        solution = certificates.solutions[k]
        if solutions_by_frontier(puzzle) != (0 if solution is None else 1):
            return False
        if solution is not None and not solves(puzzle, dict(zip(puzzle.structure.names, solution, strict=True))):
            return False
        whole = certificates[k]
        if not refutes(whole.formula, whole.steps):
            return False
    return True


def solves(puzzle: Puzzle, values: Mapping[str, int]) -> bool:
    """Return whether values are a solution of a puzzle."""
    return all(values[x] in puzzle.domains[x] for x in puzzle.domains) and all(
        constraint.holds(values) for constraint in puzzle.structure.constraints
    )
