"""The language of kernels: a subset of Python that runs as it is and is also compiled to machine code.

A kernel takes integers, floats, arrays and layouts and returns a number. Integers have 64 bits; narrower types exist
only in memory. A ``Layout`` names the parts of one block of memory. Compiled, a field costs what its address costs; as
plain Python the same text reads and writes a buffer, and an index outside an array is an error. The page "Kernels" of
the documentation describes the language.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Callable, Iterator, MutableSequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ...dataclass import dataclass

Function = TypeVar("Function", bound=Callable[..., Any])

LARGE = 1 << 20
"""The number of bytes from which on memory is asked of the system, which has zeros at hand."""

PRIVATE = {"flags": mmap.MAP_PRIVATE} if hasattr(mmap, "MAP_PRIVATE") else {}
"""A forked process has its own: the default is memory that both would write to."""

ANYWHERE = 1 << 40
"""The number of bytes that plain Python may see from an address on: as in machine code, nothing checks the end."""


@dataclass(frozen=True)
class Element:
    """A type of items in memory; as the annotation of a parameter it means an array of them."""

    name: str
    code: str  # of module ``struct``

    @cached_property
    def size(self) -> int:
        """Bytes of an item."""
        return struct.calcsize(f"={self.code}")

    @property
    def signed(self) -> bool:
        """Whether an item may be below 0."""
        return self.code.islower()

    def __call__(self, address: int) -> Any:
        """Return the array at an address."""
        return self.view(address)

    def view(self, memory: Any) -> Any:
        """Return the array that plain Python sees in a buffer or at an address; a list is one as it is."""
        return memory if isinstance(memory, list | View) else View(_cast(memory, self.code), 0)


INT, FLOAT = Element("Ints", "q"), Element("Floats", "d")

if TYPE_CHECKING:
    from typing import TypeAlias

    class Array:
        """An array: what ``Ints`` and the others mean as annotations, and return for an address."""

        place: int

        def __init__(self, address: int) -> None: ...
        def __getitem__(self, i: int) -> int: ...
        def __setitem__(self, i: int, x: int) -> None: ...

    Bytes: TypeAlias = Array
    Shorts: TypeAlias = Array
    Words: TypeAlias = Array
    Signed: TypeAlias = Array
    Ints: TypeAlias = Array
    Floats: TypeAlias = MutableSequence[float]
else:
    Bytes, Shorts, Words = Element("Bytes", "B"), Element("Shorts", "H"), Element("Words", "I")
    Signed, Ints, Floats = Element("Signed", "i"), INT, FLOAT

ELEMENTS: dict[str, Any] = {
    "int": INT, "float": FLOAT, "Bytes": Bytes, "Shorts": Shorts, "Words": Words, "Signed": Signed, "Ints": Ints,
    "Floats": Floats,
}  # fmt: skip
"""What an annotation means in memory."""


def _cast(memory: Any, code: str) -> memoryview:
    """Return a buffer, or the memory at an address, as items of a type; a rest that is no whole item is left out."""
    if isinstance(memory, int):
        memory = (ctypes.c_ubyte * ANYWHERE).from_address(memory)
    raw = memoryview(memory).cast("B")
    return raw[: len(raw) // struct.calcsize(f"={code}") * struct.calcsize(f"={code}")].cast(code)  # type: ignore[call-overload, no-any-return]


class View:
    """An array as plain Python: items of a memoryview or list from a place on. No index counts from the end."""

    __slots__ = ("_items", "_n", "_start")

    def __init__(self, items: Any, start: int, n: int | None = None) -> None:
        self._items, self._start, self._n = items, start, n

    def __len__(self) -> int:
        return len(self._items) - self._start if self._n is None else self._n

    def __getitem__(self, i: int) -> Any:
        return self._items[self._at(i)]

    def __setitem__(self, i: int, x: float) -> None:
        code = getattr(self._items, "format", "q")
        self._items[self._at(i)] = x if code in "qd" else _cut(int(x), code)

    def _at(self, i: int) -> int:
        if i < 0 or (self._n is not None and i >= self._n):
            raise IndexError(f"{i} is outside an array")
        return self._start + i

    @property
    def place(self) -> int:
        """Where it begins, in words of 64 bits."""
        return int(self._start * getattr(self._items, "itemsize", 8) // 8)

    def after(self, start: int) -> View:
        """Return the array that begins at an item of this one."""
        return View(self._items, self._start + start, None if self._n is None else self._n - start)


def _cut(x: int, code: str) -> int:
    """Return a number as an item of a narrow type keeps it."""
    bits = 8 * struct.calcsize(f"={code}")
    x &= (1 << bits) - 1
    return x - (1 << bits) if code == "i" and x >> bits - 1 else x


OUTSIDE = 0
"""In place of a number of items: they lie outside the layout, and it has their place."""


def items(n: int) -> Any:
    """Declare a field of ``n`` items inside the layout: ``digits: Bytes = items(81)``."""
    return n


def section() -> Any:
    """Declare a field whose items lie outside: ``tails: Ints = section()``.

    Where is a number in the layout, in words of 64 bits: in kernels ``layout.tails.place``, which whoever makes the
    memory writes once.
    """
    return OUTSIDE


class Field:
    """A field of a layout for plain Python; the compiler reads its attributes.

    It is a number, or has ``items``; ``offset`` is in bytes.
    """

    def __init__(self, element: Element, items: int | None, offset: int) -> None:
        self.element, self.items, self.offset = element, items, offset
        self.start = offset // element.size

    def __get__(self, layout: Any, owner: Any = None) -> Any:
        if layout is None:
            return self
        memory = layout._seen_as(self.element)
        if self.items is None:
            return memory[self.start]
        if self.items == OUTSIDE:
            return View(memory, layout[self.offset // 8] * 8 // self.element.size)
        return View(memory, self.start, self.items)

    def __set__(self, layout: Any, x: float) -> None:
        if self.items is not None:
            raise AttributeError("only a number can be assigned, not an array")
        layout._seen_as(self.element)[self.start] = x


class Layout:
    """Memory with names. Subclasses declare fields, which follow each other, each aligned to the size of its items.

    ``depth: int`` and ``weight: float`` are numbers; see also ``items`` and ``section``. ``layout[i]`` is the i-th word
    of 64 bits, whatever is there.
    """

    _fields: ClassVar[dict[str, Field]] = {}
    _size = 0

    def __init_subclass__(cls) -> None:
        base: Any = cls.__base__
        cls._fields, at = dict(base._fields), base._size
        for name, kind in cls.__annotations__.items():
            element, count = ELEMENTS[kind], cls.__dict__.get(name)
            size = 8 if count == OUTSIDE else element.size
            at = -(-at // size) * size
            cls._fields[name] = Field(element, count, at)
            setattr(cls, name, cls._fields[name])
            at += size * (count or 1)
        cls._size = -(-at // 8) * 8

    def __init__(self, memory: Any = None) -> None:
        """See a layout in a buffer, at an address, or in a list of words of 64 bits; by default in new memory."""
        self._memory = bytearray(self._size) if memory is None else memory
        self._views = {INT.code: memory if isinstance(memory, list) else _cast(self._memory, "q")}

    def _seen_as(self, element: Element) -> Any:
        """Return the memory as items of a type."""
        if element.code not in self._views:
            self._views[element.code] = _cast(self._memory, element.code)
        return self._views[element.code]

    def __getitem__(self, i: int) -> int:
        if i < 0:
            raise IndexError(f"{i} is outside a layout")
        return int(self._views[INT.code][i])

    def __setitem__(self, i: int, x: int) -> None:
        if i < 0:
            raise IndexError(f"{i} is outside a layout")
        self._views[INT.code][i] = x


def size_of(layout: type[Layout]) -> int:
    """Return the bytes of a layout, without its sections."""
    return layout._size


def place_of(layout: type[Layout], field: str) -> int:
    """Return the word of 64 bits in which a number of a layout, or the place of a section, lies."""
    return layout._fields[field].offset // 8


def zeros(size: int) -> bytearray | mmap.mmap:
    """Return so many bytes, all zero; a large number of them takes time and room only where it is used."""
    return bytearray(size) if size < LARGE else mmap.mmap(-1, size, **PRIVATE)


def memory_of(layout: type[Layout], **sections: int) -> Any:
    """Return memory for a layout with room for a number of items in each section; all is zero but their places."""
    places, size = {}, layout._size
    for name, n in sections.items():
        places[name] = size // 8
        size += -(-n * layout._fields[name].element.size // 8) * 8
    memory = zeros(size)
    for name, word in places.items():
        struct.pack_into("=q", memory, layout._fields[name].offset, word)
    return memory


class Kernels(dict[str, Callable[..., Any]]):
    """The kernels of one library by name, in the order of definition."""

    def mark(self, function: Function) -> Function:
        assert function.__name__ not in self, f"two kernels are called {function.__name__}"
        self[function.__name__] = function
        return function


def staged(function: Callable[..., Any]) -> Any:
    """Mark ordinary Python that a kernel calls while it is compiled: vectors come in, their operators emit
    instructions. Its first argument is what writes the kernel; a kernel leaves it out.
    """
    function.staged = True  # type: ignore[attr-defined]
    return function


def ones(mask: int) -> int:
    """Return the number of set bits."""
    return (mask & 0xFFFFFFFFFFFFFFFF).bit_count()


def lowest(mask: int) -> int:
    """Return the index of the lowest set bit; 64 if there is none."""
    return (mask & -mask).bit_length() - 1 if mask else 64


def bits(mask: int) -> Iterator[int]:
    """Yield the indices of the set bits, the lowest first; in kernels ``for i in bits(mask)``."""
    while mask:
        yield lowest(mask)
        mask &= mask - 1


def highest(mask: int) -> int:
    """Return the index of the highest set bit; -1 if there is none."""
    return mask.bit_length() - 1


def after(array: Any, start: int) -> Any:
    """Return the array that begins at an item of another one."""
    return array.after(start) if isinstance(array, View) else View(array, start)


def room(element: Any, n: int) -> Any:
    """Return a new array of ``n`` zeros, a constant number; it lives until the kernel returns."""
    return View([0] * n, 0, n) if element in (INT, FLOAT) else element.view(bytearray(n * element.size))


def prefetch(address: int) -> None:
    """Tell the processor what will be needed; any address will do."""
