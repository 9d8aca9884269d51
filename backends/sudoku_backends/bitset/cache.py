"""Compiled code kept on disk: one file for each version of the sources, width, processor, Python and numba.

The folders are those of `sudoku_models.engine.kept_code`.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import serialize
from numba.core.compiler import CompileResult

from sudoku_models.engine.kept_code import alone, folders, is_ours, lock_of, write

LOG = logging.getLogger("sudoku_models.bitset")


def source_digest() -> str:
    """Return the digest of the sources beside this file."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class CodeCache:
    """Replaces numba's own cache in a dispatcher, for a function of one signature."""

    def __init__(self, name: str) -> None:
        """Keep the code under a name, which must distinguish everything that the sources do not."""
        self.name = name
        self.compiling_since: float | None = None

    def _file(self, target: Any) -> str:
        parts = (source_digest(), sys.version, numba.__version__, llvmlite.__version__, *target.codegen().magic_tuple())
        return f"{self.name}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}.code"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled code, or None if it must be compiled."""
        target.refresh()
        for file in self._files(target):
            found = self._load(file, target)
            if found is not None:
                return found
        LOG.warning("compiling the bulk solver (%s); this takes some seconds, once", self.name)
        self.compiling_since = time.perf_counter()
        return None

    def compile(self, dispatcher: Any, signature: tuple[Any, ...]) -> None:
        """Load a dispatcher's code, or compile it; if several processes need it at the same time, one compiles."""
        dispatcher._cache = self
        kept = any(self._files(dispatcher.targetctx))
        with alone(None if kept else lock_of(self.name)):
            dispatcher.compile(signature)

    def _files(self, target: Any) -> Iterator[Path]:
        name = self._file(target)
        return (folder / name for folder in folders() if is_ours(folder) and (folder / name).exists())

    def _load(self, path: Path, target: Any) -> Any:
        try:
            rebuild: Callable[..., Any] = CompileResult._rebuild
            return rebuild(target, *pickle.loads(path.read_bytes()))
        except Exception as error:  # whatever is wrong with a cached file, compiling cures it
            LOG.debug("%s cannot be loaded (%s)", path, error)
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep compiled code in the first folder that is writable."""
        if self.compiling_since is not None:
            LOG.info("compiled in %.1f s", time.perf_counter() - self.compiling_since)
        dumps: Callable[[Any], bytes] = serialize.dumps
        code = dumps(result._reduce())
        name = self._file(result.target_context)
        if not any(write(folder, name, code) for folder in folders()):
            LOG.info("no folder for compiled code is writable; every process compiles it anew")

    def enable(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""

    def disable(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""

    def flush(self) -> None:
        """Nothing to do: part of numba's interface of a cache."""
