"""The kernel as machine code: compiled once for this processor, kept on disk, loaded and called."""

from __future__ import annotations

import ctypes
import hashlib
import logging
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from sudoku_models.engine.kept_code import folders, is_ours, write

from .language import KERNELS

LOG = logging.getLogger("sudoku_models.native")
ENTRIES = ("search", "count_many", "list_peers", "list_watches")
HERE = Path(__file__).parent


class Machine:
    """The kernels that are called from outside, as functions of addresses and whole numbers.

    Calls let other threads run. Where a kernel has an array it takes the address of its first item.
    """

    def __init__(self, code: bytes) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.search = self._entry("search", "mmmiimii")
        self.count_many = self._entry("count_many", "mmmmmiiiimm")
        self.list_peers = self._entry("list_peers", "miimm")
        self.list_watches = self._entry("list_watches", "mmiimm")

    def _entry(self, name: str, parameters: str) -> Callable[..., int]:
        """Return a kernel; ``parameters`` has m for memory, i for a number."""
        types = [ctypes.c_void_p if letter == "m" else ctypes.c_int64 for letter in parameters]
        found: Any = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self._engine.get_function_address(name))
        return found  # type: ignore[no-any-return]


@lru_cache(maxsize=1)
def machine() -> Machine:
    """Return the compiled kernel, from disk where it lies there."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    name = f"native-{_digest()[:32]}.code"
    found = next((code for folder in folders() if (code := _read(folder, name)) is not None), None)
    if found is not None:
        return Machine(found)
    started = time.perf_counter()
    code = _compiled()
    LOG.info("compiled the native kernel in %.1f s", time.perf_counter() - started)
    if not any(write(folder, name, hashlib.sha256(code).digest() + code) for folder in folders()):
        LOG.info("no folder takes the compiled code; every process compiles it anew")
    return Machine(code)


def _read(folder: Path, name: str) -> bytes | None:
    """Return code that was kept, when the file is whole and nobody else could have written it."""
    try:
        if not is_ours(folder):
            return None
        kept = (folder / name).read_bytes()
    except OSError:
        return None
    return kept[32:] if hashlib.sha256(kept[32:]).digest() == kept[:32] else None


def _digest() -> str:
    """Return what tells this kernel on this processor from others."""
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*.py")):
        if path.parent.name == "kernel" or path.name in ("compiler.py", "language.py", "machine.py"):
            digest.update(path.read_bytes())
    features = llvm.get_host_cpu_features().flatten()
    digest.update(repr((llvmlite.__version__, llvm.get_process_triple(), llvm.get_host_cpu_name(), features)).encode())
    return digest.hexdigest()


def _target() -> Any:
    target = llvm.Target.from_triple(llvm.get_process_triple())
    features = llvm.get_host_cpu_features().flatten()
    options = {"cpu": llvm.get_host_cpu_name(), "features": features, "opt": 3, "jit": True, "codemodel": "jitdefault"}
    return target.create_target_machine(**options)


def _compiled() -> bytes:
    """Compile all kernels to an object file in memory."""
    from . import kernel  # noqa: F401  # the kernels enter KERNELS
    from .compiler import module_of

    made = module_of(KERNELS, ENTRIES)
    made.triple = llvm.get_process_triple()
    parsed = llvm.parse_assembly(str(made))
    parsed.verify()
    target = _target()
    tuning = llvm.PipelineTuningOptions(speed_level=2)
    builder = llvm.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(parsed, builder)
    code: bytes = target.emit_object(parsed)
    return code
