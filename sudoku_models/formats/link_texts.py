"""Links of puzzle programs: recognises the program, and extracts the packed text."""

from __future__ import annotations

import re
from typing import NamedTuple
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
_SEEN = 500
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


class PackedText(NamedTuple):
    """A packed text, and the format of its content: ``f-puzzles`` or ``scl``."""

    kind: str
    text: str


def kind_of_link(text: str) -> str | None:
    """Return the format of a line that is a link: ``f-puzzles``, ``sudokupad``, ``penpa``; None for other text."""
    text = bare(text)
    head = text[:_SEEN]
    return next((name for name, form, short in _ADDRESSES if form.match(head if short else text)), None)


def addresses(text: str) -> list[str]:
    """Return the addresses in a line of prose, without punctuation after them."""
    return [match[0].rstrip(_BEHIND) for match in _ADDRESS.finditer(text)]


def packed_of(text: str) -> PackedText:
    """Extract the packed text from a link; raise FormatError for other text, and for puzzles on a server."""
    text = bare(text)
    match = _F_PUZZLES.match(text) or _PAYLOAD.match(text)
    if match:
        return PackedText(F_PUZZLES, _plain(match[1]))
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
        raise FormatError(f"a SudokuPad link with the prefix {named[1]}: scl, ctc and fpuzzles can be read")
    return PackedText("scl" if named[1] in ("scl", "ctc") else F_PUZZLES, _plain(named[2]))


def link_with(name: str, packed: str) -> str:
    """Return the link to a page that holds the packed text of f-puzzles."""
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
