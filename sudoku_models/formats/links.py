"""Links of puzzle programs: recognises the program, extracts the packed text, and unpacks it (lz-string in Base64).

The text of lz-string is UTF-16 code units. Bits are written into characters highest first, numbers into bits lowest
first. The code 0 announces a new 8-bit unit, 1 a new 16-bit unit, 2 the end; entries of the dictionary count from 3.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from struct import unpack
from urllib.parse import quote, unquote

from ..errors import FormatError

_F_PUZZLES = re.compile(r"\s*(?i:https?://)?(?i:www\.)?(?i:f-puzzles\.com)(?:/[^\s#?]*)?\?(?:[^\s#]*&)?load=([^&#]*)")
_SUDOKUPAD = re.compile(
    r"\s*(?i:https?://)?(?i:[a-z]+\.)?(?i:sudokupad\.app|app\.crackingthecryptic\.com|sudokupad\.svencodes\.com)/?"
    r"(?:sudoku/|puzzle/)?(?:index\.html)?(?:\?(?:[^\s#]*&)?puzzleid=)?([^\s?&#]*)"
)
_PENPA = re.compile(
    r"\s*(?:(?:(?i:https?)://)?[^\s/?#]+(?:/[^\s/?#]+)*/(?i:penpa-edit|penpa)/?(?:index\.html)?[#?])?"
    r"(?:[^\s#?]*&)?(?:m=(?:edit|solve)&(?:[^\s#?]*&)?)?p=[A-Za-z0-9+/%]{16,}"
)
_BARE = re.compile(r"\s*((?:fpuz|scl|ctc)[A-Za-z0-9+/=%]{16,})\s*\Z")
_PAYLOAD = re.compile(r"\s*(N4[A-Za-z0-9+/%]{30,}=*)\s*\Z")
"""A packed text without its link: packed JSON begins like this."""
_ADDRESS = re.compile(r"(?:(?i:https?)://|(?i:www\.)|(?i:f-puzzles\.com/)|(?i:sudokupad\.app/))[^\s<>\"']+")
_BEHIND = ".,;:!?)]}"
"""Punctuation after a link in prose."""
_PREFIX = re.compile(r"(scl|ctc|fpuz(?:zles)?|scf|classic)(.*)\Z", re.DOTALL)
_AROUND = {"<": ">", '"': '"', "'": "'", "(": ")"}
"""The brackets and quotes that may enclose links."""
_TIMES = 3
"""The number of times that a link may have been percent-encoded."""

F_PUZZLES, SUDOKUPAD, PENPA = "f-puzzles", "sudokupad", "penpa"
"""The pages to which links lead; their formats have the same names."""
WRITTEN = {F_PUZZLES: "https://f-puzzles.com/?load=", SUDOKUPAD: "https://sudokupad.app/fpuzzles"}
"""What links to these pages begin with; the packed JSON of f-puzzles follows."""
_ADDRESSES = (
    (PENPA, _PENPA, True),
    (F_PUZZLES, _F_PUZZLES, True),
    (F_PUZZLES, _PAYLOAD, False),
    (SUDOKUPAD, _SUDOKUPAD, True),
    (SUDOKUPAD, _BARE, False),
)
"""The page, the pattern of its addresses or of bare packed texts, and whether the beginning of a text is enough."""


def kind_of_link(text: str) -> str | None:
    """Return the format of a line that is a link: ``f-puzzles``, ``sudokupad``, ``penpa``; None for other text."""
    text = bare(text)
    head = text[:500]  # a link may be a megabyte long, and its address is at its beginning
    return next((name for name, form, short in _ADDRESSES if form.match(head if short else text)), None)


def addresses(text: str) -> list[str]:
    """Return the addresses in a line of prose, without punctuation after them."""
    return [match[0].rstrip(_BEHIND) for match in _ADDRESS.finditer(text)]


def packed_of(text: str) -> str:
    """Extract the packed text from a link; raise FormatError for other text, and for puzzles on a server."""
    text = bare(text)
    match = _F_PUZZLES.match(text) or _PAYLOAD.match(text)
    if match:
        return _plain(match[1])
    match = _SUDOKUPAD.match(text) or _BARE.match(text)
    if not match:
        raise FormatError(f"{text.strip()[:40]!r} is not a link to a puzzle")
    named = _PREFIX.match(match[1])
    if not named or len(named[2]) < 8:
        raise FormatError(
            f"the link names a puzzle that is kept on a server ({match[1][:30]!r}): it is not fetched; "
            "use a link that holds the puzzle itself"
        )
    if named[1] in ("scf", "classic"):
        raise FormatError(
            f"a SudokuPad link with the prefix {named[1]} cannot be read: scl, ctc or fpuzzles is expected"
        )
    return _plain(named[2])


def link_with(name: str, packed: str) -> str:
    return WRITTEN[name] + quote(packed, safe="")


def bare(text: str) -> str:
    """Remove brackets or quotes around a link: <...>, "...", '...', (...)."""
    text = text.strip()
    end = _AROUND.get(text[:1])
    return text[1:-1].strip() if end is not None and text.endswith(end) and len(text) > 1 else text


def _plain(text: str) -> str:
    """Undo percent-encoding; a blank is a plus sign."""
    for _ in range(_TIMES):
        text = unquote(text) if "%" in text else text
    return "".join("+" if c == " " else c for c in text.strip())


LONGEST_PACKED = 400_000
"""The length, in characters, of the longest packed text that is read."""
LONGEST_TEXT = 1_000_000
"""The length, in code units, of the longest text that is unpacked."""
_SIGNS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_BITS = {sign: f"{i:06b}" for i, sign in enumerate(_SIGNS)}
_END, _NOTHING = 2, -1


def unpacked(packed: str, most: int = LONGEST_TEXT) -> str:
    """Unpack a Base64 text; raise FormatError if it is damaged or unpacks to more than ``most`` code units."""
    if len(packed) > LONGEST_PACKED:
        raise FormatError(f"{len(packed)} packed characters: at most {LONGEST_PACKED} are read")
    try:
        bits = "".join(map(_BITS.__getitem__, packed.rstrip("=")))
    except KeyError as error:
        raise FormatError(f"{error.args[0]!r} among the packed characters: Base64 is expected") from None
    return _units(bits, most).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _units(bits: str, most: int) -> str:
    """Return the code units; a code has as many bits as the number of entries that the dictionary has by then."""
    at, entries, found, size, last = 0, ["", "", ""], list[str](), 0, ""

    def number(width: int) -> int:
        nonlocal at
        at += width
        if at > len(bits):
            raise FormatError("the packed text is cut off")
        return int(bits[at - width : at][::-1], 2)

    while (code := number(len(entries).bit_length())) != _END:
        if code < _END:
            entries.append(chr(number(16 if code else 8)))
            code = len(entries) - 1
        elif not last:
            raise FormatError("the packed text is damaged: it does not begin with a character")
        if code > len(entries):
            raise FormatError(f"the packed text is damaged: it names entry {code} of {len(entries)}")
        entry = entries[code] if code < len(entries) else last + last[0]
        found.append(entry)
        size += len(entry)
        if size > most:
            raise FormatError(f"unpacks to more than {most:,} characters: no puzzle is that long")
        if last:
            entries.append(last + entry[0])
        last = entry
    return "".join(found)


def packed(text: str) -> str:
    """Pack a text into Base64, padded with ``=``."""
    data = text.encode("utf-16-le", "surrogatepass")
    bits = _packed_bits(unpack(f"<{len(data) // 2}H", data))
    bits += "0" * (-len(bits) % 6)
    signs = "".join(_SIGNS[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
    return signs + "=" * (-len(signs) % 4)


def _packed_bits(units: Iterable[int]) -> str:
    """Return the bits of a text: known strings of one or more units are written as their numbers.

    A string is known by the number of all but its last unit, and that unit. A single unit is written out at first.
    """
    known: dict[tuple[int, int], int] = {}
    unwritten: dict[int, int] = {}
    entries, out, current = _END, list[str](), _NOTHING

    def put(number: int, width: int) -> None:
        out.append(f"{number:0{width}b}"[::-1])

    def emit(number: int) -> None:
        nonlocal entries
        unit = unwritten.pop(number, None)
        put(number if unit is None else int(unit >= 256), entries.bit_length())
        if unit is not None:
            put(unit, 16 if unit >= 256 else 8)
            entries += 1
        entries += 1

    for unit in units:
        if (_NOTHING, unit) not in known:
            known[_NOTHING, unit] = number = _END + 1 + len(known)
            unwritten[number] = unit
        if (current, unit) not in known:
            emit(current)
            known[current, unit] = _END + 1 + len(known)
            current = _NOTHING
        current = known[current, unit]
    if current != _NOTHING:
        emit(current)
    put(_END, entries.bit_length())
    return "".join(out) + "0"
