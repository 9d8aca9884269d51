"""Functions that numba compiles when they are first called, their machine code kept on disk (extra ``fast``)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .kept_code import alone

LOG = logging.getLogger("sudoku_models.kept_kernel")
F = TypeVar("F", bound=Callable[..., Any])


def kept_kernel(function: F, **options: Any) -> F:
    """Return the function compiled by numba with its options; ImportError, and others, where numba cannot be imported.

    The code is kept beside the source or in numba's own folder; where neither takes it each process compiles anew. Of
    processes that need it at the same time one compiles, and the others load what that one has kept.
    """
    from numba import njit

    try:
        kernel = njit(cache=True, **options)(function)
    except RuntimeError:  # no folder takes the compiled code
        return njit(**options)(function)  # type: ignore[no-any-return]
    _let_damage_be_compiled_anew(kernel)
    _let_one_compile(kernel)
    return kernel  # type: ignore[no-any-return]


def _let_damage_be_compiled_anew(kernel: Any) -> None:
    """Have numba forget code on disk that cannot be read, instead of raising.

    A file may be cut off, or name a class that an earlier version of this package had.
    """
    cache = kernel._cache
    load = cache.load_overload

    def load_or_forget(signature: Any, target: Any) -> Any:
        """Return the kept code, None when there is none or it cannot be read; then nothing is kept any more."""
        try:
            return load(signature, target)
        except Exception as error:  # whatever is wrong with a kept file, compiling cures it
            LOG.debug("the kept code of %s cannot be loaded (%s)", _name(kernel), error)
            cache.flush()
            return None

    cache.load_overload = load_or_forget


def _let_one_compile(kernel: Any) -> None:
    """Have numba wait, before it compiles what lies nowhere on disk, for another process that does."""
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
    """Tell whether code of a kernel lies on disk, kept after its source was last written."""
    if kernel.stats.cache_path is None:
        return False
    written = Path(kernel.py_func.__code__.co_filename).stat().st_mtime
    found = Path(kernel.stats.cache_path).glob(f"{_name(kernel)}-*.nbi")
    return any(file.stat().st_mtime >= written for file in found)


def _name(kernel: Any) -> str:
    """Return how the files begin in which numba keeps the code of a kernel."""
    return f"{Path(kernel.py_func.__code__.co_filename).stem}.{kernel.py_func.__qualname__}"
