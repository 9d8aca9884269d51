"""Hostile inputs by kind and reader: each a text with what its refusal says, or the reason why there is none."""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from sudoku_models.formats.links import F_PUZZLES, link_with, packed
from tests.formats.variants.penpa_made import Paper
from tests.formats.variants.penpa_made import lines as penpa_lines
from tests.formats.variants.penpa_made import packed as deflated

from .readers import CLASSIC, READERS


@dataclass(frozen=True)
class Case:
    """A hostile input; ``named`` is a part of the refusal: the place, or what stands there.

    ``strict`` has what is not understood refused, where a reader reports it and goes on.
    """

    make: Callable[[], str | bytes]
    named: str
    strict: bool = False

    def data(self) -> bytes:
        made = self.make()
        return made.encode() if isinstance(made, str) else made


Cases = Mapping[str, Case]
"""The cases of a kind, by the reader's name; readers for which a kind makes no sense have none."""

GIGABYTE = 1 << 30
PENPA = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
DEEP = 100_000


def case(data: str | bytes | Callable[[], str | bytes], expected: str) -> Case:
    return Case(data if callable(data) else lambda: data, expected)


@cache
def bomb(size: int = GIGABYTE) -> str:
    """Pack a gigabyte of one character: every code repeats all that the last one stands for, and one character."""
    bits = [0, 0, *_low_first(ord("a"), 8)]
    width, left, known, length = 3, 4, 4, 1
    while length < size:
        bits += _low_first(known, width)
        length += known - 2
        known += 1
        left -= 1
        if not left:
            left, width = 1 << width, width + 1
    bits += _low_first(2, width) + [0] * 6
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    sixes = (bits[i : i + 6] for i in range(0, len(bits) - 5, 6))
    return "".join(alphabet[int("".join(map(str, six)), 2)] for six in sixes)


def _low_first(number: int, width: int) -> list[int]:
    return [number >> i & 1 for i in range(width)]


