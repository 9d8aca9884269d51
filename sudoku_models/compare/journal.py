"""The journal of a comparison: plan, instances, rows and provenance in one sqlite file that survives any crash.

A row is announced only once it is durable. The key of a row is the instance, the backend, the seed and the repeat, so
that no run occurs twice. Every text has a checksum: a damaged journal is reported, kept under another name, and rebuilt
from everything intact in it.
"""

from __future__ import annotations

import json
import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import count, groupby
from pathlib import Path
from typing import Any, TextIO

from ..errors import Unusable
from ..formats.target import replaced
from ..prove import PATIENCE, Judgement
from . import proofs
from .judge import judged, known
from .plan import Instance, Plan
from .run_rows import Row
from .salvage import HOST, SCHEMA, SESSION, Salvaged, fault_of, plain, salvaged
from .sealed import opened, schema_of, sealed
from .stored import instance_of, instance_text

NAME = "journal.db"
GROUP = 0.05
"""Seconds after which new rows are durable."""

_TABLES = """
PRAGMA page_size = 32768;
CREATE TABLE meta (key TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (number INTEGER PRIMARY KEY, told TEXT NOT NULL);
CREATE TABLE hosts (name TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE instances (number INTEGER PRIMARY KEY, sha TEXT NOT NULL UNIQUE, told TEXT NOT NULL);
CREATE TABLE runs (
    sha TEXT NOT NULL, backend TEXT NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL,
    position INTEGER NOT NULL, told TEXT NOT NULL, PRIMARY KEY (sha, backend, seed, repeat)
) WITHOUT ROWID;
"""
"""Pages are large enough for the text of a run to be contiguous: it can be found even if the tables are unreadable."""

_INSERT = "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class JournalError(Unusable):
    """A journal is missing or in use, or the file is not a journal; the message says which."""


