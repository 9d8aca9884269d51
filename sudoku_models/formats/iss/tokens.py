"""Converts text to tokens and back: links, white space, blocks, percent-encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote, unquote_to_bytes

from ...errors import FormatError
from ..kinds.iss import LONGEST, is_link
from ..link_texts import bare

LINK = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="
MOST_TOKENS = 20_000
DEEPEST = 40
BLOCKS = ("Or", "And", "Replicate")


@dataclass(frozen=True)
class Token:
    """One constraint: its type and arguments, and for a block also the tokens inside."""

    type: str
    arguments: tuple[str, ...] = ()
    inside: tuple[Token, ...] = ()

    def __str__(self) -> str:
        head = "." + "~".join(("" if self.type == "Given" else self.type, *self.arguments))
        return head + "".join(map(str, self.inside)) + ".End" if self.type in BLOCKS else head


def tokens_of(text: str) -> tuple[Token, ...]:
    """Split a constraint string or link into tokens; raise FormatError for unclosed blocks and for long texts."""
    if len(text) > LONGEST:
        raise FormatError(f"{len(text)} characters: a constraint string of up to {LONGEST} is expected")
    text = "".join(_string_of(text).split())
    if not text.startswith("."):
        raise FormatError(f"{text[:40]!r} is not a constraint string: it begins with '.'")
    pieces = text.split(".")[1:]
    if len(pieces) > MOST_TOKENS:
        raise FormatError(f"{len(pieces)} constraints: at most {MOST_TOKENS} are possible")
    flat = [Token(parts[0] or "Given", tuple(parts[1:])) for parts in (piece.split("~") for piece in pieces)]
    return _nested(flat)


def _string_of(text: str) -> str:
    """Extract the constraint string from a link; return any other text unchanged."""
    if text.lstrip().startswith("."):
        return text
    stripped = bare(text)
    if not re.match(r"(?i:https?://)", stripped) and not is_link(stripped):
        return text
    query = stripped.partition("?")[2].partition("#")[0]
    found = [part[2:] for part in query.split("&") if part.startswith("q=")]
    if not found:
        raise FormatError("the link has no q=: a constraint string is expected there")
    return unquote(found[0].replace("+", " "))


def _nested(flat: Sequence[Token]) -> tuple[Token, ...]:
    stack: list[tuple[Token, list[Token]]] = [(Token(""), [])]
    for token in flat:
        if token.type in BLOCKS:
            if len(stack) > DEEPEST:
                raise FormatError(f"the blocks are nested deeper than {DEEPEST}")
            stack.append((token, []))
        elif token.type == "End":
            if len(stack) == 1 or token.arguments:
                raise FormatError("End takes no arguments" if token.arguments else "this End closes no block")
            head, inside = stack.pop()
            stack[-1][1].append(Token(head.type, head.arguments, tuple(inside)))
        else:
            stack[-1][1].append(token)
    if len(stack) > 1:
        raise FormatError(f"the block {stack[-1][0].type} is not closed by .End")
    return tuple(stack[0][1])


def every(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens and those inside blocks, depth first."""
    for token in tokens:
        yield token
        yield from every(token.inside)


def link(string: str) -> str:
    """Return the link that holds a constraint string."""
    return LINK + quote(string, safe="-_.")


def decoded(text: str) -> str:
    """Decode percent-encoded UTF-8; return text that cannot be decoded unchanged."""
    try:
        return unquote_to_bytes(text).decode() if not re.search(r"%(?![0-9A-Fa-f]{2})", text) else text
    except UnicodeDecodeError:
        return text


def encoded(text: str) -> str:
    """Percent-encode free text, including '.' and '~'."""
    return quote(text, safe="").replace(".", "%2E").replace("~", "%7E")
