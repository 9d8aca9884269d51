"""A library of kernels as machine code: compiled once for this processor, kept on disk, loaded and called."""

from __future__ import annotations

import ctypes
import hashlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from ..kept_code import alone, folders, is_ours, lock_of, write
from .language import Kernels

LOG = logging.getLogger("sudoku_models.machine_code")
HERE = Path(__file__).parent


class LoadedKernels:
    """Compiled kernels as attributes that can be called with addresses and integers.

    Other threads run during a call. For an array parameter, a kernel takes the address of the first item.
    """

    def __init__(self, code: bytes, entries: Mapping[str, str]) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._entries = {name: self._entry(name, parameters) for name, parameters in entries.items()}

    def _entry(self, name: str, parameters: str) -> Callable[..., int]:
        types = [ctypes.c_void_p if letter == "m" else ctypes.c_int64 for letter in parameters]
        found: Any = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(self._engine.get_function_address(name))
        found.engine = self._engine  # the code is freed with the engine: a second thread may have loaded it as well
        return found  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Callable[..., int]:
        """Return a kernel by its name."""
        if name.startswith("_") or name not in self._entries:
            raise AttributeError(name)
        return self._entries[name]


@dataclass(frozen=True)
class Library:
    """Kernels that are compiled together; ``entries`` has the parameters of each kernel that is called from outside.

    There m means memory and i an integer. ``sources`` are the files that the code depends on; ``kernels`` imports and
    returns the kernels, which is not needed if the code is on disk.
    """

    name: str
    entries: Mapping[str, str]
    sources: Sequence[Path]
    kernels: Callable[[], Kernels]

    @cached_property
    def file(self) -> str:
        """The name of the file that holds the code; it differs for other code, entries and processors."""
        digest = hashlib.sha256()
        for path in (*self.sources, *(HERE / name for name in ("compiler.py", "language.py", "library.py"))):
            digest.update(path.read_bytes())
        cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        machine = llvmlite.__version__, llvm.get_process_triple(), cpu, features
        digest.update(repr((machine, sorted(self.entries.items()))).encode())
        return f"{self.name}-{digest.hexdigest()[:32]}.code"

    @property
    def is_kept(self) -> bool:
        """Return whether the code is on disk, so that loading it takes milliseconds."""
        return any(is_ours(folder) and (folder / self.file).is_file() for folder in folders())

    def load(self) -> LoadedKernels:
        """Return the compiled kernels, loaded from disk if they are there."""
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        code = self._kept()
        if code is None:
            with alone(lock_of(self.name)):
                code = self._kept() or self._made()
        return LoadedKernels(code, self.entries)

    def _kept(self) -> bytes | None:
        return next((code for folder in folders() if (code := _read(folder, self.file)) is not None), None)

    def _made(self) -> bytes:
        """Compile the kernels, and keep the code if a folder is writable."""
        started = time.perf_counter()
        code = self._compiled()
        LOG.info("compiled the kernels of %s in %.1f s", self.name, time.perf_counter() - started)
        if not any(write(folder, self.file, hashlib.sha256(code).digest() + code) for folder in folders()):
            LOG.info("no folder for compiled code is writable; every process compiles it anew")
        return code

    def _compiled(self) -> bytes:
        """Compile all kernels to an object file in memory."""
        from .compiler import module_of

        made = module_of(self.kernels(), self.entries)
        made.triple = llvm.get_process_triple()
        parsed = llvm.parse_assembly(str(made))
        parsed.verify()
        target = _target()
        builder = llvm.create_pass_builder(target, llvm.PipelineTuningOptions(speed_level=2))
        builder.getModulePassManager().run(parsed, builder)
        code: bytes = target.emit_object(parsed)
        return code


def _read(folder: Path, name: str) -> bytes | None:
    """Read kept code, if the file is complete and nobody else could have written it."""
    try:
        if not is_ours(folder):
            return None
        kept = (folder / name).read_bytes()
    except OSError:
        return None
    return kept[32:] if hashlib.sha256(kept[32:]).digest() == kept[:32] else None


def _target() -> Any:
    target = llvm.Target.from_triple(llvm.get_process_triple())
    features = llvm.get_host_cpu_features().flatten()
    options = {"cpu": llvm.get_host_cpu_name(), "features": features, "opt": 3, "jit": True, "codemodel": "jitdefault"}
    return target.create_target_machine(**options)
