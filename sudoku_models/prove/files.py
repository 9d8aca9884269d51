"""Certificates as files: a folder, or a zip file, with what independent checkers read.

``certificate.json`` has the claim, the puzzle, what narrows the variables and the solutions; ``model.txt`` the model;
``formula.cnf`` the formula (DIMACS); ``map.txt`` a line ``number name value`` for each of its variables that stands for
a value; ``proof.lrat`` the proof, and ``proof.drat`` the same without hints. One of both is enough. Reading is bounded,
and anything unusual is refused.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import struct
import tempfile
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ..errors import FormatError, Unusable, said
from ..formats.own_json import puzzle_of, write_own
from ..formats.target import replaced
from ..model import Domain, Model, TextError, domain
from ..puzzle import Puzzle
from .certificate import Certificate, Claim, Statement
from .drat import Step, parse_drat
from .formula import LONGEST, Formula
from .looking import Look, never, rows, words
from .lrat import NotProved, ProofLine, parse_lrat

T = TypeVar("T")

Read = Callable[[str], bytes]
"""Returns a file of a certificate by its name; raises Missing if it is not there, FormatError if it is unreadable."""

ONE, MANY = "certificate.json", "certificates.json"
"""The file that marks a certificate of one problem, and the one that marks certificates of many."""

SCHEMA = "sudoku-models/certificate"
VERSION = 1
KEYS = {"schema", "version", "claim", "puzzle", "domains", "solutions", "objective", "refuter"}
LRAT, DRAT = "proof.lrat", "proof.drat"
NAMES = (ONE, "model.txt", "formula.cnf", "map.txt", LRAT, DRAT)

LONGEST_NAME = 100
"""The most characters of a refuter's name."""

LARGEST = 500_000_000
"""The most bytes that a file of a certificate may have."""

SPARE, RATIO = 4_000_000, 6
"""The files in a zip file may together have these bytes, and as many times the bytes of the zip file.

Proofs pack to a quarter. What was made to fill the memory packs to a thousandth, and takes thirty times as much when it
is read.
"""

LARGEST_HEAD = 50_000_000
"""The most bytes of certificate.json, which is read in one piece: about 100,000 solutions."""

LONGEST_END, LONGEST_LIST = (1 << 16) + 22, 100_000
"""The offset from its end at which a zip file gives the length of its list of files, and the most bytes of that list.
"""

COMPRESSIONS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}

_SIZES = re.compile(r"p[ \t]+cnf[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*")
_DIGITS = re.compile(r"[-0-9]*")
_WHOLE = re.compile(r"-?[0-9]{1,18}")


class Missing(FormatError):
    """A file of a certificate is not there."""


def save(certificate: Certificate, path: str | Path) -> Path:
    """Write a certificate to a new folder, or to a zip file if the name ends with .zip; return the path.

    No incomplete file is left behind. Unusable if a folder of that name exists and is not empty.
    """
    target = Path(path)
    files = {name: text.encode() for name, text in texts(certificate).items()}
    if target.suffix == ".zip":
        write_zip(target, files)
    else:
        _write_folder(target, files)
    return target


def texts(certificate: Certificate) -> dict[str, str]:
    """Return the files of a certificate by name."""
    statement, formula = certificate.statement, certificate.formula
    return {
        "certificate.json": json.dumps(_head(certificate), ensure_ascii=False, indent=1) + "\n",
        "model.txt": f"{statement.model}\n",
        "formula.cnf": formula.dimacs,
        "map.txt": formula.mapping,
        **({LRAT: lrat_text(certificate.proof)} if certificate.drat is None else {}),
        DRAT: drat_text(certificate.steps),
    }


def lrat_text(lines: Iterable[ProofLine]) -> str:
    return "".join(
        f"{line.number} {_ended(line.clause)} {_ended(line.hints)}\n"
        if line.deleted is None
        else f"{line.number} d {_ended(line.deleted)}\n"
        for line in lines
    )


def drat_text(steps: Iterable[Step]) -> str:
    """Write a proof in DRAT: clauses without hints."""
    return "".join(f"{'' if added else 'd '}{_ended(clause)}\n" for added, clause in steps)


