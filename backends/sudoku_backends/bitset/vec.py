"""Vectors of lanes: rules written for words (see `bit_words`) as vector code, at a width chosen at run time.

A body over vectors is ordinary Python. `kernel` calls it once with `Vec`s and memory, and the instructions that their
operators emit become a function that compiled code can call with addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import config, from_dtype, types
from numba.extending import intrinsic

from .bit_words import ONES, Word
from .layout import NUMBER, WORDS

I1, WORD, LONG = ir.IntType(1), ir.IntType(32), ir.IntType(64)


LANES = (4, 8, 16)
"""The widths for which there are instructions."""


@dataclass(frozen=True)
class Width:
    """How many 32-bit lanes a vector has, and whether the machine has ternary logic and compression (AVX-512 VL)."""

    lanes: int
    avx512: bool

    @property
    def bytes(self) -> int:
        """The bytes of a vector, to which its memory is aligned."""
        return 4 * self.lanes

    @property
    def vector(self) -> Any:
        """LLVM's type of a vector."""
        return ir.VectorType(WORD, self.lanes)

    @property
    def mask(self) -> Any:
        """LLVM's type of a set of lanes, as an integer."""
        return ir.IntType(self.lanes)


@cache
def machine(lanes: int | None = None) -> Width:
    """Return the width of this machine's registers (16, 8 or 4 lanes), or the one asked for on this machine.

    ValueError for any other width, for which there are no instructions.
    """
    if lanes not in (None, *LANES):
        raise ValueError(f"{lanes} lanes: {', '.join(map(str, LANES))} or None (as wide as the machine's) are expected")
    asked = vars(config)  # by NUMBA_CPU_NAME and NUMBA_CPU_FEATURES
    level = asked["CPU_NAME"] or ""
    features = (asked["CPU_FEATURES"] or "").split(",")
    if asked["CPU_FEATURES"] is None and not level:
        features = binding.get_host_cpu_features().flatten().split(",")
    avx512 = "+avx512vl" in features or level == "x86-64-v4"
    avx2 = avx512 or "+avx2" in features or level == "x86-64-v3"
    return Width(lanes or (16 if avx512 else 8 if avx2 else 4), avx512)


class Vec:
    """Words in lanes; the operators emit instructions."""

    __slots__ = ("builder", "value", "width")

    def __init__(self, builder: Any, value: Any, width: Width) -> None:
        self.builder, self.value, self.width = builder, value, width

    def _new(self, value: Any) -> Vec:
        return Vec(self.builder, value, self.width)

    def _lift(self, x: Vec | int) -> Any:
        return x.value if isinstance(x, Vec) else ir.Constant(self.width.vector, [x & ONES] * self.width.lanes)

    def __or__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.or_(self.value, self._lift(x)))

    def __and__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.and_(self.value, self._lift(x)))

    def __xor__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.xor(self.value, self._lift(x)))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __add__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.add(self.value, self._lift(x)))

    def __sub__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.sub(self.value, self._lift(x)))

    def __lshift__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.shl(self.value, self._lift(x)))

    def __rlshift__(self, x: int) -> Vec:
        return self._new(self.builder.shl(self._lift(x), self.value))

    def __rshift__(self, x: Vec | int) -> Vec:
        return self._new(self.builder.lshr(self.value, self._lift(x)))

    def __invert__(self) -> Vec:
        return self ^ -1

    def test(self, how: str, x: Vec | int) -> Any:
        """Compare (unsigned): a bit for each lane."""
        return self.builder.icmp_unsigned(how, self.value, self._lift(x))

    def nonzero(self) -> Vec:
        """All ones in the lanes that are not zero."""
        return self._new(self.builder.sext(self.test("!=", 0), self.width.vector))

    def less(self, x: Vec | int) -> Vec:
        """All ones in the lanes that are less than x."""
        return self._new(self.builder.sext(self.test("<", x), self.width.vector))

    def count(self) -> Vec:
        """Ones in each lane."""
        return self.call(f"llvm.ctpop.v{self.width.lanes}i32", self.value)

    def ternary(self, rule: Callable[[Word, Word, Word], Word], table: int, a: Word, b: Word, c: Word) -> Word:
        """Apply a bitwise function of three words by its truth table."""
        if not self.width.avx512:
            return rule(a, b, c)
        name = f"llvm.x86.avx512.pternlog.d.{32 * self.width.lanes}"
        return self.call(name, *map(self._lift, (a, b, c)), WORD(table))

    @property
    def can_look_up(self) -> bool:
        """Whether a vector holds a table of sixteen words."""
        return self.width.avx512 and self.width.lanes == 16

    def lookup(self, table: Sequence[int]) -> Vec:
        """Look up the low four bits of each lane in a table of sixteen."""
        return self.call("llvm.x86.avx512.permvar.si.512", ir.Constant(self.width.vector, list(table)), self.value)

    def compress(self, lanes: Any) -> Vec:
        """Move the lanes of a set to the front, in order."""
        name = f"llvm.x86.avx512.mask.compress.v{self.width.lanes}i32"
        return self.call(name, self.value, self.value, lanes)

    def expand(self, old: Vec, lanes: Any) -> Vec:
        """Move the front to the lanes of a set, in order; the other lanes are those of ``old``."""
        return self.call(f"llvm.x86.avx512.mask.expand.v{self.width.lanes}i32", self.value, old.value, lanes)

    def call(self, name: str, *args: Any) -> Vec:
        """Call one of LLVM's intrinsic functions."""
        return self._new(self.builder.call(_declared(self.builder, name, self.width.vector, args), args))

    def shuffle(self, other: Vec, lanes: Sequence[int]) -> Vec:
        """Pick lanes of this vector (0 to lanes - 1) and of the other (from there on)."""
        pick = ir.Constant(ir.VectorType(WORD, len(lanes)), list(lanes))
        return self._new(self.builder.shuffle_vector(self.value, other.value, pick))


