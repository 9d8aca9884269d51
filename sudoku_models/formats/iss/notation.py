"""The notation of ISS constraint strings: tokens, blocks and links; bits and automata as text.

Bit sets and pair keys have six bits a character, lowest first; automata are bit streams in URL-safe Base64: states,
start states, accepting states and transitions.
"""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes

from ...errors import FormatError
from ...model import Automaton
from ...puzzle import rules as r
from ...puzzle.rules.steps import AutomatonKey, Made, Steps
from ..kinds.iss import LONGEST, is_link
from ..links import bare

LINK = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="
MOST_TOKENS = 20_000
DEEPEST = 40
BLOCKS = ("Or", "And", "Replicate")


class Token(NamedTuple):
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
    return _nested(pieces)


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


def _nested(pieces: Iterable[str]) -> tuple[Token, ...]:
    inside: list[Token] = []
    outer: list[tuple[str, tuple[str, ...], list[Token]]] = []
    for piece in pieces:
        kind, *arguments = piece.split("~")
        if kind in BLOCKS:
            if len(outer) >= DEEPEST:
                raise FormatError(f"the blocks are nested deeper than {DEEPEST}")
            outer.append((kind, tuple(arguments), inside))
            inside = []
        elif kind == "End":
            if not outer or arguments:
                raise FormatError("End takes no arguments" if arguments else "this End closes no block")
            head, given, around = outer.pop()
            around.append(Token(head, given, tuple(inside)))
            inside = around
        else:
            inside.append(Token(kind or "Given", tuple(arguments)))
    if outer:
        raise FormatError(f"the block {outer[-1][0]} is not closed by .End")
    return tuple(inside)