def load(path: str | Path, look: Look = never) -> Certificate:
    """Read a certificate from a folder or a zip file; FormatError says which file is wrong and how.

    ``look`` is called repeatedly; an exception from it ends the work.
    """
    source = Path(path)
    if source.exists() and not (source.is_file() or source.is_dir()):
        raise FormatError("a folder or a zip file is expected", source=str(source))
    return read_certificate(zip_reader(source, ONE) if source.is_file() else _folder_reader(source), look)


def read_certificate(read: Read, look: Look = never) -> Certificate:
    """Return the certificate whose files ``read`` returns by name; FormatError as for ``load``."""
    head = head_of(read(ONE), ONE, SCHEMA, VERSION, KEYS)
    claim = _field(head, "claim", str)
    if claim not in tuple(Claim):
        raise FormatError(f"the claim {claim[:40]!r}: one of {', '.join(Claim)} is expected", source=ONE)
    statement = _statement(head, _text(read, "model.txt"), look)
    solutions = tuple(tuple(row) for row in _rows(head.get("solutions")))
    formula = _formula(_text(read, "formula.cnf"), _text(read, "map.txt"), look)
    proof, drat = _proof(read, look)
    made = Certificate(statement, Claim(claim), solutions, formula, proof, refuter_of(head, ONE), drat)
    complete = all(len(row) == len(statement.model.names) for row in solutions)
    if complete and head.get("objective") != made.objective:
        raise FormatError(f"objective: {made.objective} is expected", source=ONE)
    if statement.puzzle is not None and not _is_listed(statement.puzzle, statement.model.names, solutions):
        raise FormatError("puzzle: solution: it is not one of the solutions listed", source=ONE)
    return made


def _text(read: Read, name: str) -> str:
    try:
        return read(name).decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError("the file is not a text in UTF-8", source=name) from None


def _proof(read: Read, look: Look) -> tuple[tuple[ProofLine, ...], tuple[Step, ...] | None]:
    """Return the proof with hints or, if it is missing, the one without."""
    lines, steps = _lines(read, LRAT, parse_lrat, look), _lines(read, DRAT, parse_drat, look)
    if lines is None:
        if steps is None:
            raise Missing(f"neither {LRAT} nor {DRAT} is there: a proof is expected")
        return (), tuple(steps)
    if steps is not None and steps != [(True, line.clause) for line in lines if line.deleted is None]:
        raise FormatError(f"the lemmas of {LRAT} without their hints are expected", source=DRAT)
    return tuple(lines), None


def _lines(read: Read, name: str, parse: Callable[[str, Look], list[T]], look: Look) -> list[T] | None:
    """Return the lines of a proof; None if it is not there."""
    try:
        return parse(_text(read, name), look)
    except Missing:
        return None
    except NotProved as error:
        raise FormatError(str(error), source=name) from None


def _head(certificate: Certificate) -> dict[str, Any]:
    statement = certificate.statement
    puzzle = statement.puzzle
    if puzzle is not None and not _is_listed(puzzle, statement.model.names, certificate.solutions):
        puzzle = replace(puzzle, stated=None)
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "claim": certificate.claim.value,
        "puzzle": None if puzzle is None else json.loads(write_own(puzzle)),
        "domains": {x: list(values) for x, values in statement.domains.items()},
        "solutions": [list(values) for values in certificate.solutions],
        "objective": certificate.objective,
        "refuter": certificate.refuter[:LONGEST_NAME],
    }


def _ended(numbers: tuple[int, ...]) -> str:
    return " ".join([*map(str, numbers), "0"])


