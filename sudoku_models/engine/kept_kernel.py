"""Functions that numba compiles when they are first called, with their machine code kept on disk (extra ``fast``)."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

LOG = logging.getLogger("sudoku_models.kept_kernel")
F = TypeVar("F", bound=Callable[..., Any])


def kept_kernel(function: F, **options: Any) -> F:
    """Return the function compiled by numba with its options; ImportError or another error if numba cannot be imported.

    The code is kept beside the source or in numba's own folder; if neither is writable, each process compiles anew. If
    several processes need it at the same time, one compiles it and the others load the result.
    """
    from numba import njit

    try:
        kernel = njit(cache=True, **options)(function)
    except RuntimeError:  # no folder is writable
        return njit(**options)(function)  # type: ignore[no-any-return]
    _let_damage_be_compiled_anew(kernel)
    _let_one_compile(kernel)
    return kernel  # type: ignore[no-any-return]


def _let_damage_be_compiled_anew(kernel: Any) -> None:
    """Make numba discard code on disk that cannot be read, instead of raising.

    A file may be cut off, or refer to a class from an earlier version of this package.
    """
    cache = kernel._cache
    load = cache.load_overload

    def load_or_forget(signature: Any, target: Any) -> Any:
        """Return the kept code; None if there is none or it is unreadable, in which case it is deleted."""
        try:
            return load(signature, target)
        except Exception as error:  # whatever is wrong with a kept file, compiling again repairs it
            LOG.debug("the kept code of %s cannot be loaded (%s)", _name(kernel), error)
            cache.flush()
            return None

    cache.load_overload = load_or_forget


def _let_one_compile(kernel: Any) -> None:
    """Before it compiles code that is not on disk, make numba wait for another process that is compiling it."""
    from numba.core.compiler_lock import global_compiler_lock

    compile_or_load = kernel.compile

    def compile_alone(signature: Any) -> Any:
        if is_kept(kernel):
            return compile_or_load(signature)
        lock = Path(kernel.stats.cache_path) / f"{_name(kernel)}.lock"
        with global_compiler_lock, alone(lock):  # in this order: kernels call each other, and threads share the process
            return compile_or_load(signature)

    kernel.compile = compile_alone


def is_kept(kernel: Any) -> bool:
    """Return whether a kernel's code is on disk and newer than its source."""
    if kernel.stats.cache_path is None:
        return False
    written = Path(kernel.py_func.__code__.co_filename).stat().st_mtime
    found = Path(kernel.stats.cache_path).glob(f"{_name(kernel)}-*.nbi")
    return any(file.stat().st_mtime >= written for file in found)


def _name(kernel: Any) -> str:
    """Return the start of the names of the files in which numba keeps the code of a kernel."""
    return f"{Path(kernel.py_func.__code__.co_filename).stem}.{kernel.py_func.__qualname__}"


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
