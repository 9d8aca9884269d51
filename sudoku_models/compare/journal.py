"""The journal of a comparison: plan, puzzles, rows, proofs and provenance, as sealed lines of one append-only file.

A row is announced only once it is durable. The key of a row is the puzzle, the backend, the seed and the repeat, so
that no run occurs twice. A damaged line is left out and named; if it held a row, that run is made again.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from .. import journal as sealed
from ..errors import FormatError, Unusable
from ..formats.own_json import puzzle_of, write_own
from ..model import Model
from ..prove import PATIENCE, Claim, Judgement
from . import judge
from .judge import judged_all
from .plan import Instance, Plan, StatedModel
from .rows import SCHEMA as ROW
from .rows import Row

NAME = "journal.jsonl"
SCHEMA = "sudoku-models/journal/3"
INSTANCE = "sudoku-models/instance/2"
SESSION = "sudoku-models/session/1"
HOST = "sudoku-models/host/1"
PROOF = "sudoku-models/proof/1"


class JournalError(Unusable):
    """A journal is missing, damaged or in use, or the file is not a journal; the message says which."""


class Journal:
    """A journal to read, or to add rows to. Use ``open`` to open and ``create`` to make one.

    ``damage`` names the damaged lines, "" if there are none.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._read = path, (-1, -1)
        if not any(map(self._lines, (SCHEMA, INSTANCE, ROW))):
            raise JournalError(f"{path}: this is not a journal of a comparison")
        self.damage = _damage(path, self._lines(None))
        self._head = next(iter(self._lines(SCHEMA)), None)
        if self._head and len(self._lines(INSTANCE)) < self._head["instances"] and not self.damage:
            raise JournalError(f"{path}: making this journal was interrupted: delete it, or choose another folder")

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open a journal, or the one in a folder; JournalError if there is none. The log reports damage."""
        place = Path(path)
        if place.is_dir():
            place = place / NAME
        if not place.is_file():
            raise JournalError(f"{path}: there is no journal of a comparison")
        journal = cls(place)
        if journal.damage:
            logging.getLogger("sudoku_models").warning(journal.damage)
        return journal

    @classmethod
    def create(cls, path: str | Path, plan: Plan, instances: Sequence[Instance]) -> Journal:
        """Make a journal in a folder, which is created if necessary.

        JournalError if there is a journal already, if the folder cannot be made, or if another process is making one;
        Unusable for a puzzle that cannot be written, and OSError if the disk is full.
        """
        folder = cls.folder(path)
        head = {"schema": SCHEMA, "digest": plan.digest(instances), "plan": plan.settings()}
        place = folder / NAME
        with _appending(place) as file:
            if next(sealed.lines_of(place), None):
                raise JournalError(
                    f"{place}: there is a journal already: continue it with --resume, or choose another folder"
                )
            file.add({**head, "instances": len(instances)}, *map(_instance_fields, instances))
        return cls(place)

    @staticmethod
    def folder(path: str | Path) -> Path:
        """Make a folder for a journal if there is none; JournalError if that fails."""
        folder = Path(path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "a file is in the way" if isinstance(error, FileExistsError) else error.strerror or str(error)
            raise JournalError(f"{path}: the folder for the journal cannot be made: {reason}") from error
        return folder

    def plan(self) -> Plan:
        """Return the plan; raises JournalError if its line is damaged, BadOption or BackendMissing if a backend is no
        longer available.
        """
        if self._head is None:
            raise JournalError(
                f"{self.path}: the line of the plan is damaged: this comparison cannot be continued, but its rows can "
                "be read, for example by --against"
            )
        return Plan.of_settings(self._head["plan"])

    def instances(self) -> list[Instance]:
        """Return the instances, by number."""
        return [*self._lines(INSTANCE)]

    def done(self) -> set[tuple[str, str, int, int]]:
        """Return the keys of the finished runs (``Row.key``)."""
        return {row.key for row in self._lines(ROW)}

    def rows(self) -> Iterator[Row]:
        """Yield all rows, puzzle by puzzle, judged: WRONG if a checked solution or proof refutes a claim."""
        rows = {row.key: row for row in self._lines(ROW)}
        yield from judged_all(rows.values(), self.instances(), self.proofs())

    def proofs(self) -> dict[str, Judgement]:
        """Return the proofs made by ``prove``, by the SHA-256 of their puzzles."""
        return dict(self._lines(PROOF))

    def prove(self, limit: float | None = PATIENCE) -> Iterator[tuple[Instance, Judgement]]:
        """Prove claims of rows that have no proof yet; yield each puzzle with its proof, which is then durable.

        ``limit`` (seconds) applies to making each proof, and to checking it. Proofs that failed with a shorter limit
        are tried again.
        """
        with _appending(self.path) as file:
            for instance, proof in judge.proved(self.rows(), self.instances(), self.proofs(), limit):
                file.add({"schema": PROOF, "sha": instance.sha, **vars(proof)})
                yield instance, proof

    def provenance(self) -> dict[str, Any]:
        """Return where the rows come from: plan, digest, instances, the sessions, the machines."""
        found: dict[str, Any] = {"damage": self.damage} if self.damage else {}
        if self._head:
            plan = self._head["plan"]
            runs = self._head["instances"] * len(plan["backends"]) * len(plan["seeds"]) * plan["repeats"]
            found |= {"plan": plan, "digest": self._head["digest"], "planned": runs}
        return found | {
            "schema": SCHEMA,
            "done": len(self.done()),
            "sessions": [fields["session"] for fields in self._lines(SESSION)],
            "hosts": {fields["name"]: fields["host"] for fields in self._lines(HOST)},
            "instances": [instance.sha for instance in self._lines(INSTANCE)],
        }

    def _lines(self, kind: str | None) -> list[Any]:
        """Return what the lines of a kind state, or the numbers of damaged lines (None).

        The file is read once, and again when it has changed: a long comparison has many lines.
        """
        try:
            now = self.path.stat()
            if self._read != (now.st_size, now.st_mtime_ns):
                self._kinds = defaultdict[str | None, list[Any]](list)
                for number, fields in sealed.lines_of(self.path):
                    schema = fields.get("schema") if fields else None
                    stated = _STATED.get(schema)
                    self._kinds[schema].append(stated(fields) if stated else fields if schema else number)
                self._read = now.st_size, now.st_mtime_ns
        except OSError as error:
            raise JournalError(f"{self.path}: the journal cannot be read: {error.strerror}") from error
        return self._kinds[kind]

    # writing, by one process at a time

    @contextmanager
    def appending(self, session: dict[str, Any]) -> Iterator[None]:
        """Keep the journal open for rows of a session; JournalError if another process is adding some."""
        with _appending(self.path) as self._file:
            self._file.add({"schema": SESSION, "session": session})
            self._hosts, self._done = set[str](), self.done()
            yield

    def add(self, *rows: Row) -> list[Row]:
        """Add rows to a journal that is kept open; return those of runs that were not there yet, which are durable.

        A cluster may hand in a shard twice. OSError if the disk is full.
        """
        new = {row.key: row for row in rows if row.key not in self._done}
        if new:
            self._file.add(*(row.fields() for row in new.values()))
        self._done |= new.keys()
        return list(new.values())

    def host(self, machine: dict[str, Any]) -> None:
        """Record a machine that rows come from."""
        name = machine["host"]
        if name not in self._hosts:
            self._hosts.add(name)
            self._file.add({"schema": HOST, "name": name, "host": machine})


def is_journal(path: Path) -> bool:
    """Return whether a file is the journal of a comparison, not a file of rows."""
    return any(fields and fields.get("schema") != ROW for _, fields in islice(sealed.lines_of(path), 2))


def _damage(path: Path, lines: Sequence[int]) -> str:
    if not lines:
        return ""
    listed = ", ".join(map(str, lines[:10])) + (f" and {len(lines) - 10} more" if len(lines) > 10 else "")
    what = "line {} is damaged and left out" if len(lines) == 1 else "lines {} are damaged and left out"
    return f"{path}: {what.format(listed)}: --resume makes the runs that are missing again"


def _appending(path: Path) -> sealed.Journal:
    try:
        return sealed.Journal(path)
    except Unusable as error:
        raise JournalError(str(error)) from error


def _instance_fields(instance: Instance) -> dict[str, Any]:
    """Return an instance as plain data; Unusable if it could not be read back."""
    puzzle, place = instance.puzzle, {"number": instance.number, "source": instance.source, "line": instance.line}
    head = {"schema": INSTANCE, "sha": instance.sha, **place}
    if isinstance(puzzle, StatedModel):
        return {**head, "model": str(puzzle.structure)}
    with suppress(FormatError):
        data = json.loads(write_own(puzzle))
        if not puzzle.rules or puzzle_of(data) == puzzle:
            return {**head, "puzzle": data}
    raise Unusable(f"{instance.name} cannot be written to a journal: the fields of its rules are not plain data")


def _instance_of(fields: Any) -> Instance:
    stated = fields.get("model")
    problem = puzzle_of(fields["puzzle"]) if stated is None else StatedModel(Model.parse(stated))
    return Instance(fields["number"], problem, fields["source"], fields["line"])


def _proof_of(fields: Any) -> tuple[str, Judgement]:
    claim = None if fields["claim"] is None else Claim(fields["claim"])
    known = (fields[name] for name in ("refuter", "problem", "limit"))
    return fields["sha"], Judgement(claim, tuple(fields["solutions"]), *known)


_STATED: dict[str | None, Callable[[Any], Any]] = {ROW: Row.of_fields, INSTANCE: _instance_of, PROOF: _proof_of}
"""What makes of the fields of a line what it states, by the schema of the line."""