def _write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Unusable(f"{target} already exists: a certificate needs a new folder, or a name that ends with .zip")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=".certificate-"))
    try:
        for name, data in files.items():
            (temporary / name).write_bytes(data)
        temporary.chmod(0o755)
        temporary.replace(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def head_of(data: bytes, source: str, schema: str, version: int, keys: set[str]) -> dict[str, Any]:
    """Return the object of JSON that describes certificates; FormatError unless it has just these keys."""
    if len(data) > LARGEST_HEAD:
        raise FormatError(f"the file has more than {LARGEST_HEAD:,} bytes", source=source)
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_without_doubles)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {said(error)[:200]}", source=source) from None
    stated = found.get("version") if isinstance(found, dict) and found.get("schema") == schema else None
    if type(stated) is not int or stated != version:
        raise FormatError(f"an object of the schema {schema!r}, version {version}, is expected", source=source)
    if found.keys() != keys:
        wrong = ", ".join(sorted(str(key)[:40] for key in found.keys() ^ keys))
        raise FormatError(f"a key is missing, or there is an extra one: {wrong[:300]}", source=source)
    return dict(found)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON; ValueError if a key is repeated, which readers treat differently."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice in one object")
    return found


def stated_puzzle(data: Mapping[str, Any], source: str) -> Puzzle:
    """Return the puzzle of a JSON object in which everything is understood; FormatError names the file."""
    try:
        puzzle = puzzle_of(data)
    except FormatError as error:
        raise error.at(source) from None
    if puzzle.notes:
        raise FormatError(f"puzzle: {puzzle.notes[0]}", source=source)
    return puzzle


def refuter_of(head: Mapping[str, Any], source: str) -> str:
    """Return the author of a proof; FormatError for anything but a short line of text."""
    name = head.get("refuter")
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not (name.isprintable()):
        raise FormatError(f"refuter: a line of at most {LONGEST_NAME} characters is expected", source=source)
    return name


def _is_listed(puzzle: Puzzle, names: Sequence[str], solutions: Sequence[Sequence[int]]) -> bool:
    if puzzle.stated is None:
        return True
    stated = {x: value for x, value in zip(puzzle.names, puzzle.stated, strict=True) if value is not None}
    return any(stated.items() <= dict(zip(names, row, strict=False)).items() for row in solutions)


def _field(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind):
        raise FormatError(f"{name}: a value of type {kind.__name__} is expected", source=ONE)
    return value


def _rows(data: Any) -> list[list[int]]:
    if not isinstance(data, list) or any(
        not isinstance(row, list) or any(type(value) is not int for value in row) for row in data
    ):
        raise FormatError("solutions: lists of whole numbers are expected", source=ONE)
    return data


def _statement(head: Mapping[str, Any], model_text: str, look: Look) -> Statement:
    try:
        model = Model.parse(model_text, look)
    except (TextError, ValueError, TypeError, RecursionError) as error:
        raise FormatError(str(error)[:500], source="model.txt") from None
    domains = {str(x): _domain(values) for x, values in _field(head, "domains", dict).items()}
    unknown = next((x for x in domains if x not in model.index), None)
    if unknown is not None:
        raise FormatError(f"domains: {unknown[:40]!r} is not a variable of the model", source=ONE)
    puzzle = head.get("puzzle")
    return Statement(model, domains, None if puzzle is None else stated_puzzle(_field(head, "puzzle", dict), ONE))


def _domain(values: Any) -> Domain:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise FormatError("domains: lists of whole numbers are expected", source=ONE)
    if list(domain(values)) != values:
        raise FormatError("domains: values in rising order are expected", source=ONE)
    return domain(values)


def _formula(text: str, mapping: str, look: Look) -> Formula:
    numbers = array("i")
    try:
        head, _, body = text.partition("\n")
        sizes = _SIZES.fullmatch(head[:100])
        if sizes is None:
            raise ValueError
        variables, clauses = int(sizes[1]), int(sizes[2])
        for some in words(body, look):
            if not _DIGITS.fullmatch("".join(some)):
                raise ValueError
            numbers.extend(map(int, some))
            if len(numbers) > LONGEST:
                break
    except (ValueError, OverflowError):
        raise FormatError(
            "not DIMACS: 'p cnf VARIABLES CLAUSES' and the clauses are expected", source="formula.cnf"
        ) from None
    if len(numbers) > LONGEST or numbers.count(0) != clauses or (numbers and numbers[-1] != 0):
        raise FormatError(f"{clauses} clauses, each ended by 0, are expected", source="formula.cnf")
    return Formula(_mapping(mapping, look), numbers, variables, clauses)