def zipped_bomb() -> bytes:
    """Return a gigabyte of one line, as a hundred members of one gzip file."""
    return gzip.compress(b"x" * (GIGABYTE // 100)) * 100


def deflated_bomb() -> str:
    """Return what unpacks to a quarter of a gigabyte, which is as much as the longest packed text holds."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = deflater.compress(b"x" * (GIGABYTE >> 10)) + deflater.flush(zlib.Z_FULL_FLUSH)  # may stand there repeatedly
    return b64encode(part * 256 + deflater.flush()).decode()


def penpa(thermometers: str) -> str:
    """Return a link to penpa-edit that has this text in the place of the list of its thermometers."""
    return PENPA + deflated(penpa_lines(Paper(4), {"thermo": []}).replace("zT: []", f"zT: {thermometers}"))


def own(**keys: Any) -> str:
    head = {"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4]}
    return json.dumps({**head, "givens": "." * 16, **keys})


def foreign(**keys: Any) -> str:
    """Return the JSON of f-puzzles."""
    return json.dumps({"size": 4, "grid": [[{}] * 4] * 4, **keys})


def link(text: str) -> str:
    return link_with(F_PUZZLES, packed(text))


def drawing(text: str) -> str:
    """Return a link to SudokuPad that holds a drawing."""
    return f"https://sudokupad.app/scl{packed(text)}"


def ipuz(**keys: Any) -> str:
    return json.dumps({"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku"], **keys})


def in_f_puzzles(text: Callable[[], str], expected: str, linked: Callable[[], str] | None = None) -> dict[str, Case]:
    """Give the readers of f-puzzles a document: as it is, and in links; a smaller one where packing it takes long."""
    inner = linked or text
    return {
        "f-puzzles-json": Case(text, expected),
        "f-puzzles": Case(lambda: link(inner()), expected),
        "recognised": Case(lambda: link(inner()), expected),
    }


def nested_own() -> str:
    rule: dict[str, Any] = {"rule": "AntiKnight"}
    for _ in range(300):
        rule = {"rule": "AllOf", "rules": [rule]}
    return own(rules=[rule])


def automaton(states: int) -> dict[str, Any]:
    return {"states": states, "start": 0, "accepting": [0], "arrows": []}


def seed(name: str) -> bytes:
    return READERS[name].seeds()[0]


def truncated(name: str) -> bytes:
    return seed(name)[: len(seed(name)) * 2 // 3]


def broken(name: str) -> bytes:
    """Return a good text with two bytes in its middle that are no UTF-8."""
    good = seed(name) if name != "file" else CLASSIC.encode()
    return good[: len(good) // 2] + b"\xff\xfe" + good[len(good) // 2 :]


def _bombs() -> Cases:
    return {
        "f-puzzles": case(lambda: "https://f-puzzles.com/?load=" + bomb(), "no puzzle is that long"),
        "sudokupad": case(lambda: "https://sudokupad.app/ctc" + bomb(), "no puzzle is that long"),
        "recognised": case(lambda: "https://beta.sudokupad.app/?puzzleid=fpuz" + bomb(), "no puzzle is that long"),
        "lzstring": case(bomb, "no puzzle is that long"),
        "links": case(lambda: "see https://f-puzzles.com/?load=" + bomb(), "no puzzle is that long"),
        "penpa": case(lambda: PENPA + deflated_bomb(), "no puzzle is that long"),
        "file": case(zipped_bomb, "line 1"),
        "blocks": case(zipped_bomb, "line"),
    }


def _nested() -> Cases:
    return {
        "json": case(nested_own, "rule 1: the rules are nested deeper than"),
        "ipuz": case('{"kind":["http://ipuz.org/sudoku"],"puzzle":' + "[" * DEEP, "nested too deeply"),
        **in_f_puzzles(lambda: '{"size":9,"grid":' + "[" * DEEP, "nested too deeply"),
        "sudokupad": case(lambda: drawing("{ce:" + "[" * DEEP), "the JSON is cut off"),
        "penpa": case(lambda: penpa("[" * DEEP), "nested too deeply"),
        "iss": case(".Or" * 9_000 + ".End" * 9_000, "nested"),
        "model": case("variable x in 1..2\n" + "Not(" * DEEP, "line 2: nested deeper than"),
    }


def _automata() -> Cases:
    line = {"rule": "Line", "segments": [["R1C1"]], "automaton": automaton(1_000_000)}
    return {
        "json": case(own(rules=[line]), "rule 1: an automaton of 1000000 states"),
        "recognised": case(own(rules=[line]), "rule 1: an automaton of 1000000 states"),
        "iss": case(".Shape~4x4.NFA~Pw" + "_" * 190_000 + "~_~R1C1~R1C2", "NFA"),
        "model": case(
            "variable x in 1..2\nRegular([x], Automaton(1000000, 0, [0], []))", "line 2: an automaton of 1000000 states"
        ),
    }


def _many() -> Cases:
    rule, odd = {"rule": "Parity", "cell": "R1C1"}, {"cell": "R1C1"}
    return {
        "json": case(lambda: own(rules=[rule] * 20_001), "more than 20000 rules"),
        "f-puzzles-json": case(lambda: foreign(odd=[odd] * 20_001), "odd: 20001 items: at most 20000"),
    }


def _huge() -> Cases:
    digits = "9" * 100_000
    value = '{"size":4,"grid":[[{"value":' + digits + "}]]}"
    return {
        "numbers": case("\n".join([f"{digits} " + ". " * 8, *[". " * 9] * 8]), "line 1"),
        "sdx": case("\n".join([f"{digits} " + ". " * 8, *[". " * 9] * 8]), "line 1"),
        "pencilmarks": case("\n".join([f"{digits} 1 2 3", *["1 2 3 4"] * 3]), "R1C1"),
        "killer": case(f"3x3::k:{digits}:" + "0:" * 80, "81 numbers"),
        "ipuz": case(ipuz(puzzle=[[1, 2], [0, 0]]).replace("[1,", f"[{digits},"), "100000 digits"),
        "json": case(own().replace('"height": 4', f'"height": {digits}'), "100000 digits"),
        **in_f_puzzles(lambda: value, "100000 digits"),
        "sudokupad": Case(lambda: drawing("{ce:[[{v:" + digits + "},],[,]]}"), "R1C1", strict=True),
        "iss": case(f".Shape~4x4.Cage~{digits}~R1C1", "Cage"),
        "penpa": case(lambda: penpa(f"[[{digits}]]"), "100000 digits"),
        "grids": case("futoshiki: 3:" + digits, "numbers with the letters U, R, D, L"),
        "model": case(f"variable x in 1..{digits}", "line 1"),
    }


def _bytes() -> Cases:
    return {
        **{
            name: case(partial(broken, name), "is not UTF-8 text (byte ff)")
            for name in READERS
            if name not in ("lzstring", "model")
        },
        "blocks": case(partial(broken, "blocks"), "line 1: this is not UTF-8 text (byte ff)"),
    }


def _wrong() -> Cases:
    bad = CLASSIC[:9] + "?" + CLASSIC[10:]
    return {
        "file": case(bad, "line 1: R2C1: '.' and '?' both stand for open cells"),
        "blocks": case(CLASSIC + "\n" + bad, "line 2"),
        "lzstring": case("????", "?"),
        "model": case("variable x in 1..2\nAllDifferent(3)", "line 2: AllDifferent: other arguments are expected"),
    }


def _truncated() -> Cases:
    return {
        "file": case(lambda: gzip.compress(CLASSIC.encode() * 50)[:-20], "ends"),
        "blocks": case((CLASSIC + "\n" + CLASSIC[:50]), "line 2"),
        "lzstring": case(partial(truncated, "lzstring"), "is cut off"),
        "model": case(partial(truncated, "model"), "line 31"),
    }


def _empty() -> Cases:
    return {"file": case("", "is empty"), "blocks": case("", "is empty"), "lzstring": case("", "is cut off")}


TABLE: Mapping[str, Cases] = {
    "a link that unpacks to a gigabyte": _bombs(),
    "deep nesting": _nested(),
    "an automaton of a million states": _automata(),
    "many rules": _many(),
    "a huge number": _huge(),
    "bytes that are no UTF-8": _bytes(),
    "a wrong text": _wrong(),
    "a truncated text": _truncated(),
    "nothing": _empty(),
}
"""Every kind of hostile input, with the readers that it concerns; `formats/refused.jsonl` has the short ones."""
