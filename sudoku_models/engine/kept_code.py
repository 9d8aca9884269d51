"""Keep compiled code on disk, in folders to which nobody else can write and in files that are complete.

A file is written under a temporary name and then renamed, so several processes that start together may all write it and
none reads an incomplete file. If no folder is writable, each process compiles the code anew and nothing fails. Loading
compiled code means running it, so a folder to which another user could write is not used. If several processes need the
same code at the same time, one compiles it and the others wait for the file (``alone``).
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOG = logging.getLogger("sudoku_models.kept_code")
FOLDER = "SUDOKU_MODELS_CACHE"  # environment variable: the only folder to use


def folders() -> Iterator[Path]:
    """Yield the folders in which code may be kept, the best one first."""
    if os.environ.get(FOLDER):
        yield Path(os.environ[FOLDER])
        return
    if os.environ.get("XDG_CACHE_HOME"):
        yield Path(os.environ["XDG_CACHE_HOME"]) / "sudoku-models"
    elif sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        yield Path(os.environ["LOCALAPPDATA"]) / "sudoku-models"
    elif Path.home() != Path("/"):
        yield Path.home() / ".cache" / "sudoku-models"
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    yield Path(tempfile.gettempdir()) / f"sudoku-models-{user}"


def is_ours(folder: Path) -> bool:
    """Return whether the folder exists and only this user (or root) can write to it."""
    try:
        status = folder.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022


def write(folder: Path, name: str, code: bytes) -> bool:
    """Write a file into a folder; return whether that succeeded."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder):
            return False
        handle, temporary = tempfile.mkstemp(prefix=name, dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(code)
            Path(temporary).replace(folder / name)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        LOG.debug("compiled code cannot be kept in %s (%s)", folder, error)
        return False
    return True


@contextmanager
def alone(lock: Path | None) -> Iterator[None]:
    """Hold a lock, an empty file, among all processes, so that only one of them compiles the same code.

    The lock ends with the process at the latest. Without a file, or on a system without such locks, there is no
    waiting.
    """
    opened: int | None = None
    with suppress(ImportError, OSError):
        from fcntl import LOCK_EX, flock

        if lock is not None:
            opened = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            flock(opened, LOCK_EX)
    try:
        yield
    finally:
        if opened is not None:
            os.close(opened)


def lock_of(name: str) -> Path | None:
    """Return the path of a lock in the first folder that is writable."""
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_ours(folder) and os.access(folder, os.W_OK):
                return folder / f"{name}.lock"
    return None