def _mapping(text: str, look: Look) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = {}
    for at, row in rows(text, look):
        number, _, rest = row.partition(" ")
        name, _, value = rest.rpartition(" ")
        try:
            pair = name, _whole(value)
            if pair in found:
                raise FormatError(f"{name[:40]} {value[:40]} is listed twice", source="map.txt", line=at)
            found[pair] = _whole(number)
        except FormatError:
            raise
        except ValueError:
            raise FormatError("'number name value' is expected", source="map.txt", line=at) from None
    return found


def _whole(text: str) -> int:
    """Parse a number; ValueError for text that other readers would not accept as a number."""
    if not _WHOLE.fullmatch(text):
        raise ValueError
    return int(text)


# Zip files and folders


def holds_many(path: str | Path) -> bool:
    """Return whether a file holds certificates of many puzzles."""
    try:
        with opened(path) as archive:
            return MANY in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, struct.error):
        return False


def write_zip(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip file completely, or not at all."""
    with replaced(target) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def opened(path: str | Path) -> zipfile.ZipFile:
    """Open a zip file; ValueError if its list of files is much longer than that of a certificate."""
    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, io.SEEK_END) - LONGEST_END))
        end = stream.read()
    at = end.rfind(b"PK\5\6")
    if at >= 0 and int.from_bytes(end[at + 12 : at + 16], "little") > LONGEST_LIST:
        raise ValueError("the zip file holds more files than a certificate has")
    return zipfile.ZipFile(path)


def zip_reader(path: Path, kind: str) -> Read:
    """Return a function that reads one member of a zip file; FormatError if it is unreadable or too large.

    ``kind`` is ONE or MANY: FormatError also if the zip file has the other kind.
    """

    def read(name: str) -> bytes:
        try:
            with opened(path) as archive:
                check_kind(archive.namelist(), kind, path)
                stated = sum(found.file_size for found in archive.infolist())
                most = SPARE + RATIO * path.stat().st_size
                if stated > most:
                    problem = f"holds {stated:,} bytes once unpacked: up to {most:,} are read from a file of this size"
                    raise FormatError(problem, source=str(path))
                return _content(archive, name, path)
        except FormatError:
            raise
        except KeyError:
            raise Missing(f"{name} is missing", source=str(path)) from None
        except (zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError, RuntimeError) as error:
            raise FormatError(f"{name} cannot be read: {error}", source=str(path)) from None
        except MemoryError:
            raise FormatError(f"{name} needs more memory than is available", source=str(path)) from None

    return read


def _content(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    found = archive.getinfo(name)
    if archive.namelist().count(name) > 1:
        raise FormatError(f"the zip file holds {name} twice", source=str(path))
    if found.compress_type not in COMPRESSIONS:
        raise FormatError(f"{name} has an unsupported compression: store or deflate it", source=str(path))
    if found.file_size > LARGEST:
        raise FormatError(f"{name} has more than {LARGEST:,} bytes", source=str(path))
    return archive.read(name)


def check_kind(names: list[str], kind: str, path: Path) -> None:
    """Raise FormatError if the names include certificates of the other kind, or of both."""
    if ONE in names and MANY in names:
        raise FormatError(f"both {ONE} and {MANY} are there: one of them is expected", source=str(path))
    if kind == ONE and MANY in names:
        raise FormatError(
            "the file holds certificates of many puzzles: check_many and load_many read them", source=str(path)
        )
    if kind == MANY and ONE in names:
        raise FormatError("the file holds the certificate of one problem: check and load read it", source=str(path))


def _folder_reader(folder: Path) -> Read:
    check_kind([name for name in (ONE, MANY) if (folder / name).exists()], ONE, folder)

    def read(name: str) -> bytes:
        path = folder / name
        if path.exists() and not path.is_file():  # a pipe might never be written, a device might never end
            raise FormatError("a regular file is expected", source=str(path))
        try:
            with path.open("rb") as stream:
                data = stream.read(LARGEST + 1)
        except FileNotFoundError as error:
            raise Missing(f"cannot be read: {error.strerror}", source=str(path)) from None
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", source=str(path)) from None
        if len(data) > LARGEST:
            raise FormatError(f"the file has more than {LARGEST:,} bytes", source=str(path))
        return data

    return read
