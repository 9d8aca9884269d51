"""A library of kernels as machine code: compiled once for this processor, kept on disk, loaded without the compiler.

Only compiling needs llvmlite. Kept code is an object file: on Linux with x86-64 ``Code`` puts it into memory, resolves
its references and asks the system to make it executable; elsewhere llvmlite does that. A system that forbids it (W^X:
systemd's MemoryDenyWriteExecute, SELinux) is noticed before anything is loaded.

Loading code means running it. So the folder is opened once, without following a link; that it and the file belong to
this user (or root) and that nobody else can write to them is asked of what was opened, not of a name; and nothing is
read that is not an object file with the right digest. Without a folder of its own, each process compiles anew.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import re
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any

from ...dataclass import dataclass

HERE = Path(__file__).parent
FOLDER = "SUDOKU_MODELS_CACHE"  # environment variable: the folder for compiled code
PROCESSOR = "SUDOKU_MODELS_PROCESSOR"  # environment variable: LLVM's name of a processor to compile for
LANES = (4, 8, 16)
"""The widths of vectors, in lanes of 32 bits, for which there are instructions."""

_loading = RLock()


def _log() -> Any:
    import logging  # only where there is something to say

    return logging.getLogger("sudoku_models.machine_code")


class NoMachineCode(Exception):
    """There can be no machine code here: llvmlite is missing, or the system forbids it; the message says which."""


@cache
def forbidden() -> str:
    """Return why this process may not make memory executable; empty where it may."""
    if not hasattr(mmap, "PROT_EXEC"):
        return ""
    try:
        _make_executable(_memory(mmap.PAGESIZE))
    except NoMachineCode as error:
        return str(error)
    return ""


def possible() -> bool:
    """Return whether kernels can be compiled here: memory may be made executable, and llvmlite is installed."""
    return not forbidden() and find_spec("llvmlite") is not None


def _memory(size: int) -> mmap.mmap:
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE)


def _make_executable(memory: mmap.mmap) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address(memory)), ctypes.c_size_t(len(memory)), mmap.PROT_READ | mmap.PROT_EXEC):
        raise NoMachineCode(f"this system does not let memory be made executable ({os.strerror(ctypes.get_errno())})")


def address(buffer: Any) -> int:
    """Return the address of a writable buffer, 0 if it is empty. The buffer must outlive every use of it."""
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer)) if memoryview(buffer).nbytes else 0


# ---------------------------------------------------------------- the processor


@dataclass(frozen=True)
class Width:
    """How many 32-bit lanes a vector has."""

    lanes: int

    @property
    def bytes(self) -> int:
        """The bytes of a vector, to which its memory is aligned."""
        return 4 * self.lanes


@cache
def machine(lanes: int | None = None) -> Width:
    """Return the width of this machine's registers (16, 8 or 4 lanes), or the one asked for on this machine.

    ValueError for any other width, for which there are no instructions.
    """
    if lanes not in (None, *LANES):
        raise ValueError(f"{lanes} lanes: {', '.join(map(str, LANES))} or None (as wide as the machine's) are expected")
    has = _features()
    return Width(lanes or (16 if "avx512vl" in has else 8 if "avx2" in has else 4))


_TELLING = re.compile(rb"(?i)vendor|cpu (family|implementer|part|variant)|model|stepping|flags|features")
"""How the lines begin by which a system tells one kind of processor from another."""


@cache
def _processor() -> bytes:
    """Return what code depends on: how the system describes the first processor, or how Python describes it."""
    with suppress(OSError), open("/proc/cpuinfo", "rb") as file:  # noqa: PTH123
        lines = file.read(8192).split(b"\n\n")[0].splitlines()
        return b"\n".join([os.uname().machine.encode(), *(x for x in lines if _TELLING.match(x))])
    import platform

    return f"{platform.machine()} {platform.processor()}".encode()


def _features() -> frozenset[str]:
    """Return the names of the instruction sets of the processor that code is compiled for."""
    levels = {"x86-64-v3": {"avx2"}, "x86-64-v4": {"avx2", "avx512vl"}}
    if chosen := os.environ.get(PROCESSOR):
        return frozenset(levels.get(chosen, ()))
    kind, *lines = _processor().decode(errors="replace").splitlines()
    if kind == "x86_64":  # an emulator of another processor may show the flags of the one below it
        for line in lines:
            if line.startswith("flags"):
                return frozenset(line.split())
    from llvmlite import binding

    return frozenset(name for name, has in binding.get_host_cpu_features().items() if has)


# ---------------------------------------------------------------- kept code


def folder() -> Path | None:
    """Return the folder in which code is kept; None if this user has no folder."""
    if chosen := os.environ.get(FOLDER):
        return Path(chosen)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA") if sys.platform == "win32" else ("XDG_CACHE_HOME",):
        if chosen := os.environ.get(name):
            return Path(chosen) / "sudoku-models"
    with suppress(RuntimeError):
        home = Path.home()
        return home / ".cache" / "sudoku-models" if home.is_absolute() and home != Path("/") else None
    return None


class Kept:
    """The folder of compiled code while it is open: neither it nor a file in it can be exchanged after it was examined.

    If there is no folder, or others can write to it, nothing is found in it and nothing is written.
    """

    def __init__(self) -> None:
        self._folder = folder()
        self._fd: int | None = None
        try:
            if self._folder is not None:
                self._open(self._folder)
        except OSError as error:
            _log().debug("compiled code is not kept in %s (%s)", self._folder, error)
            self._folder = None

    def _open(self, place: Path) -> None:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.open not in os.supports_dir_fd:  # Windows: the folder is in the user's own
            return
        fd = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        if not _is_ours(fd, stat.S_ISDIR):
            os.close(fd)
            raise OSError("it belongs to another user, or others can write to it")
        self._fd = fd

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd is not None:
            os.close(self._fd)

    def _file(self, name: str, flags: int) -> int:
        """Open a file of the folder, and nothing but a file: neither a link nor a pipe, which would hang."""
        if self._fd is None:
            assert self._folder is not None
            return os.open(self._folder / name, flags | getattr(os, "O_BINARY", 0), 0o600)
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(name, flags, 0o600, dir_fd=self._fd)

    def read(self, name: str) -> bytes | None:
        """Return a file's code; None if it is missing, not ours or incomplete."""
        if self._folder is None:
            return None
        try:
            with os.fdopen(self._file(name, os.O_RDONLY), "rb") as file:
                kept = file.read() if self._fd is None or _is_ours(file.fileno(), stat.S_ISREG) else b""
        except OSError:
            return None
        return kept[32:] if kept and hashlib.sha256(kept[32:]).digest() == kept[:32] else None

    def write(self, name: str, code: bytes) -> bool:
        """Write a file: it appears complete or not at all. Return whether that succeeded."""
        if self._folder is None:
            return False
        temporary = f"{name}.{os.getpid()}.{os.urandom(4).hex()}"
        before = "" if self._fd is not None else f"{self._folder}{os.sep}"
        try:
            with os.fdopen(self._file(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(before + temporary, before + name, src_dir_fd=self._fd, dst_dir_fd=self._fd)
        except OSError as error:
            _log().debug("compiled code cannot be kept in %s (%s)", self._folder, error)
            with suppress(OSError):
                os.unlink(before + temporary, dir_fd=self._fd)
            return False
        return True

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Hold a lock, an empty file, among all processes, so that only one of them compiles the same code.

        It ends with the process at the latest. Without a folder or such locks, there is no waiting.
        """
        opened: int | None = None
        with suppress(ImportError, OSError):
            from fcntl import LOCK_EX, flock

            if self._folder is not None:
                opened = self._file(f"{name}.lock", os.O_RDWR | os.O_CREAT)
                flock(opened, LOCK_EX)
        try:
            yield
        finally:
            if opened is not None:
                os.close(opened)


def _is_ours(fd: int, right: Callable[[int], bool]) -> bool:
    """Return whether what was opened is of the right kind and only this user (or root) can write to it."""
    found = os.fstat(fd)
    return right(found.st_mode) and found.st_uid in (0, os.getuid()) and not found.st_mode & 0o022


# ---------------------------------------------------------------- loaded code

ALLOCATED, WRITABLE = 2, 1  # flags of sections
NOBITS, RELOCATIONS, SYMBOLS = 8, 4, 2  # types of sections
FROM_LIBC = ("memset", "memcpy", "memmove", "memcmp")
"""Functions of the C library that LLVM makes of loops."""


class Code:
    """An object file of x86-64 in executable memory; ``entries`` are the addresses of its functions by name.

    The fields are those of the System V ABI: sections with names, kinds, flags and places, symbols with a section and a
    place in it, and relocations, which say where the address of a symbol is to be written.
    """

    def __init__(self, elf: bytes) -> None:
        if elf[:6] != b"\x7fELF\x02\x01" or elf[18:20] != b"\x3e\0":
            raise NoMachineCode("kept code is not an object file of x86-64")
        (start,), (size, n) = struct.unpack_from("<Q", elf, 40), struct.unpack_from("<HH", elf, 58)
        self._elf, self._sections = elf, [struct.unpack_from("<IIQQQQIIQQ", elf, start + i * size) for i in range(n)]
        self._places, end = self._laid_out()
        self._jumps, self._next_jump = dict[str, int](), -(-end // 16) * 16
        self.memory = _memory(end + mmap.PAGESIZE)
        self._base = address(self.memory)
        for i, to in self._places.items():
            offset, length = self._sections[i][4:6]
            self.memory[to : to + length] = elf[offset : offset + length]
        self._symbols = list(self._read_symbols())
        for s in self._sections:
            if s[1] == RELOCATIONS and s[7] in self._places:
                for offset, info, add in struct.iter_unpack("<QQq", elf[s[4] : s[4] + s[5]]):
                    self._resolve(self._places[s[7]] + offset, info >> 32, info & 0xFFFFFFFF, add)
        _make_executable(self.memory)
        self.entries = {name: self._base + at for name, at in self._symbols if name and at is not None}

    def _laid_out(self) -> tuple[dict[int, int], int]:
        """Return the place of each section that is needed, one after the other, and where the last one ends."""
        places, end = dict[int, int](), 0
        for i, (_, kind, flags, _, _, length, _, _, align, _) in enumerate(self._sections):
            if flags & ALLOCATED and flags & WRITABLE and length:
                raise NoMachineCode("kernels have no variables of their own")
            if flags & ALLOCATED and kind != NOBITS:
                places[i] = -(-end // max(align, 1)) * max(align, 1)
                end = places[i] + length
        return places, end

    def _read_symbols(self) -> Iterator[tuple[str, int | None]]:
        """Yield the name of each symbol and its place; None if it is not in this file."""
        elf = self._elf
        for s in self._sections:
            if s[1] == SYMBOLS:
                names = self._sections[s[6]][4]
                for name, _, _, section, value, _ in struct.iter_unpack("<IBBHQQ", elf[s[4] : s[4] + s[5]]):
                    text = elf[names + name : elf.index(b"\0", names + name)].decode()
                    yield text, self._places[section] + value if section in self._places else None

    def _resolve(self, at: int, symbol: int, kind: int, add: int) -> None:
        """Write a reference: R_X86_64_64, or one that is relative to its own place (PC32, PLT32)."""
        name, target = self._symbols[symbol]
        target = self._jump(name) if target is None else target
        if kind == 1:
            struct.pack_into("<Q", self.memory, at, self._base + target + add)
        elif kind in (2, 4):
            struct.pack_into("<i", self.memory, at, target + add - at)
        else:
            raise NoMachineCode(f"kept code has a relocation of type {kind}")

    def _jump(self, name: str) -> int:
        """Return the place of a jump to a function of the C library."""
        if name not in FROM_LIBC:
            raise NoMachineCode(f"kept code calls {name}")
        if name not in self._jumps:
            there = ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value
            at = self._jumps[name] = self._next_jump
            self.memory[at : at + 14] = b"\xff\x25\0\0\0\0" + struct.pack("<Q", there)  # jmp [rip + 0]
            self._next_jump += 16
        return self._jumps[name]


class CodeByLlvm:
    """An object file that llvmlite loads, for systems that ``Code`` does not know."""

    def __init__(self, code: bytes, names: Iterator[str]) -> None:
        llvm = _llvm()
        target = _target(llvm)
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self.entries = {name: self._engine.get_function_address(name) for name in names}


def is_native_elf() -> bool:
    """Return whether ``Code`` can load code here."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 1 << 32


class LoadedKernels:
    """The entries of a library as attributes: functions of integers and addresses.

    In machine code other threads run during a call.
    """

    def __init__(self, entries: Mapping[str, Callable[..., int]]) -> None:
        self.__dict__.update(entries)

    def __getattr__(self, name: str) -> Callable[..., int]:
        raise AttributeError(name)


def _entry(code: Code | CodeByLlvm, name: str, parameters: str) -> Callable[..., int]:
    types = [ctypes.c_void_p if letter == "m" else ctypes.c_int64 for letter in parameters]
    found: Any = ctypes.CFUNCTYPE(ctypes.c_int64, *types)(code.entries[name])
    found.code = code  # the memory lives as long as the function
    return found  # type: ignore[no-any-return]


# ---------------------------------------------------------------- libraries


class Library:
    """Kernels that are compiled together; ``entries`` has the parameters of each kernel that is called from outside.

    There m means memory and i an integer. ``sources`` are the files that the code depends on. ``kernels`` imports and
    returns the kernels, and ``settings`` the compiler's settings, if they are not the usual ones; they are called only
    to compile, or to run the kernels as plain Python.
    """

    def __init__(
        self,
        name: str,
        entries: Mapping[str, str],
        sources: Sequence[Path],
        kernels: Callable[[], Mapping[str, Callable[..., Any]]],
        settings: Callable[[], Any] | None = None,
    ) -> None:
        self.name, self.entries, self.sources = name, entries, sources
        self.kernels, self.settings = kernels, settings
        self._loaded: LoadedKernels | None = None

    @cached_property
    def file(self) -> str:
        """The name of the file that holds the code; it differs for other code, entries, compilers and processors."""
        digest = hashlib.sha256(_processor())
        for path in (*self.sources, *(HERE / f"{name}.py" for name in ("compiler", "language", "library", "vectors"))):
            digest.update(path.read_bytes())
        system = sys.platform, is_native_elf(), os.environ.get(PROCESSOR, "")
        digest.update(repr((system, sorted(self.entries.items()))).encode())
        return f"{self.name}-{digest.hexdigest()[:32]}.o"

    @property
    def is_kept(self) -> bool:
        """Return whether the code is loaded, or on disk, so that loading it takes milliseconds."""
        if self._loaded is not None:
            return True
        with Kept() as kept:
            return kept.read(self.file) is not None

    def load(self) -> LoadedKernels:
        """Return the entries as machine code, loaded from disk if it is there; NoMachineCode if there can be none.

        A parameter that is memory takes an address.
        """
        if self._loaded is not None:
            return self._loaded
        if why := forbidden():
            raise NoMachineCode(why)
        with _loading, Kept() as kept:
            elf = kept.read(self.file)
            if elf is None:
                with kept.alone(self.name):
                    elf = kept.read(self.file) or self._made(kept)
        code = Code(elf) if is_native_elf() else CodeByLlvm(elf, iter(self.entries))
        self._loaded = LoadedKernels({name: _entry(code, name, form) for name, form in self.entries.items()})
        return self._loaded

    def load_or_plain(self) -> LoadedKernels:
        """Return the entries as machine code, or as plain Python where the system forbids that, and say so."""
        if not (why := forbidden()):
            return self.load()
        _log().warning("%s runs as plain Python, some hundred times as slowly: %s", self.name, why)
        return self.plain()

    def plain(self) -> LoadedKernels:
        """Return the entries as plain Python: the same results, some hundred times as slowly.

        A parameter that is memory takes an address, a buffer or a list.
        """
        kernels = self.kernels()
        return LoadedKernels({name: _plain(kernels[name], form) for name, form in self.entries.items()})

    def _made(self, kept: Kept) -> bytes:
        """Compile the kernels, and keep the code if there is a folder for it."""
        started = time.perf_counter()
        code = self.compiled()
        _log().info("compiled the kernels of %s in %.1f s", self.name, time.perf_counter() - started)
        if not kept.write(self.file, code):
            _log().info("this user has no folder for compiled code; every process compiles it anew")
        return code

    def compiled(self) -> bytes:
        """Compile all kernels to an object file. Raises NoMachineCode without llvmlite."""
        llvm = _llvm()
        from .compiler import Settings, module_of

        module = module_of(self.kernels(), self.entries, self.settings() if self.settings else Settings())
        module.triple = llvm.get_process_triple()
        parsed = llvm.parse_assembly(str(module))
        parsed.verify()
        target = _target(llvm)
        options = llvm.PipelineTuningOptions(speed_level=2)
        options.loop_vectorization = options.slp_vectorization = False  # it makes no search faster
        builder = llvm.create_pass_builder(target, options)
        builder.getModulePassManager().run(parsed, builder)
        code: bytes = target.emit_object(parsed)
        return code


def _llvm() -> Any:
    """Import llvmlite and make it ready for this processor."""
    try:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except Exception as error:  # various: it is missing, or lacks its own library
        raise NoMachineCode(f"llvmlite cannot be imported: {error}") from error
    return llvm


def _target(llvm: Any) -> Any:
    chosen = os.environ.get(PROCESSOR)
    options: dict[str, Any] = {"cpu": chosen or llvm.get_host_cpu_name(), "opt": 3}
    options["features"] = "" if chosen else llvm.get_host_cpu_features().flatten()
    where = {"reloc": "pic", "codemodel": "small"} if is_native_elf() else {"jit": True, "codemodel": "jitdefault"}
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(**options, **where)


def _plain(function: Callable[..., Any], form: str) -> Callable[..., int]:
    """Return a kernel as a function that takes memory as an entry in machine code does, and in other ways too."""
    annotations = list(function.__annotations__.values())[: len(form)]
    kinds: list[Any] = [function.__globals__.get(kind) for kind in annotations]

    def call(*values: Any) -> int:
        seen = (
            getattr(kind, "view", kind)(x) if letter == "m" else x  # an element shows an array, a layout itself
            for x, kind, letter in zip(values, kinds, form, strict=True)
        )
        return function(*seen) or 0

    return call
