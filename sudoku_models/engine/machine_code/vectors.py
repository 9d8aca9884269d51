"""Vectors of lanes of 32 bits: ordinary Python over words, called while a kernel is compiled, becomes vector code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from llvmlite import ir

from .library import Width

I1, WORD, LONG = ir.IntType(1), ir.IntType(32), ir.IntType(64)
ONES = 0xFFFFFFFF


def vector_of(width: Width) -> Any:
    """Return LLVM's type of a vector."""
    return ir.VectorType(WORD, width.lanes)


def _two(name: str, swap: bool = False) -> Any:
    def operator(self: Vec, x: Vec | int) -> Vec:
        sides = (self.lift(x), self.value) if swap else (self.value, self.lift(x))
        return self.new(getattr(self.builder, name)(*sides))

    return operator


class Vec:
    """Words in lanes; the operators emit instructions. ``>>`` and comparisons are unsigned."""

    __slots__ = ("builder", "value", "width")

    def __init__(self, builder: Any, value: Any, width: Width) -> None:
        self.builder, self.value, self.width = builder, value, width

    def new(self, value: Any) -> Vec:
        """Return another vector."""
        return Vec(self.builder, value, self.width)

    def lift(self, x: Vec | int) -> Any:
        """Return LLVM's value of a vector, or of a number in all lanes."""
        return x.value if isinstance(x, Vec) else ir.Constant(vector_of(self.width), [x & ONES] * self.width.lanes)

    __or__ = __ror__ = _two("or_")
    __and__ = __rand__ = _two("and_")
    __xor__ = __rxor__ = _two("xor")
    __add__ = __radd__ = _two("add")
    __sub__, __rsub__ = _two("sub"), _two("sub", True)
    __lshift__, __rlshift__ = _two("shl"), _two("shl", True)
    __rshift__ = _two("lshr")

    def __invert__(self) -> Vec:
        return self.new(self.builder.not_(self.value))

    def test(self, how: str, x: Vec | int) -> Any:
        """Compare (unsigned): a bit for each lane."""
        return self.builder.icmp_unsigned(how, self.value, self.lift(x))

    def nonzero(self) -> Vec:
        """All ones in the lanes that are not zero."""
        return self.new(self.builder.sext(self.test("!=", 0), vector_of(self.width)))

    def less(self, x: Vec | int) -> Vec:
        """All ones in the lanes that are less than x."""
        return self.new(self.builder.sext(self.test("<", x), vector_of(self.width)))

    def count(self) -> Vec:
        """Ones in each lane."""
        return self.call(f"llvm.ctpop.v{self.width.lanes}i32", self.value)

    def call(self, name: str, *args: Any) -> Vec:
        """Call one of LLVM's intrinsic functions."""
        return self.new(self.builder.call(declared(self.builder.module, name, vector_of(self.width), args), args))

    def shuffle(self, other: Vec, lanes: Sequence[int]) -> Vec:
        """Pick lanes of this vector (0 to lanes - 1) and of the other (from there on)."""
        pick = ir.Constant(ir.VectorType(WORD, len(lanes)), list(lanes))
        return self.new(self.builder.shuffle_vector(self.value, other.value, pick))

    def lanes(self) -> Any:
        """Return the set of lanes that are not zero, as an integer: bit k for lane k."""
        bits = self.builder.bitcast(self.test("!=", 0), ir.IntType(self.width.lanes))
        return self.builder.zext(bits, LONG)


def declared(module: Any, name: str, result: Any, args: Iterable[Any]) -> Any:
    """Return one of LLVM's intrinsic functions."""
    kind = ir.FunctionType(result, [a.type for a in args])
    return module.globals.get(name) or ir.Function(module, kind, name)


def transpose(square: list[Vec]) -> list[Vec]:
    """Exchange rows and columns of as many vectors as a vector has lanes, in log2(lanes) rounds of shuffles."""
    n, step = len(square), 1
    while step < n:
        low = [j if not j & step else n + j - step for j in range(n)]
        high = [j + step if not j & step else n + j for j in range(n)]
        for i in (i for i in range(n) if not i & step):
            a, b = square[i], square[i + step]
            square[i], square[i + step] = a.shuffle(b, low), a.shuffle(b, high)
        step *= 2
    return square


class Rows:
    """Memory at an address whose row k, ``stride`` bytes from the one before, is a vector."""

    def __init__(self, writer: Any, address: Any, stride: int = 0, align: int = 0) -> None:
        self.builder, self.width, self.address = writer.code, writer.width, address
        self.stride, self.align = stride or self.width.bytes, align or self.width.bytes

    def pointer(self, address: Any, offset: int, kind: Any) -> Any:
        """Return a pointer to some bytes after an address."""
        return self.builder.inttoptr(self.builder.add(address, LONG(offset)), kind.as_pointer())

    def load(self, address: Any, offset: int, align: int) -> Vec:
        at = self.pointer(address, offset, vector_of(self.width))
        return Vec(self.builder, self.builder.load(at, align=align), self.width)

    def store(self, x: Vec, address: Any, offset: int, align: int) -> None:
        self.builder.store(x.value, self.pointer(address, offset, vector_of(self.width)), align=align)

    def __getitem__(self, k: int) -> Vec:
        return self.load(self.address, k * self.stride, self.align)

    def __setitem__(self, k: int, x: Vec) -> None:
        self.store(x, self.address, k * self.stride, self.align)


class Columns(Rows):
    """A row of bytes for each lane, wherever it lies: ``address`` is that of a table of their 64-bit addresses.

    ``offsets`` are the bytes at which the blocks of a vector's size begin. Indexed by words, lane by lane, like Rows:
    `read` reads and transposes every block, `write` writes what was assigned, the last block first.
    """

    def __init__(self, writer: Any, address: Any, offsets: Sequence[int]) -> None:
        super().__init__(writer, address)
        self.offsets = offsets
        self.words: dict[int, Vec] = {}

    def __getitem__(self, k: int) -> Vec:
        return self.words[k]

    def __setitem__(self, k: int, x: Vec) -> None:
        self.words[k] = x

    def _rows(self) -> list[Any]:
        return [self.builder.load(self.pointer(self.address, 8 * lane, LONG)) for lane in range(self.width.lanes)]

    def read(self) -> Columns:
        n, rows = self.width.lanes, self._rows()
        for block, offset in enumerate(self.offsets):
            columns = transpose([self.load(row, offset, 1) for row in rows])
            self.words.update({block * n + k: column for k, column in enumerate(columns)})
        return self

    def write(self) -> None:
        """Write the rows; a word that was not assigned is written as zero."""
        n, rows = self.width.lanes, self._rows()
        zero = Vec(self.builder, ir.Constant(vector_of(self.width), None), self.width)
        for block, offset in reversed(list(enumerate(self.offsets))):
            for row, column in zip(
                rows, transpose([self.words.get(block * n + k, zero) for k in range(n)]), strict=True
            ):
                self.store(column, row, offset, 1)
