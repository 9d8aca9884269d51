"""Certificates of many puzzles in one file: a zip file with what they share once, and numbers.

``certificates.json`` has the shape and its rules (as the library's own JSON), ``model.txt`` the model. The rest is
numbers of four bytes, the lowest first: ``givens`` for each cell of each puzzle, ``solutions`` for each variable (OPEN
where there is no given, or no solution), ``proofs`` one after the other, ``sizes`` how long each is, ``numbers`` which
of the puzzles asked about each is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import FormatError
from ..formats.own_json import write_own
from ..puzzle import Puzzle
from .archives import LARGEST, write_zip, zip_reader
from .archives import MANY as HEAD
from .files import LONGEST_NAME, is_version, refuter_of, stated_puzzle, without_doubles
from .looking import Look, until
from .lrat import never
from .many_certificates import WRONG_NUMBER, Certificates, wrong_number

SCHEMA = "sudoku-models/certificates"
VERSION = 1
KEYS = {"schema", "version", "puzzle", "refuter", "count"}
OPEN = -(1 << 31)
"""The code for "no given", or "no solution"."""

LOOKS = 1024
"""Certificates between two checks of the clock."""

MODEL = "model.txt"
ARRAYS = ("givens", "solutions", "proofs", "sizes", "numbers")


def save_many(certificates: Certificates, path: str | Path) -> Path:
    """Write certificates to a zip file; return its path. ValueError if there are none.

    No incomplete file is left behind.
    """
    target = Path(path)
    write_zip(target, files_of(certificates))
    return target


def files_of(certificates: Certificates) -> dict[str, bytes]:
    """Return the files of certificates by name. ValueError if there are none."""
    if not len(certificates):
        raise ValueError("there are no certificates to write")
    first = certificates.puzzles[0]
    blank = Puzzle(first.shape, (None,) * first.shape.cells, rules=first.rules)
    head = {
        "schema": SCHEMA,
        "version": VERSION,
        "puzzle": json.loads(write_own(blank)),
        "refuter": certificates.refuter[:LONGEST_NAME],
        "count": len(certificates),
    }
    none = (OPEN,) * len(first.structure.names)
    arrays = {
        "givens": [[OPEN if cell is None else cell for cell in puzzle.givens] for puzzle in certificates.puzzles],
        "solutions": [none if solution is None else solution for solution in certificates.solutions],
        "proofs": np.concatenate(certificates.proofs),
        "sizes": [len(proof) for proof in certificates.proofs],
        "numbers": certificates.numbers,
    }
    files = {HEAD: (json.dumps(head, ensure_ascii=False, indent=1) + "\n").encode()}
    files[MODEL] = f"{first.structure}\n".encode()
    files.update({name: np.asarray(array, "<i4").tobytes() for name, array in arrays.items()})
    return files


def load_many(path: str | Path, *, time_limit: float | None = None) -> Certificates:
    """Read certificates that ``save_many`` wrote; FormatError says what is wrong.

    LimitReached after ``time_limit`` seconds.
    """
    return read_many(zip_reader(Path(path), HEAD), until(time_limit))


def read_many(read: Callable[[str], bytes], look: Look = never) -> Certificates:
    """Return the certificates whose files a function reads by name; FormatError as for ``load_many``.

    ``look`` is called repeatedly; an exception from it ends the reading.
    """
    blank, count, refuter = _head(read(HEAD).decode("utf-8", "replace"))
    if read(MODEL) != f"{blank.structure}\n".encode():
        raise FormatError("the model of the puzzle in certificates.json is expected", source=MODEL)
    numbers = {name: _numbers(name, read(name), look) for name in ARRAYS}
    givens = _table("givens", numbers["givens"], count, len(blank.givens))
    solutions = _table("solutions", numbers["solutions"], count, len(blank.structure.names))
    sizes, proofs = _table("sizes", numbers["sizes"], count, 1)[:, 0], numbers["proofs"]
    if sizes.min(initial=0) < 0 or int(sizes.sum(dtype=np.int64)) != len(proofs):
        raise FormatError("the sizes of the proofs do not add up to the numbers of all proofs", source="sizes")
    asked = _table("numbers", numbers["numbers"], count, 1)[:, 0].tolist()
    wrong = wrong_number(asked)
    if wrong is not None:
        raise FormatError(f"the number {wrong}: {WRONG_NUMBER}", source="numbers")
    ends = np.cumsum(sizes, dtype=np.int64)
    return Certificates(
        tuple(_puzzle(blank, row.tolist()) for row in _looking(givens, look)),
        tuple(_solution(row.tolist()) for row in _looking(solutions, look)),
        tuple(proofs[end - size : end] for size, end in _looking(np.stack((sizes, ends), 1), look)),
        tuple(asked),
        refuter,
    )


def _looking(rows: Any, look: Look) -> Iterator[Any]:
    """Yield rows, checking the clock on the way."""
    for k, row in enumerate(rows):
        if not k % LOOKS:
            look()
        yield row


def _solution(row: list[int]) -> tuple[int, ...] | None:
    return None if OPEN in row else tuple(row)


def _head(text: str) -> tuple[Puzzle, int, str]:
    try:
        head = json.loads(text, object_pairs_hook=without_doubles)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {str(error)[:200]}", source=HEAD) from None
    if not isinstance(head, dict) or head.get("schema") != SCHEMA or not is_version(head, VERSION):
        raise FormatError(f"an object of the schema {SCHEMA!r}, version {VERSION}, is expected", source=HEAD)
    count = head.get("count")
    if type(count) is not int or not 0 < count < LARGEST:
        raise FormatError("count: how many certificates there are, at least 1, is expected", source=HEAD)
    if not isinstance(head.get("puzzle"), dict):
        raise FormatError("puzzle: an object is expected", source=HEAD)
    blank = stated_puzzle(head["puzzle"], HEAD)
    if any(cell is not None for cell in blank.givens) or blank.candidates or blank.stated is not None:
        raise FormatError("puzzle: a board without givens, candidates and solution is expected", source=HEAD)
    if head.keys() != KEYS:
        wrong = ", ".join(sorted(str(key)[:40] for key in head.keys() ^ KEYS))
        raise FormatError(f"a key is missing, or there is an extra one: {wrong[:300]}", source=HEAD)
    return blank, count, refuter_of(head, HEAD)


def _numbers(name: str, data: bytes, look: Look) -> Any:
    look()
    if len(data) % 4:
        raise FormatError(f"{len(data)} bytes: numbers of four bytes each are expected", source=name)
    return np.frombuffer(data, "<i4").astype(np.int32)


def _table(name: str, numbers: Any, rows: int, columns: int) -> Any:
    if len(numbers) != rows * columns:
        raise FormatError(f"{len(numbers)} numbers: {rows} rows of {columns} are expected", source=name)
    return numbers.reshape(rows, columns)


def _puzzle(blank: Puzzle, row: list[int]) -> Puzzle:
    try:
        return Puzzle(blank.shape, tuple(None if value == OPEN else value for value in row), rules=blank.rules)
    except ValueError as error:
        raise FormatError(str(error)[:300], source="givens") from None
