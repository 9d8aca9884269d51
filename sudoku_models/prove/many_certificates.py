"""Certificates of many puzzles of one shape, in memory and in a zip file: what they share once, and numbers; a check.

``certificates.json`` has the shape and its rules (as the library's own JSON), ``model.txt`` the model. The rest is
numbers of four bytes, the lowest first: ``givens`` for each cell of each puzzle, ``solutions`` for each variable (OPEN
where there is no given, or no solution), ``proofs`` one after the other, ``sizes`` how long each is, ``numbers`` which
of the puzzles asked about each is. The check states each problem again, and the common part only once; its trusted code
is this file and the files listed in ``certificate_check``. numpy is imported with this module.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..errors import FormatError, LimitReached, SudokuModelsError
from ..formats.own_json import write_own
from ..model import Model
from ..puzzle import Puzzle
from .certificate import Certificate, Claim, Statement, amount, in_words
from .certificate_check import Refused, check_solutions, stated
from .encoder import claim_formula, of_claim, of_model
from .files import LARGEST, LONGEST_NAME, Read, head_of, refuter_of, stated_puzzle, write_zip, zip_reader
from .files import MANY as HEAD
from .formula import Clauses, Formula
from .looking import Deadline, Look, alarm, bounded, never
from .lrat import NotProved, check_lrat, lines_of
from .lrat_fast import accepted

if TYPE_CHECKING:
    from ..verbs.task import Problem

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


# ---- the check


@dataclass(frozen=True)
class Verifications:
    """The result of checking many certificates: how many are accepted, and why the others are not, by number.

    ``checked`` says what the puzzles have in common, and what was checked for each accepted one.
    """

    accepted: int
    refused: Mapping[int, str] = field(default_factory=dict)
    checked: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return not self.refused

    def __str__(self) -> str:
        lines = [f"accepted: {amount(self.accepted, 'certificate')}"]
        lines += [f"  checked: {line}" for line in self.checked if self.accepted]
        lines += [f"  REFUSED: number {number}: {why}" for number, why in self.refused.items()]
        return "\n".join(lines)


def check_many(
    certificates: Certificates | str | Path,
    *,
    problems: Sequence[Problem] | None = None,
    threads: int = 1,
    time_limit: float | None = None,
    plain: bool = False,
) -> Verifications:
    """Check certificates, or those in a file of many.

    For each one, the solution is checked, and that the proof refutes the formula as it is stated here. ``problems`` are
    the puzzles that you asked about, in the order in which ``certify_many`` got them: a certificate of any other puzzle
    than the one of its number is refused. Without them, compare ``puzzles`` and ``numbers`` with what you asked.

    The proofs are checked in compiled code, what that refuses in plain Python, which says why; with ``plain`` all of
    them. ``threads`` of them check at once. ``refused`` says by the number of the puzzle what is wrong.
    FormatError when the file cannot be read, LimitReached after ``time_limit`` seconds.
    """
    look = Deadline(time_limit, "the certificates were not read")
    with alarm(time_limit), bounded():
        if not isinstance(certificates, Certificates):
            certificates = read_many(zip_reader(Path(certificates), HEAD), look)
        look.undone = "the certificates were not all checked"
        asked = None if problems is None else [stated(problem) for problem in problems]
        return verified_many(certificates, look, threads, plain, asked)


def verified_many(
    certificates: Certificates, look: Look, threads: int, plain: bool, asked: Sequence[Puzzle | Model] | None = None
) -> Verifications:
    """Check certificates that have been read; those of puzzles other than ``asked`` are refused."""
    if not len(certificates):
        return Verifications(0)
    wrong = wrong_number(certificates.numbers)
    if wrong is not None:
        return Verifications(0, {wrong: f"the number {wrong}: {WRONG_NUMBER}"})
    try:
        check_one = _checking(certificates, look, plain)
    except SudokuModelsError as error:
        why = f"the model cannot be stated: {error}"
        return Verifications(0, dict.fromkeys(certificates.numbers, why))

    def one(k: int) -> str:
        """Return why a certificate is refused; empty if it is accepted."""
        look()
        try:
            if asked is not None:
                _check_asked(certificates, k, asked)
            check_one(k)
        except LimitReached:
            raise
        except (NotProved, Refused, SudokuModelsError) as error:
            return str(error)
        return ""

    found = dict(zip(certificates.numbers, in_threads(one, range(len(certificates)), threads), strict=True))
    refused = {number: why for number, why in found.items() if why}
    return Verifications(len(found) - len(refused), refused, _checked(certificates, refused, asked is not None))


def _check_asked(certificates: Certificates, k: int, asked: Sequence[Puzzle | Model]) -> None:
    """Raise Refused if a certificate is not for the puzzle with its number."""
    number = certificates.numbers[k]
    if number > len(asked):
        raise Refused(f"the certificate is of puzzle {number}, and you asked about {amount(len(asked), 'puzzle')}")
    if not Statement.of(asked[number - 1]).same(Statement.of(certificates.puzzles[k])):
        raise Refused(f"the certificate is of another problem than puzzle {number} of those that you asked about")


def _checked(certificates: Certificates, refused: Mapping[int, str], compared: bool) -> tuple[str, ...]:
    """Return what the puzzles have in common, and what was checked for each."""
    shared = in_words(certificates.puzzles[0])
    numbers = zip(certificates.numbers, certificates.solutions, strict=True)
    unique = sum(solution is not None for number, solution in numbers if number not in refused)
    none = len(certificates) - len(refused) - unique
    return (
        f"each puzzle has {shared}",
        *(["each puzzle is the one of its number among those that you asked about"] if compared else []),
        f"each solution listed satisfies the model and the rules: {amount(unique, 'puzzle')} with one solution, "
        f"{none} with none",
        "each proof refutes the formula as it is stated again from the model: there is no other solution",
    )


def _checking(certificates: Certificates, look: Look, plain: bool) -> Callable[[int], None]:
    """State the common part of all formulas; return what checks a certificate, Refused or NotProved if it is wrong."""
    model = certificates.puzzles[0].structure
    base, flat = of_model(model, look)
    common, begins = np.array(flat, np.int32), _starts(base, 0)

    def check_one(k: int) -> None:
        claimed = certificates.without_proof(k)
        statement = claimed.statement
        if statement.model is not model and statement.model != model:
            raise Refused("the puzzle is of another shape, or has other rules, than the first one")
        check_solutions(claimed, look)
        more = of_claim(base, statement, claimed.claim, claimed.solutions, look)
        numbers = np.concatenate((common, np.array(more.flat(), np.int32)))
        starts = np.concatenate((begins, _starts(more, len(common))[1:]))
        proof = certificates.proofs[k]
        if plain or not accepted(numbers, starts, proof, look, deletions=False):
            check_lrat(base.all + more.all, lines_of(proof), look)

    return check_one


def _starts(clauses: Clauses, begin: int) -> Any:
    """Return the start of each clause, and of the next one."""
    return np.array(list(accumulate((len(clause) + 1 for clause in clauses.all), initial=begin)), np.int32)
