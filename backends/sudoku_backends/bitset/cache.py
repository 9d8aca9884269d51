"""Compiled code kept on disk: one file for each version of the sources, width, processor, Python and numba.

A file is written under a name of its own and then renamed, so that processes that start at once may all write it and
none reads half of one. Where no folder can be written the code is compiled anew by each process, and nothing fails.
Loading it is unpickling, hence a folder that another user could have written is not used.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import serialize
from numba.core.compiler import CompileResult

LOG = logging.getLogger("sudoku_models.bitset")
FOLDER = "SUDOKU_MODELS_CACHE"  # environment variable: the folder to use, and no other


def folders() -> Iterator[Path]:
    """Yield the folders in which code may be kept, the best first."""
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
    """Tell whether the folder exists and nobody but this user (or root) can write to it."""
    try:
        status = folder.stat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (0, os.getuid()) and not status.st_mode & 0o022


def source_digest() -> str:
    """Return the digest of the sources beside this file."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class CodeCache:
    """Takes the place of numba's own cache in a dispatcher, for a function of one signature."""

    def __init__(self, name: str) -> None:
        """Keep the code under a name, which must tell apart all that the sources do not."""
        self.name = name
        self.compiling_since: float | None = None

    def _file(self, target: Any) -> str:
        parts = (source_digest(), sys.version, numba.__version__, llvmlite.__version__, *target.codegen().magic_tuple())
        return f"{self.name}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}.code"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled code, or None when it must be compiled."""
        target.refresh()
        name = self._file(target)
        for folder in folders():
            if is_ours(folder) and (folder / name).exists():
                found = self._load(folder / name, target)
                if found is not None:
                    return found
        LOG.warning("compiling the bulk solver (%s); this takes some seconds, once", self.name)
        self.compiling_since = time.perf_counter()
        return None

    def _load(self, path: Path, target: Any) -> Any:
        try:
            rebuild: Callable[..., Any] = CompileResult._rebuild
            return rebuild(target, *pickle.loads(path.read_bytes()))
        except Exception as error:  # whatever is wrong with a cached file, compiling cures it
            LOG.debug("%s cannot be loaded (%s)", path, error)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep compiled code in the first folder that takes it."""
        if self.compiling_since is not None:
            LOG.info("compiled in %.1f s", time.perf_counter() - self.compiling_since)
        dumps: Callable[[Any], bytes] = serialize.dumps
        code = dumps(result._reduce())
        name = self._file(result.target_context)
        if not any(_write(folder, name, code) for folder in folders()):
            LOG.info("no folder takes the compiled code; every process compiles it anew")

    def enable(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""

    def disable(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""

    def flush(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""


def _write(folder: Path, name: str, code: bytes) -> bool:
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
        LOG.debug("%s takes no compiled code (%s)", folder, error)
        return False
    return True
