"""Texts that grow: twice the text costs each reader and writer about twice the time, whatever is repeated in it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from sudoku_models.formats import FORMATS, parse, write
from sudoku_models.puzzle import Puzzle

from .readers import CLASSIC, READERS, REFUSALS

LENGTH = 24_000
"""Characters. A loop over all pairs of them takes seconds, a loop over each of them milliseconds."""
FLOOR = 0.2
"""Seconds of CPU time below which nothing is compared: of so little, a busy machine could make anything."""
WORST = 3.0
"""The largest ratio of two times of which one is for twice the text. It is 2 for a loop, and 4 for a loop in a loop."""

PIECES = [
    *(" ", "\t", "\n", " \n", "\r", "\x0b", "\u2028", "\xa0"),
    *(".", "0", "9 ", "a", "z=", "_", "-", "+", "|", "/", "\\", "'", '"', "\\'", '\\"', '",', ',""'),
    *("(", ")", "[", "]", "{", "}", "[{", ",", ";", ":", "#", " #", "&", "&a=", "?", "%25", "~", ".Or", "R1C1~"),
    *("http://", "a.b/", "ipuz(", '{"a":', "the line ", "AAAA", "<"),
]
ENVELOPES = [
    *(("", ""), ("", "x"), (CLASSIC, "x"), (f"{CLASSIC} ", "\n1"), ("1 2 3 4\n", "x"), ("1|", "x"), ("# ", "\n1")),
    *(("ipuz({})", "x"), ("ipuz({", "})"), ('{"a":"', '"}'), ("{a:'", "'}"), ('{a:"', "}"), ("{ce:[[", "]]}")),
    ('{"kind":["http://ipuz.org/sudoku', 'x"],"puzzle":[[1]]}'),
    ('{"kind":["http://ipuz.org/sudoku#', 'x"],"puzzle":[[1]]}'),
    ('{"kind":["http://ipuz.org/sudoku"],"version":"http://ipuz.org/v2', 'x","puzzle":[[1]]}'),
    *((".Shape~4x4", "."), (".Shape~4x4.Thermo~", "x"), ("https://sigh.github.io/?", "q=."), ("https://", "/x")),
    *(("https://f-puzzles.com/?", "load="), ("https://sudokupad.app/?", "puzzleid="), ("a https://b.de/", " c")),
    ("https://swaroopg92.github.io/penpa-edit/#m=edit&", "p=AAAA"),
    *(("futoshiki: ", "x"), ("order 3", "x"), ("3x3::k:", "x"), ("[", "]"), ("grid", "|"), ("u1 ", "x")),
    *(("puzzle,title\n", "x"), (f'puzzle,comment\n{CLASSIC},"', "x"), (f'puzzle\n"{CLASSIC[:27]}\n', '"')),
]
"""What stands before and behind the pieces, so that one reader or another goes on to look at them."""


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    try:
        work()
    except (*REFUSALS, RecursionError):
        pass
    return time.process_time() - began


def growth(work: Callable[[int], Callable[[], object]]) -> float:
    """Return the ratio of times for a text and for half of it, 0 below the floor; it is measured again if it is bad."""
    whole = work(LENGTH)
    long, short = seconds(whole), float("inf")
    if long < FLOOR:
        return 0.0
    half = work(LENGTH // 2)
    for _ in range(3):
        short = min(short, seconds(half))
        if long < WORST * short:
            break
        long = min(long, seconds(whole))
    return long / short


def read(name: str, before: str, piece: str, behind: str) -> Callable[[int], Callable[[], object]]:
    def work(length: int) -> Callable[[], object]:
        data = f"{before}{piece * (length // len(piece))}{behind}".encode()
        return lambda: READERS[name].read(data)

    return work


def placed(name: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and behind some places in good texts of a reader."""
    random = Random(name)
    texts = [seed.decode("utf-8", "replace") for seed in READERS[name].seeds()]
    for text in random.sample(texts, min(2, len(texts))):
        for at in (len(text), random.randrange(len(text) + 1)):
            yield text[:at], text[at:]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_no_text_takes_the_recogniser_and_its_readers_long(piece: str) -> None:
    found = {envelope: growth(read("recognised", envelope[0], piece, envelope[1])) for envelope in ENVELOPES}
    assert {envelope: ratio for envelope, ratio in found.items() if ratio >= WORST} == {}


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"recognised"}))
def test_no_piece_within_a_good_text_takes_its_reader_long(name: str) -> None:
    places = [(*place, piece) for place in placed(name) for piece in PIECES]
    found = {place: growth(read(name, place[0], place[2], place[1])) for place in places}
    assert {place: ratio for place, ratio in found.items() if ratio >= WORST} == {}


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if kind.writes])
def test_no_title_or_comment_takes_a_writer_long(name: str) -> None:
    board = parse(CLASSIC)

    def written(piece: str, end: str) -> Callable[[int], Callable[[], object]]:
        def work(length: int) -> Callable[[], object]:
            text = f"x{piece * (length // len(piece))}{end}"
            puzzle: Puzzle = replace(board, title=text, comment=text)
            return lambda: list(write([puzzle], name))

        return work

    found = {(piece, end): growth(written(piece, end)) for piece in PIECES for end in ("", "x")}
    assert {text: ratio for text, ratio in found.items() if ratio >= WORST} == {}


def test_a_loop_in_a_loop_is_found_and_a_long_loop_is_not() -> None:
    def squared(length: int) -> Callable[[], object]:
        return lambda: re.match(r"\s*,?\s*\Z", " " * (length // 2) + "x")

    def long(length: int) -> Callable[[], object]:
        return lambda: [str(number) for number in range(60 * length)]

    assert growth(squared) >= WORST > growth(long)
