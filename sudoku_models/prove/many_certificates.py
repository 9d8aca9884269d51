"""Certificates of many puzzles of one shape, in memory and in a zip file: what they share once, and numbers.

``certificates.json`` has the shape and its rules (as the library's own JSON), ``model.txt`` the model. The rest is
numbers of four bytes, the lowest first: ``givens`` for each cell of each puzzle, ``solutions`` for each variable (OPEN
where there is no given, or no solution), ``proofs`` one after the other, ``sizes`` how long each is, ``numbers`` which
of the puzzles asked about each is. numpy is imported with this module.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import FormatError
from ..formats.own_json import write_own
from ..puzzle import Puzzle
from .certificate import Certificate, Claim, Statement
from .encoder import claim_formula
from .files import LARGEST, LONGEST_NAME, Read, head_of, refuter_of, stated_puzzle, write_zip, zip_reader
from .files import MANY as HEAD
from .formula import Formula
from .looking import Deadline, Look, never
from .lrat import NotProved, ProofLine, lines_of

A = TypeVar("A")
B = TypeVar("B")

Solution = tuple[int, ...]

SCHEMA = "sudoku-models/certificates"
VERSION = 1
KEYS = {"schema", "version", "puzzle", "refuter", "count"}
OPEN = -(1 << 31)
"""The code for "no given", or "no solution"."""

LOOKS = 1024
"""Certificates between two checks of the clock."""

MODEL = "model.txt"
ARRAYS = ("givens", "solutions", "proofs", "sizes", "numbers")


@dataclass(frozen=True)
class Certificates:
    """Certificates of puzzles of one shape with one set of rules: each has one solution, or none.

    ``solutions`` have a value for each variable of the model, None if there is no solution. A proof is an array of
    int32 in LRAT order: for each lemma its number, its literals, 0, its hints, 0. ``numbers`` says which of the given
    puzzles each one is, from 1; ``problems`` has the error for each puzzle without a certificate: ClaimFalse for
    several solutions, LimitReached if time was not enough.
    """

    puzzles: tuple[Puzzle, ...]
    solutions: tuple[Solution | None, ...]
    proofs: tuple[Any, ...] = field(repr=False)
    numbers: tuple[int, ...] = field(repr=False)
    refuter: str = ""
    problems: Mapping[int, Exception] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.puzzles)

    def __getitem__(self, k: int) -> Certificate:
        """Return one complete certificate: with its formula, and its proof line by line.

        FormatError if its solution has impossible values, or its proof is cut off.
        """
        bare = self.without_proof(k)
        try:
            formula = claim_formula(bare.statement, bare.claim, bare.solutions)
            return replace(bare, formula=formula, proof=lines_of(self.proofs[k]))
        except (KeyError, ValueError):
            raise FormatError(
                f"certificate {self.numbers[k]}: the solution has values that cells cannot have"
            ) from None
        except NotProved as error:
            raise FormatError(f"certificate {self.numbers[k]}: {error}") from None

    def __iter__(self) -> Iterator[Certificate]:
        return map(self.__getitem__, range(len(self)))

    def without_proof(self, k: int) -> Certificate:
        """Return the claim of one certificate, with neither formula nor proof."""
        solution = self.solutions[k]
        claim = Claim.UNSATISFIABLE if solution is None else Claim.UNIQUE
        found = () if solution is None else (solution,)
        return Certificate(Statement.of(self.puzzles[k]), claim, found, Formula({}, array("i"), 0, 0), (), self.refuter)


WRONG_NUMBER = "each certificate must have a different number, from 1 on"


def wrong_number(numbers: Iterable[int]) -> int | None:
    """Return the first number that is below 1 or repeated; None if all are valid."""
    seen: set[int] = set()
    for number in numbers:
        if number < 1 or number in seen:
            return number
        seen.add(number)
    return None


def numbers_of(lines: Iterable[ProofLine]) -> Any:
    """Return the lemmas of a proof as one array of int32."""
    found = array("i")
    for line in lines:
        found.extend((line.number, *line.clause, 0, *line.hints, 0))
    return np.array(found, np.int32)


def in_threads(work: Callable[[A], B], items: Iterable[A], threads: int) -> list[B]:
    """Return the results of some work on each item, in order."""
    if threads == 1:
        return list(map(work, items))
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


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
    head = {
        "schema": SCHEMA,
        "version": VERSION,
        "puzzle": json.loads(write_own(Puzzle.empty(first.shape).with_rules(*first.rules))),
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
    texts = {HEAD: json.dumps(head, ensure_ascii=False, indent=1), MODEL: str(first.structure)}
    files = {name: f"{text}\n".encode() for name, text in texts.items()}
    return files | {name: np.asarray(array, "<i4").tobytes() for name, array in arrays.items()}


def load_many(path: str | Path, *, time_limit: float | None = None) -> Certificates:
    """Read certificates that ``save_many`` wrote; FormatError says what is wrong.

    LimitReached after ``time_limit`` seconds.
    """
    return read_many(zip_reader(Path(path), HEAD), Deadline(time_limit))


def read_many(read: Read, look: Look = never) -> Certificates:
    """Return the certificates whose files a function reads by name; FormatError as for ``load_many``.

    ``look`` is called repeatedly; an exception from it ends the reading.
    """
    blank, count, refuter = _head(read(HEAD))
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
        tuple(None if OPEN in row else tuple(row.tolist()) for row in _looking(solutions, look)),
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


def _head(data: bytes) -> tuple[Puzzle, int, str]:
    head = head_of(data, HEAD, SCHEMA, VERSION, KEYS)
    count = head.get("count")
    if type(count) is not int or not 0 < count < LARGEST:
        raise FormatError("count: how many certificates there are, at least 1, is expected", source=HEAD)
    if not isinstance(head.get("puzzle"), dict):
        raise FormatError("puzzle: an object is expected", source=HEAD)
    blank = stated_puzzle(head["puzzle"], HEAD)
    if any(cell is not None for cell in blank.givens) or blank.candidates or blank.stated is not None:
        raise FormatError("puzzle: a board without givens, candidates and solution is expected", source=HEAD)
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
