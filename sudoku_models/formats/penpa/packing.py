"""The content of a link to penpa-edit: lines of text with abbreviated names, deflated without a header, in Base64.

The format is that of penpa-edit 2 and 3, taken from its loading and saving code
(https://github.com/swaroopg92/penpa-edit).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from ...errors import FormatError
from ..json_text import LONGEST, loaded, short

LONGEST_PACKED = 400_000
"""The length, in characters, of the longest packed text that is read."""
_FIELD = re.compile(r"(?:\A|[?#&])([a-z])=([^&#\s]*)")
_NAMES = (
    "_ __a, 9 qa, Q pu_q, A pu_a, G grid, M edit_mode, S surface, L line, E lineE, W wall, C cage, N number, Y symbol, "
    "P special, B board, R command_redo, U command_undo, 8 command_replay, 1 numberS, F freeline, 2 freelineE, "
    "T thermo, 3 arrows, D direction, 0 squareframe, 5 polygon, 4 deletelineE, 6 killercages, 7 nobulbthermo"
)
"""The abbreviated names; each is written as z and one character."""
_SHORT = {f"z{sign}": f'"{name}"' for sign, name in map(str.split, _NAMES.split(","))} | {"zZ": "z", "zO": "null"}
_CUT = re.compile("z[0-9A-Z_]")
_QUESTION, _CUSTOM, _COLOURS = 3, 13, 14
"""The numbers of the lines with the drawings, with the flag for custom colours, and with those colours."""
_TITLE, _AUTHOR, _RULES = 15, 16, 18
_ESCAPED = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}


@dataclass(frozen=True)
class PenpaSheet:
    """A board as stored by penpa-edit: the kind of grid, columns and rows including margins, and the drawings.

    ``margins`` are the rows above and below and the columns left and right that are not cells of the board;
    ``solution`` holds texts such as "42,5": the point 42 has the value 5.
    """

    kind: str
    size: tuple[int, int]
    margins: tuple[int, int, int, int]
    question: Mapping[str, Any]
    colours: Mapping[str, Any]
    solution: tuple[str, ...]
    title: str
    author: str
    rules: str


def sheet_of(link: str) -> PenpaSheet:
    """Parse a link, or its part from ``m=`` on; raise FormatError if it is damaged or holds no board."""
    fields = dict(_FIELD.findall(link.strip()))
    if fields.get("p", "").startswith("http"):
        raise FormatError("the link to penpa-edit names another link (p=http...): open it there and save its own link")
    lines = unpacked(fields.get("p", "")).split("\n")
    if not lines[0] or lines[0][0].isdigit():
        raise FormatError("the first form of penpa-edit's links cannot be read: open the link there and save it again")
    if len(lines) <= _QUESTION:
        raise FormatError(f"the link to penpa-edit holds {len(lines)} lines: at least {_QUESTION + 1} are expected")
    head = [whole(part) for part in lines[0].split(",")]
    shown = _line(lines, _CUSTOM).strip('"') in ("1", "true")
    return PenpaSheet(
        head[0],
        (_number(head, 1), _number(head, 2)),
        _margins(whole(lines[1])),
        _object(_line(lines, _QUESTION)),
        _object(_line(lines, _COLOURS)) if shown else {},
        _solution(fields.get("a", "")),
        _text(head, _TITLE).removeprefix("Title: ").strip(),
        _text(head, _AUTHOR).removeprefix("Author: ").strip(),
        _text(head, _RULES).strip(),
    )


def unpacked(packed: str) -> str:
    """Unpack a text; raise FormatError if it is damaged or too long."""
    packed = unquote(packed).replace(" ", "+")
    if not packed or len(packed) > LONGEST_PACKED:
        raise FormatError(f"{len(packed)} packed characters in penpa-edit's p=: 1 to {LONGEST_PACKED} are expected")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
        inflater = zlib.decompressobj(-15)
        found = inflater.decompress(data, LONGEST)
    except (binascii.Error, ValueError):
        raise _damaged("the text after p= is not Base64") from None
    except zlib.error:
        raise _damaged("the text after p= cannot be unpacked") from None
    if not inflater.eof and len(found) >= LONGEST:
        raise FormatError("penpa-edit's p= unpacks to too many characters: no puzzle is that long")
    if not inflater.eof:
        raise _damaged("the packed text is cut off")
    return found.decode("utf-8", "replace")


def _damaged(problem: str) -> FormatError:
    return FormatError(f"the link to penpa-edit is damaged or incomplete ({problem}): copy the whole link again")


def packed(text: str) -> str:
    """Pack a text as penpa-edit does."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflater.compress(text.encode()) + deflater.flush()).decode()


def whole(text: str) -> str:
    """Expand the abbreviations in a text."""
    return _CUT.sub(lambda found: _SHORT.get(found[0], found[0]), text)


def _line(lines: list[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""


def _object(line: str) -> Mapping[str, Any]:
    """Return the object in a line, or an empty one for a line without one, such as ``x`` in links for solving."""
    return loaded(whole(line)) if line.startswith("{") else {}


def _number(head: list[str], place: int) -> int:
    text = head[place] if place < len(head) else ""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise FormatError(f"penpa-edit's board: columns and rows are expected in its first line, not {text[:20]!r}")
    return int(text)


def _margins(line: str) -> tuple[int, int, int, int]:
    numbers = [int(part) for part in re.findall(r"\d{1,3}", line[:40])]
    if len(numbers) != 4:
        raise FormatError(f"penpa-edit's margins: four numbers are expected, not {short(line[:40])}")
    return numbers[0], numbers[1], numbers[2], numbers[3]


def _text(head: list[str], place: int) -> str:
    text = head[place] if place < len(head) else ""
    for sign, meant in _ESCAPED.items():
        text = text.replace(sign, meant)
    return text


def _solution(packed_text: str) -> tuple[str, ...]:
    """Return the numbers of the solution in a link; () if there is none, or if it is not understood."""
    if not packed_text:
        return ()
    try:
        found = json.loads(unpacked(packed_text))
    except (FormatError, ValueError, RecursionError):
        return ()
    numbers = found[4] if isinstance(found, list) and len(found) > 4 else ()
    return tuple(item for item in numbers if isinstance(item, str)) if isinstance(numbers, list) else ()
