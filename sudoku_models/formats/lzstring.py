"""The lz-string compression of text to Base64, used in links of puzzle programs.

The text is UTF-16 code units. Bits are written into characters highest first, numbers into bits lowest first. The code
0 announces a new 8-bit unit, 1 a new 16-bit unit, 2 the end; entries of the dictionary count from 3.
"""

from __future__ import annotations

import string

from ..errors import FormatError

LONGEST_PACKED = 400_000
"""The length, in characters, of the longest packed text that is read."""
LONGEST_TEXT = 1_000_000
"""The length, in code units, of the longest text that is unpacked."""
_SIGNS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_BITS = {sign: f"{i:06b}" for i, sign in enumerate(_SIGNS)}
_END = 2


def unpacked(packed: str, most: int = LONGEST_TEXT) -> str:
    """Unpack a Base64 text; raise FormatError if it is damaged or unpacks to more than ``most`` code units."""
    if len(packed) > LONGEST_PACKED:
        raise FormatError(f"{len(packed)} packed characters: at most {LONGEST_PACKED} are read")
    try:
        bits = "".join(map(_BITS.__getitem__, packed.rstrip("=")))
    except KeyError as error:
        raise FormatError(f"{error.args[0]!r} among the packed characters: Base64 is expected") from None
    units = _units(_Bits(bits), most)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def packed(text: str) -> str:
    """Pack a text into Base64, padded with ``=``."""
    units = text.encode("utf-16-le", "surrogatepass")
    bits = _packed_bits([units[i] | units[i + 1] << 8 for i in range(0, len(units), 2)])
    bits += "0" * (-len(bits) % 6)
    signs = "".join(_SIGNS[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return signs + "=" * (-len(signs) % 4)


class _Bits:
    """Reads numbers of given widths from a sequence of bits."""

    def __init__(self, bits: str) -> None:
        self._bits, self._at = bits, 0

    def number(self, width: int) -> int:
        found = self._bits[self._at : self._at + width]
        if len(found) < width:
            raise FormatError("the packed text is cut off")
        self._at += width
        return int(found[::-1], 2)

    def unit(self, code: int) -> str:
        return chr(self.number(16 if code else 8))


class _Width:
    """The width of codes, which grows as entries are added to the dictionary."""

    def __init__(self, width: int, left: int) -> None:
        self.width, self._left = width, left

    def spend(self) -> None:
        self._left -= 1
        if not self._left:
            self._left = 1 << self.width
            self.width += 1


def _units(bits: _Bits, most: int) -> str:
    code = bits.number(2)
    if code == _END:
        return ""
    if code > _END:
        raise FormatError("the packed text is damaged: it does not begin with a character")
    last = bits.unit(code)
    entries, found, size, width = ["", "", "", last], [last], 1, _Width(3, 4)
    while (code := bits.number(width.width)) != _END:
        if code < _END:
            entries.append(bits.unit(code))
            code = len(entries) - 1
            width.spend()
        if code > len(entries):
            raise FormatError(f"the packed text is damaged: it names entry {code} of {len(entries)}")
        entry = entries[code] if code < len(entries) else last + last[0]
        found.append(entry)
        size += len(entry)
        if size > most:
            raise FormatError(f"unpacks to more than {most:,} characters: no puzzle is that long")
        entries.append(last + entry[0])
        width.spend()
        last = entry
    return "".join(found)


def _packed_bits(units: list[int]) -> str:
    """Return the bits of a text: known strings of one or more units are written as their numbers."""
    packer = _Packer()
    current: int | None = None
    for unit in units:
        single = packer.single(unit)
        known = single if current is None else packer.longer.get((current, unit))
        if known is None:
            assert current is not None
            packer.emit(current)
            packer.longer[current, unit] = packer.fresh()
            known = single
        current = known
    if current is not None:
        packer.emit(current)
    return packer.ended()


class _Packer:
    """The numbers of known strings, and the bits so far.

    ``longer`` maps the number of a known string and one more unit to a number. A single unit is written out at first.
    """

    def __init__(self) -> None:
        self.longer: dict[tuple[int, int], int] = {}
        self._singles: dict[int, int] = {}
        self._unwritten: dict[int, int] = {}
        self._width, self._out, self._last = _Width(2, 2), list[str](), _END

    def fresh(self) -> int:
        """Return the next number."""
        self._last += 1
        return self._last

    def single(self, unit: int) -> int:
        """Return the number of a string of one unit."""
        if unit not in self._singles:
            self._singles[unit] = self.fresh()
            self._unwritten[self._singles[unit]] = unit
        return self._singles[unit]

    def emit(self, number: int) -> None:
        """Write a string by its number."""
        unit = self._unwritten.pop(number, None)
        if unit is None:
            self._out.append(_low_first(number, self._width.width))
        else:
            wide = unit >= 256
            self._out.append(_low_first(int(wide), self._width.width) + _low_first(unit, 16 if wide else 8))
            self._width.spend()
        self._width.spend()

    def ended(self) -> str:
        """Return all bits, with the end mark."""
        return "".join(self._out) + _low_first(_END, self._width.width) + "0"


def _low_first(number: int, width: int) -> str:
    return f"{number:0{width}b}"[::-1]