class Journal:
    """A journal to read, or to add rows to (``writing``). Use ``open`` to open and ``create`` to make one."""

    def __init__(self, path: Path, damage: str = "") -> None:
        self.path, self.damage = path, damage
        self._writer: _JournalWriter | None = None
        with closing(self._connect()) as connection:
            found = connection.execute("SELECT told FROM meta").fetchone()
        text = opened(found[0]) if found else None
        if text is None or schema_of(text) != SCHEMA:
            raise JournalError(f"{path}: this is not a journal of {SCHEMA}")
        self._meta = text
        self.settings: dict[str, Any] = json.loads(text)["plan"]
        self.digest = json.loads(text)["digest"]

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open a journal, or the one in a folder; JournalError if there is none.

        A damaged journal is rebuilt from everything intact in it; ``damage`` and the log report this.
        """
        place = Path(path)
        place = place / NAME if place.is_dir() else place
        if not place.is_file():
            raise JournalError(f"{path}: there is no journal of a comparison")
        fault = fault_of(place)
        if fault is None:
            return cls(place)
        with _locked(place.with_name("lock")):
            return cls(place, repaired(place, fault))

    @classmethod
    def create(cls, path: str | Path, plan: Plan, instances: Sequence[Instance]) -> Journal:
        """Make a journal in a folder, which is created if necessary.

        JournalError if there is a journal already, if the folder cannot be made, or if another process is making one.
        """
        folder = cls.folder(path)
        place = folder / NAME
        with _locked(folder / "lock"):
            if place.exists():
                raise JournalError(
                    f"{place}: there is a journal already: continue it with --resume, or choose another folder"
                )
            settings = {"schema": SCHEMA, "digest": plan.digest(instances), "plan": plan.settings()}
            made(place, json.dumps(settings), [(i.number, i.sha, instance_text(i)) for i in instances])
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

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def plan(self) -> Plan:
        """Return the plan; raises BadOption or BackendMissing if a backend is no longer available."""
        return Plan.of_settings(self.settings)

    def instances(self) -> list[Instance]:
        """Return the instances, by number."""
        with closing(self._connect()) as connection:
            found = connection.execute("SELECT told FROM instances ORDER BY number").fetchall()
        return [instance_of(self._opened(text)) for (text,) in found]

    def done(self) -> set[tuple[str, str, int, int]]:
        """Return the keys of the finished runs (``Row.key``)."""
        query = "SELECT sha, backend, seed, repeat FROM runs"
        with closing(self._connect()) as connection:
            return {(sha, backend, seed, repeat) for sha, backend, seed, repeat in connection.execute(query)}

    def rows(self) -> Iterator[Row]:
        """Yield all rows, puzzle by puzzle, judged: WRONG if a checked solution or proof refutes a claim."""
        query = (
            "SELECT runs.sha, instances.told, runs.told FROM runs LEFT JOIN instances USING (sha)"
            " ORDER BY instances.number IS NULL, instances.number, runs.sha, runs.position"
        )
        there = self.proofs()
        with closing(self._connect()) as connection:
            for sha, group in groupby(connection.execute(query), key=lambda entry: entry[0]):
                entries = list(group)
                stated = [] if entries[0][1] is None else known(instance_of(self._opened(entries[0][1])))
                yield from judged([Row.parse(self._opened(text)) for *_, text in entries], stated, there.get(sha))

    def proofs(self) -> dict[str, Judgement]:
        """Return the proofs made by ``prove``, by the SHA-256 of their puzzles."""
        return proofs.kept(self.path.parent)

    def prove(self, limit: float | None = PATIENCE) -> Iterator[tuple[Instance, Judgement]]:
        """Prove claims of rows that have no proof yet; yield each puzzle with its proof, which is then durable.

        ``limit`` (seconds) applies to making each proof, and to checking it. Proofs that failed with a shorter limit
        are tried again.
        """
        with _locked(self.path.with_name("lock")):
            for instance, proof in proofs.proved(self.rows(), self.instances(), self.proofs(), limit):
                proofs.keep(self.path.parent, instance.sha, proof)
                yield instance, proof

    def _opened(self, sealed_text: str) -> str:
        """Open a text; JournalError if it was damaged since the journal was opened."""
        text = opened(sealed_text)
        if text is None:
            raise JournalError(f"{self.path}: the journal was damaged while it was in use")
        return text

    def provenance(self) -> dict[str, Any]:
        """Return where the rows come from: plan, digest, instances, the sessions, the machines."""
        with closing(self._connect()) as connection:
            found = connection.execute("SELECT told FROM sessions ORDER BY number").fetchall()
            sessions = [json.loads(self._opened(text))["session"] for (text,) in found]
            found = connection.execute("SELECT told FROM hosts").fetchall()
            hosts = [json.loads(self._opened(text)) for (text,) in found]
            shas = [sha for (sha,) in connection.execute("SELECT sha FROM instances ORDER BY number")]
            (runs,) = connection.execute("SELECT count(*) FROM runs").fetchone()
        damage = {"damage": self.damage} if self.damage else {}
        return damage | {
            "schema": SCHEMA,
            "plan": self.settings,
            "digest": self.digest,
            "planned": len(shas)
            * len(self.settings["backends"])
            * len(self.settings["seeds"])
            * self.settings["repeats"],
            "done": runs,
            "sessions": sessions,
            "hosts": {entry["name"]: entry["host"] for entry in hosts},
            "instances": shas,
        }

    # writing, by one process at a time

    def start(self, session: dict[str, Any]) -> None:
        """Start to add rows; JournalError if another process is doing so."""
        self._writer = _JournalWriter(self.path, {"schema": SESSION, "journal": self._meta, "session": session})

    def add(self, row: Row) -> None:
        """Write a row; it is soon durable, and then announced."""
        assert self._writer
        self._writer.inbox.put(row)

    def host(self, name: str, machine: dict[str, Any]) -> None:
        """Record a machine that rows come from."""
        assert self._writer
        self._writer.inbox.put((name, machine))

    def announced(self) -> Iterator[Row]:
        """Yield the rows that became durable since the last call."""
        assert self._writer
        yield from self._writer.taken()

    def finish(self) -> list[Row]:
        """Make everything durable and stop writing; return the rows not announced yet."""
        writer, self._writer = self._writer, None
        return writer.finish() if writer else []


class _JournalWriter:
    """A thread that commits in groups."""

    def __init__(self, path: Path, session: dict[str, Any]) -> None:
        self.path = path
        self.lock = _locked(path.with_name("lock"))
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.durable: deque[Row] = deque()
        self.error: Exception | None = None
        self.ending = False
        with closing(self._connect()) as connection:
            connection.execute("INSERT INTO sessions (told) VALUES (?)", [sealed(json.dumps(session))])
        self.thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self.thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _work(self) -> None:
        try:
            with closing(self._connect()) as connection:
                while (first := self.inbox.get()) is not None:
                    self._commit(connection, [first, *self._gathered()])
        except Exception as error:
            self.error = error

    def _gathered(self) -> list[Any]:
        """Wait until the group is due, and return what arrived in the meantime."""
        due = time.monotonic() + GROUP * 0.8
        while not self.ending and (left := due - time.monotonic()) > 0:
            time.sleep(min(left, 0.01))
        found = []
        with suppress(queue.Empty):
            while (entry := self.inbox.get_nowait()) is not None:
                found.append(entry)
            self.inbox.put(None)
        return found

    def _commit(self, connection: sqlite3.Connection, entries: Iterable[Any]) -> None:
        added = []
        connection.execute("BEGIN IMMEDIATE")
        for entry in entries:
            if isinstance(entry, Row):
                values = (*entry.key, entry.position, sealed(entry.json()))
                if connection.execute(_INSERT, values).rowcount == 1:
                    added.append(entry)
            else:
                text = sealed(json.dumps({"schema": HOST, "name": entry[0], "host": entry[1]}))
                connection.execute("INSERT OR REPLACE INTO hosts VALUES (?, ?)", [entry[0], text])
        connection.execute("COMMIT")
        self.durable.extend(added)

    def taken(self) -> Iterator[Row]:
        if self.error:
            raise JournalError(f"{self.path}: rows cannot be written: {self.error}") from self.error
        while self.durable:
            yield self.durable.popleft()

    def finish(self) -> list[Row]:
        self.ending = True
        self.inbox.put(None)
        self.thread.join()
        self.lock.close()
        return list(self.taken())


def made(place: Path, plan: str, instances: Iterable[tuple[int, str, str]], rest: Salvaged | None = None) -> None:
    """Write a complete journal, which appears when it is finished: the text of the plan, instances, and the rest."""
    new = place.with_name(f"{place.name}.new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(new)) as connection, connection:
        connection.executescript(_TABLES)
        connection.execute("INSERT INTO meta VALUES ('journal', ?)", [sealed(plan)])
        entries = ((number, sha, sealed(text)) for number, sha, text in instances)
        connection.executemany("INSERT OR IGNORE INTO instances VALUES (?, ?, ?)", entries)
        if rest:
            connection.executemany("INSERT INTO sessions (told) VALUES (?)", ([sealed(t)] for t in rest.sessions))
            hosts = ((plain(text)["name"], sealed(text)) for text in rest.hosts)
            connection.executemany("INSERT OR REPLACE INTO hosts VALUES (?, ?)", hosts)
            rows = ((*(row := Row.parse(text)).key, row.position, sealed(text)) for text in rest.rows)
            connection.executemany(_INSERT, rows)
    new.rename(place)


def repaired(place: Path, fault: str) -> str:
    """Rebuild a damaged journal from what is intact in it, and keep the damaged one under another name; return a
    report.

    JournalError if the plan is lost: the intact runs are then written beside it as JSON lines.
    """
    found = salvaged(place)
    runs = f"{len(found.rows):,} whole run{'' if len(found.rows) == 1 else 's'}"
    if found.plan is None:
        if not found.rows:
            raise JournalError(f"{place}: this is not a journal: {fault}")
        beside = place.with_name("rows.jsonl")
        with replaced(beside) as file:
            file.writelines(text.encode() + b"\n" for text in found.rows)
        raise JournalError(f"{place}: damaged ({fault}), the plan is lost; its {runs} are in {beside}")
    aside = _aside(place)
    instances = [(i.number, i.sha, text) for text in found.instances if (i := instance_of(text))]
    whole = place.with_name(f"{place.name}.whole")
    made(whole, found.plan, instances, found)
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            place.with_name(place.name + suffix).rename(aside.with_name(aside.name + suffix))
    whole.rename(place)
    report = (
        f"{place}: damaged ({fault}): rebuilt from {runs} and {len(instances):,} instances; the old one is now {aside}"
    )
    logging.getLogger("sudoku_models").warning(report)
    return report


def _aside(place: Path) -> Path:
    """Return an unused file name for a damaged journal."""
    numbers = (place.with_name(f"{place.name}.damaged{i or ''}") for i in count())
    return next(path for path in numbers if not path.exists())


def _locked(path: Path) -> TextIO:
    """Take the lock of a journal; it is released when this process ends in any way."""
    import fcntl

    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise JournalError(f"{path.parent}: another process is running or making a comparison there") from None
    return file