def _declared(builder: Any, name: str, result: Any, args: Iterable[Any]) -> Any:
    kind = ir.FunctionType(result, [a.type for a in args])
    return builder.module.globals.get(name) or ir.Function(builder.module, kind, name)


def transpose(square: list[Vec]) -> list[Vec]:
    """Exchange rows and columns of as many vectors as a vector has lanes, in log2(lanes) rounds of shuffles."""
    n = len(square)
    step = 1
    while step < n:
        low = [j if not j & step else n + j - step for j in range(n)]
        high = [j + step if not j & step else n + j for j in range(n)]
        for i in (i for i in range(n) if not i & step):
            a, b = square[i], square[i + step]
            square[i], square[i + step] = a.shuffle(b, low), a.shuffle(b, high)
        step *= 2
    return square


class Memory:
    """What a kernel reads and writes vectors with: a builder and an address."""

    def __init__(self, builder: Any, address: Any, width: Width) -> None:
        self.builder, self.address, self.width = builder, address, width

    def _pointer(self, address: Any, offset: int, kind: Any) -> Any:
        return self.builder.inttoptr(self.builder.add(address, LONG(offset)), kind.as_pointer())

    def _load(self, address: Any, offset: int, align: int) -> Vec:
        pointer = self._pointer(address, offset, self.width.vector)
        return Vec(self.builder, self.builder.load(pointer, align=align), self.width)

    def _store(self, value: Vec, address: Any, offset: int, align: int) -> None:
        self.builder.store(value.value, self._pointer(address, offset, self.width.vector), align=align)


class VectorRows(Memory):
    """Memory whose row k, ``stride`` bytes from the one before, has word k of as many states as there are lanes."""

    def __init__(self, builder: Any, address: Any, width: Width, stride: int, align: int) -> None:
        super().__init__(builder, address, width)
        self.stride, self.align = stride, align

    def __getitem__(self, k: int) -> Vec:
        return self._load(self.address, k * self.stride, self.align)

    def __setitem__(self, k: int, x: Vec) -> None:
        self._store(x, self.address, k * self.stride, self.align)


class Columns(Memory):
    """A row of bytes for each lane, wherever it lies: ``address`` is that of a table of their 64-bit addresses.

    ``offsets`` are the bytes at which the blocks of a vector's size begin. Indexed by words, lane by lane, like
    VectorRows: `load` reads and transposes every block, `store` writes what was assigned, the last block first.
    """

    def __init__(self, builder: Any, address: Any, width: Width, offsets: Sequence[int]) -> None:
        super().__init__(builder, address, width)
        self.offsets = offsets
        self.words: dict[int, Vec] = {}

    def __getitem__(self, k: int) -> Vec:
        return self.words[k]

    def __setitem__(self, k: int, x: Vec) -> None:
        self.words[k] = x

    def _row(self, lane: int) -> Any:
        return self.builder.load(self._pointer(self.address, 8 * lane, LONG))

    def load(self) -> Columns:
        """Read the rows."""
        lanes = self.width.lanes
        rows = [self._row(lane) for lane in range(lanes)]
        for block, offset in enumerate(self.offsets):
            columns = transpose([self._load(row, offset, 1) for row in rows])
            self.words.update({block * lanes + k: column for k, column in enumerate(columns)})
        return self

    def store(self) -> None:
        """Write the rows; a word that was not assigned is written as zero."""
        lanes = self.width.lanes
        rows = [self._row(lane) for lane in range(lanes)]
        zero = Vec(self.builder, ir.Constant(self.width.vector, None), self.width)
        for block, offset in reversed(list(enumerate(self.offsets))):
            columns = transpose([self.words.get(block * lanes + k, zero) for k in range(lanes)])
            for row, column in zip(rows, columns, strict=True):
                self._store(column, row, offset, 1)


@dataclass(frozen=True)
class RowsAt:
    """An argument of a kernel: the address of VectorRows. A row that may begin off a vector's boundary is ``loose``."""

    stride: int
    loose: bool = False

    def bind(self, builder: Any, value: Any, width: Width) -> VectorRows:
        """Make the memory that the body sees."""
        return VectorRows(builder, value, width, self.stride, 4 if self.loose else width.bytes)