def every(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens and those inside blocks, depth first."""
    for token in tokens:
        yield token
        if token.inside:
            yield from every(token.inside)


def link(string: str) -> str:
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


ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"
_VALUES = {sign: value for value, sign in enumerate(ALPHABET)}
_BASE64 = re.compile(r"[A-Za-z0-9_-]*\Z")


def bits_of(text: str, most: int) -> list[int]:
    """Return the numbers of the set bits; raise FormatError beyond ``most`` bits."""
    text = text.rstrip(ALPHABET[0])
    if 6 * len(text) >= most + 6:
        raise FormatError(f"{len(text)} characters of bits: {most} bits are expected")
    found = []
    for place, sign in enumerate(text):
        if sign not in _VALUES:
            raise FormatError(f"{sign!r} is not a character of bits: A-Z a-z 0-9 - _ are expected")
        found += [6 * place + i for i in range(6) if _VALUES[sign] >> i & 1]
    if found and found[-1] >= most:
        raise FormatError(f"bit {found[-1]} is set: {most} bits are expected")
    return found


def text_of(bits: Iterable[int]) -> str:
    """Write numbers of bits as text, without trailing zeros."""
    groups: dict[int, int] = {}
    for bit in bits:
        groups[bit // 6] = groups.get(bit // 6, 0) | 1 << bit % 6
    return "".join(ALPHABET[groups.get(i, 0)] for i in range(max(groups, default=-1) + 1))


@lru_cache(256)  # the tokens of a kind share a few keys
def pairs_of(key: str, low: int, size: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of values that a pair key allows, for ``size`` values from ``low`` on."""
    return tuple([(low + bit // size, low + bit % size) for bit in bits_of(key, size * size)])


def pair_key(pairs: Iterable[tuple[int, int]], low: int, size: int) -> str:
    """Write pairs of values as a key."""
    return text_of((a - low) * size + (b - low) for a, b in pairs)


def bytes_of(code: str) -> bytes:
    """Decode URL-safe Base64; ``=`` at its end may be missing."""
    code = code.rstrip("=")
    if not _BASE64.match(code) or len(code) % 4 == 1:
        raise FormatError(f"{code[:40]!r} is not URL-safe Base64")
    return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))


def code_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


Arrows = dict[int, dict[int, int]]
"""The set of next states, as bits, by symbol and then by state."""

MOST_CODE = 100_000
"""The longest code, in characters."""


def automaton_of(code: str, low: int, length: int, steps: Steps | None = None) -> Automaton:
    """Read a code as a deterministic automaton over values; symbol i is ``low`` + i; ``steps`` limits the work.

    ``length`` is the length of the longest word that will be tested. Raises FormatError for a code that cannot be read,
    and ValueError for an automaton that becomes too large.
    """
    if len(code) > MOST_CODE:
        raise FormatError(f"an automaton's code of {len(code)} characters: at most {MOST_CODE} are possible")
    return (steps or Steps()).made(_read, code, (low,), length)


@lru_cache(maxsize=128)
def _read(asked: AutomatonKey) -> Made:
    before = asked.steps.left
    asked.steps.spend(len(asked.source))
    starts, accepting, arrows = _decoded(bytes_of(asked.source)) if asked.source else (0, 0, {})
    if not starts or not accepting:
        return Made(Automaton(1, 0, (), ()), before - asked.steps.left)
    shifted = {symbol + asked.values[0]: table for symbol, table in arrows.items()}
    from ...puzzle.rules.regex import deterministic

    made = deterministic((1 << starts) - 1, shifted, accepting, asked.length, asked.steps)
    return Made(made, before - asked.steps.left)


def machine_of(code: str, low: int) -> r.Machine:
    """Read a code as a nondeterministic automaton; symbol i is ``low`` + i. Raise FormatError for an invalid code."""
    from ...puzzle.rules.regex import members

    starts, accepting, arrows = _decoded(bytes_of(code))
    listed = [(a, symbol + low, b) for symbol, table in arrows.items() for a, bs in table.items() for b in members(bs)]
    ends = members(accepting)
    states = 1 + max([starts - 1, *ends, *(state for a, _, b in listed for state in (a, b))], default=0)
    return r.Machine(states, range(starts), ends, listed)


def _decoded(data: bytes) -> tuple[int, int, Arrows]:
    """Return the number of start states, the set of accepting states, and the transitions.

    In both bytes and numbers, the highest bit comes first.
    """
    bits, at = "".join(f"{byte:08b}" for byte in data), 0

    def take(width: int) -> int:
        nonlocal at
        if at + width > len(bits):
            raise FormatError("the code of an automaton ends too early")
        at += width
        return int(bits[at - width : at] or "0", 2)

    form = take(2)
    if form > 1:
        raise FormatError(f"an automaton's code of format {form}: 0 and 1 are known")
    width, symbols = take(4) + 1, take(4) + 1
    starts, accepts = take(width), take(width)
    at_start = take(starts)
    accepting = at_start | ((1 << accepts) - 1) << starts
    counted = take(4) if form == 0 else 0
    arrows: Arrows = {symbol: {} for symbol in range(symbols)}
    state = 0
    while len(bits) - at >= (counted if form == 0 else symbols) and (form == 1 or counted):
        if counted:  # the symbols of a state's transitions are counted and named, each before its target
            named = (take((symbols - 1).bit_length()) for _ in range(take(counted)))
        else:  # or a set of bits
            mask = take(symbols)
            named = (symbol for symbol in range(symbols) if mask >> symbol & 1)
        for symbol in named:
            if symbol >= symbols:
                raise FormatError(f"an automaton's code names symbol {symbol} of {symbols}")
            arrows[symbol][state] = arrows[symbol].get(state, 0) | 1 << take(width)
        state += 1
    return starts, accepting, arrows


def code_of_machine(machine: r.Machine, low: int, symbols: int) -> str:
    """Write an automaton; raise FormatError if it has more states or symbols than the code can hold.

    The states are ordered: start, accepting, others. The packed form is used if it is possible and shorter.
    """
    order: dict[int, int] = {}
    for state in (*machine.starts, *machine.accepting, *range(machine.states)):
        order.setdefault(state, len(order))
    at_start = [state in machine.accepting for state in machine.starts]
    accepts = len(machine.accepting) - sum(at_start)
    width = max((len(order) - 1).bit_length(), accepts.bit_length(), len(at_start).bit_length(), 1)
    table: list[list[tuple[int, int]]] = [[] for _ in order]
    for a, value, b in machine.arrows:
        if 0 <= value - low < symbols:
            table[order[a]].append((value - low, order[b]))
    counted = max(map(len, table)).bit_length()
    if width > 16 or symbols > 16 or counted > 15:
        raise FormatError(f"an automaton of {len(order)} states and {symbols} symbols is too large for this notation")
    first = sum(1 << i for i, met in enumerate(at_start) if met)
    head = [(width - 1, 4), (symbols - 1, 4), (len(at_start), width), (accepts, width), (first, len(at_start))]
    plain, packed = [(0, 2), *head, (counted, 4)], [(1, 2), *head]
    for arrows in map(sorted, table):
        plain.append((len(arrows), counted))
        packed.append((sum(1 << symbol for symbol, _ in arrows), symbols))
        for symbol, target in arrows:
            plain += [(symbol, (symbols - 1).bit_length()), (target, width)]
            packed.append((target, width))
    one_way = all(len({symbol for symbol, _ in arrows}) == len(arrows) for arrows in table)
    return min(map(_coded, [packed, plain] if one_way else [plain]), key=len)


def _coded(numbers: Iterable[tuple[int, int]]) -> str:
    """Write numbers, each with its width in bits, as Base64, padded with zeros."""
    bits = "".join(format(value, f"0{width}b") for value, width in numbers if width)
    bits += "0" * (-len(bits) % 8)
    return code_of(int(bits, 2).to_bytes(len(bits) // 8, "big"))
