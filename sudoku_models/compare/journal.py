"""The journal of a comparison: plan, instances, rows and provenance in one sqlite file that outlives any crash.

A row is announced only once it is durable. Rows are keyed by the plan's digest, the instance, the backend, the seed and
the repeat, so that no run stands there twice.
"""

from __future__ import annotations

import json
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from ..errors import Unusable
from .judge import judged, known
from .plan import Instance, Plan
from .rows import Row
from .stored import instance_of, instance_text

NAME = "journal.db"
SCHEMA = "sudoku-models/journal/1"
GROUP = 0.05
"""Seconds after which rows that were written are durable."""

_TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sessions (number INTEGER PRIMARY KEY, told TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS hosts (name TEXT PRIMARY KEY, told TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS instances (number INTEGER PRIMARY KEY, sha TEXT NOT NULL UNIQUE, told TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    plan TEXT NOT NULL, sha TEXT NOT NULL, backend TEXT NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL,
    position INTEGER NOT NULL, told TEXT NOT NULL, PRIMARY KEY (plan, sha, backend, seed, repeat)
) WITHOUT ROWID;
"""
_INSERT = "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class JournalError(Unusable):
    """A journal is missing, is none, or is in use; the message says which."""


class Journal:
    """A journal to read, or to add rows to (``writing``). Open it with ``open`` or make one with ``create``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer: _Writer | None = None
        with closing(self._connect()) as connection:
            meta = dict(connection.execute("SELECT key, value FROM meta"))
        if meta.get("schema") != SCHEMA:
            raise JournalError(f"{path}: this is no journal of {SCHEMA}")
        self.settings: dict[str, Any] = json.loads(meta["plan"])
        self.digest = meta["digest"]

    @classmethod
    def open(cls, path: str | Path) -> Journal:
        """Open a journal, or the one in a folder; JournalError when there is none."""
        place = Path(path)
        place = place / NAME if place.is_dir() else place
        if not place.is_file():
            raise JournalError(f"{path}: there is no journal of a comparison")
        try:
            return cls(place)
        except sqlite3.DatabaseError as error:
            raise JournalError(f"{place}: this is no journal: {error}") from error

    @classmethod
    def create(cls, path: str | Path, plan: Plan, instances: Sequence[Instance]) -> Journal:
        """Make a journal in a folder, which is made too; JournalError when there is one already or no folder can be."""
        folder = cls.folder(path)
        place, made = folder / NAME, folder / f"{NAME}.new"
        if place.exists():
            raise JournalError(f"{place}: there is a journal already: go on with --resume, or take another folder")
        made.unlink(missing_ok=True)
        with closing(sqlite3.connect(made)) as connection, connection:
            connection.executescript(_TABLES)
            meta = {"schema": SCHEMA, "digest": plan.digest(instances), "plan": json.dumps(plan.settings())}
            connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
            rows = ((instance.number, instance.sha, instance_text(instance)) for instance in instances)
            connection.executemany("INSERT INTO instances VALUES (?, ?, ?)", rows)
        made.rename(place)
        return cls(place)

    @staticmethod
    def folder(path: str | Path) -> Path:
        """Make a folder for a journal where there is none; JournalError when that cannot be."""
        folder = Path(path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "a file is in the way" if isinstance(error, FileExistsError) else error.strerror or str(error)
            raise JournalError(f"{path}: no folder can be made for the journal: {reason}") from error
        return folder

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        return connection

    def plan(self) -> Plan:
        """Return the plan; raises BadOption or BackendMissing when a backend is not there any more."""
        return Plan.of_settings(self.settings)

    def instances(self) -> list[Instance]:
        """Return the instances, by number."""
        with closing(self._connect()) as connection:
            return [instance_of(told) for (told,) in connection.execute("SELECT told FROM instances ORDER BY number")]

    def done(self) -> set[tuple[str, str, int, int]]:
        """Return the keys of the runs that are there (``Row.key``)."""
        query = "SELECT sha, backend, seed, repeat FROM runs WHERE plan = ?"
        with closing(self._connect()) as connection:
            return {
                (sha, backend, seed, repeat) for sha, backend, seed, repeat in connection.execute(query, [self.digest])
            }

    def rows(self) -> Iterator[Row]:
        """Yield all rows, puzzle by puzzle, judged: WRONG where a checked solution refutes what a backend claims."""
        query = (
            "SELECT instances.number, instances.told, runs.told FROM runs JOIN instances USING (sha) WHERE plan = ?"
            " ORDER BY instances.number, runs.position"
        )
        with closing(self._connect()) as connection:
            found = connection.execute(query, [self.digest])
            for _, group in groupby(found, key=lambda entry: entry[0]):
                entries = list(group)
                yield from judged([Row.parse(told) for *_, told in entries], known(instance_of(entries[0][1])))

    def provenance(self) -> dict[str, Any]:
        """Return where the rows come from: plan, digest, instances, the sessions that ran it, the machines."""
        with closing(self._connect()) as connection:
            sessions = [json.loads(told) for (told,) in connection.execute("SELECT told FROM sessions ORDER BY number")]
            hosts = {name: json.loads(told) for name, told in connection.execute("SELECT name, told FROM hosts")}
            shas = [sha for (sha,) in connection.execute("SELECT sha FROM instances ORDER BY number")]
            (runs,) = connection.execute("SELECT count(*) FROM runs WHERE plan = ?", [self.digest]).fetchone()
        return {
            "schema": SCHEMA,
            "plan": self.settings,
            "digest": self.digest,
            "planned": len(shas)
            * len(self.settings["backends"])
            * len(self.settings["seeds"])
            * self.settings["repeats"],
            "done": runs,
            "sessions": sessions,
            "hosts": hosts,
            "instances": shas,
        }

    # writing: by one process at a time

    def start(self, session: dict[str, Any]) -> None:
        """Begin to add rows; JournalError when another process does so at this time."""
        self._writer = _Writer(self.path, self.digest, session)

    def add(self, row: Row) -> None:
        """Write a row; it is durable soon, and then announced."""
        assert self._writer
        self._writer.inbox.put(row)

    def host(self, name: str, told: dict[str, Any]) -> None:
        """Write down a machine that rows come from."""
        assert self._writer
        self._writer.inbox.put((name, told))

    def announced(self) -> Iterator[Row]:
        """Yield the rows that became durable since the last call."""
        assert self._writer
        yield from self._writer.taken()

    def finish(self) -> list[Row]:
        """Make everything durable and stop writing; return the rows not announced yet."""
        writer, self._writer = self._writer, None
        return writer.finish() if writer else []


class _Writer:
    """A thread that commits in groups."""

    def __init__(self, path: Path, digest: str, session: dict[str, Any]) -> None:
        self.path, self.digest = path, digest
        self.lock = _locked(path.with_name("lock"))
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.durable: deque[Row] = deque()
        self.error: Exception | None = None
        self.ending = False
        with closing(self._connect()) as connection:
            connection.execute("INSERT INTO sessions (told) VALUES (?)", [json.dumps(session)])
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
        """Wait until the group is due, and return what came in the meantime."""
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
                values = (self.digest, *entry.key, entry.position, entry.json())
                if connection.execute(_INSERT, values).rowcount == 1:
                    added.append(entry)
            else:
                connection.execute("INSERT OR REPLACE INTO hosts VALUES (?, ?)", [entry[0], json.dumps(entry[1])])
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


def _locked(path: Path) -> TextIO:
    """Take the lock of a journal; it is free again when this process ends, however it does."""
    import fcntl

    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise JournalError(f"{path.parent}: another process is running this comparison") from None
    return file