@dataclass(frozen=True)
class ColumnsAt:
    """An argument of a kernel: the address of the table of Columns."""

    offsets: tuple[int, ...]

    def bind(self, builder: Any, value: Any, width: Width) -> Columns:
        """Make the memory that the body sees."""
        return Columns(builder, value, width, self.offsets)


@dataclass(frozen=True)
class Lanes:
    """An argument of a kernel: a set of lanes, bit k for lane k."""

    def bind(self, builder: Any, value: Any, width: Width) -> Any:
        """Make the vector of bits that the body sees."""
        return builder.bitcast(builder.trunc(value, width.mask), ir.VectorType(I1, width.lanes))


def kernel(name: str, width: Width, body: Callable[..., Any], *forms: RowsAt | ColumnsAt | Lanes) -> Any:
    """Make a function for compiled code out of a body over vectors; its arguments are integers, one for each form.

    It returns the sets of lanes in which the body's results are not zero, 16 bits for each result. The name must be
    its own in every module.
    """

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = builder.module.globals.get(name) or _define(builder.module, name, width, body, forms)
        return builder.call(function, args)

    both = types.int64(*[types.int64] * len(forms)), emit
    typers = {
        1: lambda context, a: both,
        2: lambda context, a, b: both,
        3: lambda context, a, b, c: both,
        5: lambda context, a, b, c, d, e: both,
    }
    return intrinsic(typers[len(forms)])


def _define(module: Any, name: str, width: Width, body: Callable[..., Any], forms: Sequence[Any]) -> Any:
    function = ir.Function(module, ir.FunctionType(LONG, [LONG] * len(forms)), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    # numba leaves the stack as it is; vectors spilled to an unaligned one cost 30 %
    function.attributes.alignstack = width.bytes
    builder = ir.IRBuilder(function.append_basic_block())
    bound = [form.bind(builder, value, width) for form, value in zip(forms, function.args, strict=True)]
    result = LONG(0)
    for i, x in enumerate(body(*bound) or ()):
        lanes = builder.zext(builder.bitcast(x.test("!=", 0), width.mask), LONG)
        result = builder.or_(result, builder.shl(lanes, LONG(16 * i)))
    builder.ret(result)
    return function


def take(block: VectorRows, store: VectorRows, lanes: Any) -> None:
    """Write the states of a set of lanes side by side."""
    for k in range(WORDS):
        store[k] = block[k].compress(lanes)


def give(store: VectorRows, block: VectorRows, lanes: Any) -> None:
    """Read states that lie side by side into a set of lanes."""
    for k in range(WORDS):
        block[k] = store[k].expand(block[k], lanes)


def exchange(block: VectorRows, stuck: VectorRows, lanes: Any, fresh: VectorRows, idle: Any) -> None:
    """Write the states of some lanes side by side, and read others into the idle lanes: `take` and `give` in one."""
    for k in range(WORDS):
        old = block[k]
        stuck[k] = old.compress(lanes)
        block[k] = fresh[k].expand(old, idle)


def note(block: VectorRows, numbers: VectorRows, lanes: Any) -> None:
    """Write the numbers of a set of lanes side by side."""
    numbers[0] = block[NUMBER].compress(lanes)


def _peek(bits: int) -> Any:
    kind = ir.IntType(bits)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.zext(builder.load(builder.inttoptr(args[0], kind.as_pointer()), align=1), LONG)

    return intrinsic(lambda context, address: (types.int64(types.int64), emit))


def _poke(bits: int) -> Any:
    kind = ir.IntType(bits)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(builder.trunc(args[1], kind), builder.inttoptr(args[0], kind.as_pointer()), align=1)
        return context.get_dummy_value()

    return intrinsic(lambda context, address, value: (types.void(types.int64, types.int64), emit))


def _prefetch() -> Any:
    byte, flag = ir.IntType(8), ir.IntType(32)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], byte.as_pointer())
        values = pointer, flag(0), flag(3), flag(1)
        builder.call(_declared(builder, "llvm.prefetch.p0", ir.VoidType(), values), values)
        return context.get_dummy_value()

    return intrinsic(lambda context, address: (types.void(types.int64), emit))


def record_at(dtype: Any) -> Any:
    """Return the function from an address to the record there."""
    record = from_dtype(dtype)

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(record))

    return intrinsic(lambda context, address: (record(types.int64), emit))


def _unary(emit: Callable[[Any, Any], Any]) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, args[0])

    return intrinsic(lambda context, x: (types.int64(types.int64), generate))


peek32, poke8, poke32, poke64 = _peek(32), _poke(8), _poke(32), _poke(64)
prefetch = _prefetch()
lowest = _unary(lambda builder, x: builder.cttz(x, I1(1)))
ones = _unary(lambda builder, x: builder.ctpop(x))
