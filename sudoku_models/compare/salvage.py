"""Salvage a damaged journal: find everything intact, wherever it is in the file, for a new journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .run_rows import SCHEMA as ROW
from .run_rows import Row
from .sealed import found_in, opened, schema_of
from .stored import INSTANCE

SCHEMA = "sudoku-models/journal/2"
SESSION = "sudoku-models/session/1"
HOST = "sudoku-models/host/1"


@dataclass(frozen=True)
class Salvaged:
    """The intact contents of a journal's files: the plan's text (None: lost), and texts by type."""

    plan: str | None
    instances: tuple[str, ...]
    sessions: tuple[str, ...]
    hosts: tuple[str, ...]
    rows: tuple[str, ...]


def fault_of(path: Path) -> str | None:
    """Return what is damaged in a journal, None if it is intact."""
    try:
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only = ON")
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return _faulty_text(connection) if verdict == "ok" else str(verdict)
    except (sqlite3.DatabaseError, sqlite3.ProgrammingError, OverflowError, UnicodeDecodeError) as error:
        return str(error)


def _faulty_text(connection: sqlite3.Connection) -> str | None:
    """Check every text of every table; a run must also have its own key."""
    for table in ("meta", "sessions", "hosts", "instances"):
        for (sealed_text,) in connection.execute(f"SELECT told FROM {table}"):
            if opened(sealed_text) is None:
                return f"an entry of {table} differs from what was written"
    query = "SELECT sha, backend, seed, repeat, position, told FROM runs"
    for *key, sealed_text in connection.execute(query):
        text = opened(sealed_text)
        if text is None or [*(row := Row.parse(text)).key, row.position] != key:
            return "a run differs from what was written"
    return None


def salvaged(path: Path) -> Salvaged:
    """Find everything intact in a journal's file and in the files that sqlite keeps beside it."""
    kinds: dict[str, dict[str, None]] = {kind: {} for kind in (SCHEMA, INSTANCE, SESSION, HOST, ROW)}
    for text in (*_lying_in(path), *_lying_in(path.with_name(path.name + "-wal")), *_by_tables(path)):
        kinds.get(schema_of(text), {})[text] = None
    plans = [*kinds[SCHEMA], *(json.loads(text)["journal"] for text in kinds[SESSION])]
    parts = (tuple(kinds[kind]) for kind in (INSTANCE, SESSION, HOST, ROW))
    return Salvaged(next(iter(plans), None), *parts)


def _lying_in(file: Path) -> Iterator[str]:
    with suppress(OSError):
        yield from found_in(file.read_bytes())


def _by_tables(path: Path) -> Iterator[str]:
    """Yield the texts still readable through tables: texts longer than a page are in pieces in the file."""
    for table in ("meta", "sessions", "hosts", "instances", "runs"):
        with suppress(sqlite3.Error, OverflowError), closing(sqlite3.connect(path, timeout=30)) as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            for (sealed_text,) in connection.execute(f"SELECT told FROM {table}"):
                if (text := opened(sealed_text)) is not None:
                    yield text


def plain(text: str) -> dict[str, Any]:
    """Return the data of an opened text, without its schema."""
    fields: dict[str, Any] = json.loads(text)
    return {name: value for name, value in fields.items() if name != "schema"}
