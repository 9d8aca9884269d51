"""Reads untrusted JSON with limits and one clear error, also in the shortened form of SudokuPad's links.

In the shortened form keys have no quotes, texts have single quotes, ``t`` and ``f`` are true and false, and a missing
item between commas is an empty object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from ..errors import FormatError
from .source import Line

ABSENT: tuple[object, ...] = (None, "", False, [], {})
"""Values without information."""
LONGEST = 1_500_000
"""The length, in characters, of the longest document that is read."""
_LONGEST_NUMBER = 18
_NUMBER = re.compile(r"\s*(-?\d{1,9})\s*\Z")
_BLANKS = frozenset({"", *".0_-?*"})
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?')
_SHORT_STRING = re.compile(r"""'(?:[^'\\]|\\.)*+'?|"(?:[^"\\]|\\.)*+"?""")
_SHORTENED = re.compile(r"\s*\{\s*(?:\w+|'\w+')\s*:")
_WRAPPER = re.compile(r"\s*ipuz\s*\(")
_LEFT_OVER = re.compile(r"[\s),;]*\Z")


def documents(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield JSON objects, each from one or more lines, and single other lines, except blank ones and comments (#)."""
    for number, text in lines:
        if text is None:
            yield number, None
        elif _LEFT_OVER.match(text) or text.lstrip().startswith("#"):
            continue
        elif not looks_like_json(text):
            yield number, text
        else:
            yield number, _document(text, lines)


def looks_like_json(text: str) -> bool:
    """Return whether a line begins a JSON object, perhaps wrapped as ``ipuz({...})``."""
    return text.lstrip()[:1] == "{" or _WRAPPER.match(text) is not None


def is_shortened(text: str) -> bool:
    """Return whether a text begins like SudokuPad's shortened JSON: with a key that has no double quotes."""
    return _SHORTENED.match(text) is not None


def _document(text: str, lines: Iterator[Line]) -> str | None:
    """Collect lines until every bracket is closed."""
    string = _SHORT_STRING if is_shortened(text) else _STRING
    parts, size, depth = [text], len(text), _depth(text, string)
    whole = size <= LONGEST
    while depth > 0 and (following := next(lines, None)) is not None:
        more = following[1] or ""
        size += len(more)
        depth += _depth(more, string)
        whole = whole and following[1] is not None and size <= LONGEST
        if whole:
            parts.append(more)
        else:
            parts.clear()
    return "\n".join(parts) if whole else None


def _depth(text: str, string: re.Pattern[str]) -> int:
    """Return the change of bracket depth in a line; brackets inside strings do not count."""
    if len(text) > LONGEST:
        return 0
    bare = string.sub("", text)
    return bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")


def loaded(text: str) -> Mapping[str, Any]:
    """Parse a JSON object; raise FormatError for other text, and if it is too long, too deep or has huge numbers."""
    if len(text) > LONGEST:
        raise FormatError(f"{len(text)} characters of JSON: at most {LONGEST} are read")
    head, end = _WRAPPER.match(text), text.rstrip().removesuffix(";").rstrip()
    bare = end[head.end() : -1] if head and end.endswith(")") else text  # the object in ipuz({...});
    try:
        found = json.loads(bare, parse_int=_integer, parse_constant=_constant)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise FormatError("the JSON is nested too deeply") from None
    except UnicodeEncodeError:
        raise FormatError("the JSON contains half a character (a lone surrogate)") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, character {error.colno}"
        raise FormatError(f"is not JSON: {error.msg} ({place})") from None
    if not isinstance(found, dict):
        raise FormatError("a JSON object is expected")
    return found


def short(value: object) -> str:
    """Return a short form of a value for messages."""
    found = json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, str | int | float) else ""
    names = {dict: "an object", list: "a list", type(None): "null"}
    found = found or names.get(type(value), type(value).__name__)
    return found if len(found) <= 40 else found[:37] + "..."


def listed(value: object, name: str, most: int | None = None) -> list[Any]:
    """Return a list, empty if missing; raise FormatError for anything else, and for more than ``most`` items."""
    if value is None or value is False or value in ("", {}):
        return []
    if not isinstance(value, list):
        raise FormatError(f"{name}: a list is expected, not {short(value)}")
    if most is not None and len(value) > most:
        raise FormatError(f"{name}: {len(value)} items: at most {most} are possible")
    return value


def objects(value: object, name: str, most: int | None = None) -> list[Mapping[str, Any]]:
    """Return a list of objects as ``listed`` does; raise FormatError if one of them is something else."""
    found = listed(value, name, most)
    for number, item in enumerate(found, 1):
        if not isinstance(item, dict):
            raise FormatError(f"{name} {number}: {short(item)} is not an object")
    return found


def text_of(value: object, angle: object = None) -> str:
    """Return the text that a drawing shows: a text or a number, at most 100 characters; "" for anything else.

    A sign that is turned becomes the one that it then looks like.
    """
    text = str(value)[:100] if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    ways = next((ways for ways in _TURNING if (text.strip() or "?") in ways), "")
    eighths = round((measure(angle) or 0.0) / 45) * len(ways) // 8
    return ways[(ways.index(text.strip()) + eighths) % len(ways)] if ways else text


_TURNING = "\u2192\u2198\u2193\u2199\u2190\u2196\u2191\u2197", ">\u2228<\u2227"
"""Signs, each followed by what it is when it is turned to the right: arrows by an eighth, the others by a quarter."""


def word_of(value: object) -> str:
    """Return a word such as a colour, at most 30 characters; "" for anything but a text."""
    return value.strip()[:30] if isinstance(value, str) else ""


def measure(value: object) -> float | None:
    """Return a number of reasonable size, as drawings have it; None for anything else."""
    try:
        found = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None
    return found if found is not None and isfinite(found) and abs(found) < 1e4 else None


def is_turned(item: Mapping[str, Any]) -> bool:
    """Return whether a drawn square stands on a corner."""
    return abs(measure(item.get("angle")) or 0.0) % 90 == 45


def inner(value: object) -> Sequence[Any]:
    """Return a list, or nothing for anything else."""
    return value if isinstance(value, list) else ()


def number(value: object) -> int | None:
    """Return the number in a text; None if it is missing or not a number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    match = _NUMBER.match(value) if isinstance(value, str) else None
    return int(match[1]) if match else None


def solution_of(cells: int, most: int, value: object) -> tuple[int | None, ...] | None:
    """Return the stated solution with this number of cells and values up to ``most``, with None for blank cells.

    None if it is missing or has anything but such values and blanks.
    """
    long = isinstance(value, str) and most > 9 and len(value) > cells  # some of its values have two digits
    if isinstance(value, str):
        value = value.split(",") if "," in value else re.findall("(?s)10|.", value) if long else list(value)
    items = listed(value, "solution")
    if any(isinstance(item, list | dict) for item in items):
        raise FormatError("the solution: a list of values is expected")
    found = ["" if item is None else str(item).strip() for item in items]
    if all(item in _BLANKS for item in found) or (long and len(found) != cells):
        return None
    if len(found) != cells:
        raise FormatError(f"a solution of {len(found)} cells: {cells} are expected")
    values = [int(item) if item.isascii() and item.isdigit() and len(item) < 4 else 0 for item in found]
    if not all(1 <= value <= most or item in _BLANKS for value, item in zip(values, found, strict=True)):
        return None
    return tuple(value or None for value in values)


def _integer(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise FormatError(f"a number of {len(text)} digits: at most {_LONGEST_NUMBER} are read")
    return int(text)


def _constant(text: str) -> float:
    raise FormatError(f"{text} is not a JSON number")


_MOST_TOKENS = 300_000
_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+["]"""
_RELAXED_TOKEN = re.compile(rf"""{_QUOTED}|['"].*|[{{}}\[\],:]|[^\s{{}}\[\],:'"]++""", re.DOTALL)
_CLOSED = re.compile(_QUOTED, re.DOTALL)
_RELAXED_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?\Z")
_PLACE = re.compile(r" \(line \d+, character \d+\)")
_WORDS: dict[str, Any] = {"t": True, "true": True, "f": False, "false": False, "null": None}
_SIGNS = frozenset("{}[],:")


def document(text: str) -> Mapping[str, Any]:
    """Read plain JSON or the shortened form; raise FormatError if the text is neither, or is not an object."""
    try:
        return loaded(text)
    except FormatError as error:
        if not is_shortened(text):
            raise
        try:
            return loaded(_spelt_out(text))
        except FormatError as second:
            problem = _PLACE.sub("", second.message)  # which is a place in the text with its quotes
            raise FormatError(f"{problem} (read as SudokuPad's shortened JSON)") from error


def _spelt_out(text: str) -> str:
    """Return the plain JSON of a text in the shortened form."""
    tokens = _RELAXED_TOKEN.findall(text)
    if len(tokens) > _MOST_TOKENS:
        raise FormatError(f"the JSON has more than {_MOST_TOKENS} tokens")
    is_open = tokens.count("{") + tokens.count("[") > tokens.count("}") + tokens.count("]")
    if is_open or (tokens[-1][0] in "'\"" and not _CLOSED.fullmatch(tokens[-1])):
        raise FormatError("the JSON is cut off")
    found = list[str]()
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token not in _SIGNS:
            found.append(json.dumps(_text(token) if following == ":" else _scalar(token)))
            continue
        found.append(token)
        if (token in ",:" and following in (",", "]", "}")) or (token == "[" and following == ","):
            found.append("{}")  # a missing item
    return "".join(found)


def _text(token: str) -> str:
    if token[0] not in "'\"":
        return token
    inner = token[1:-1].replace("\\'", "'")
    if "\\" not in inner:
        return inner
    try:
        return str(json.loads('"' + re.sub(r'(?<!\\)"', r'\\"', inner) + '"', strict=False))
    except ValueError:
        return inner


def _scalar(token: str) -> Any:
    if token[0] in "'\"":
        return _text(token)
    if _RELAXED_NUMBER.match(token):
        return float(token) if "." in token else int(token)
    return _WORDS.get(token, token)
