"""Documents from strangers: whatever stands in them there is a puzzle or one clear error, in bounded memory."""

import json
import random
import tracemalloc
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.formats.links import LONGEST_TEXT, packed
from sudoku_models.puzzle import Puzzle
from sudoku_models.puzzle import rules as r

from .examples import JSON, RULES, SIX
from .test_own_json import HEAD
from .test_plain_forms import LINE, LONG, SHORT
from .test_sudokupad import DRAWING, SHORTENED

ALL = Puzzle.empty(SIX).with_rules(*(rule for rule in RULES if not isinstance(rule, r.NonConsecutive)))
OWN = "".join(write([ALL], "json"))
NESTED = Puzzle.empty(SIX).with_rules(r.AnyOf((r.Parity("R1C1"), r.Regex("R1C1 R1C2", "1*"))), r.ExtraCells("X", 3))
DOCUMENTS = {
    "json": [OWN, "".join(write([NESTED], "json"))],
    "f-puzzles": [JSON, "".join(write([ALL], "f-puzzles")), "".join(write([ALL], "f-puzzles-json"))],
    "f-puzzles-json": ["".join(write([ALL], "f-puzzles-json"))],
    "sudokupad": [json.dumps(DRAWING), f"https://sudokupad.app/scl{packed(SHORTENED)}"],
    "ipuz": ["".join(write([parse(LINE)], "ipuz"))],
    "killer": [LONG, SHORT],
    "killer-short": [SHORT],
    "jigsaw": ["1...............\n1112122233343444\n"],
    "pencilmarks": ["".join(write([parse(LINE)], "pencilmarks")), "12 2 34 134\n3 4 1 2\n2 1 4 3\n4 3 2 1"],
    "ss": ["".join(write([parse(LINE)], "ss"))],
    "sdx": ["".join(write([parse(LINE)], "sdx"))],
}
VALUES = [None, True, -1, 0, 1, 10**17, 1.5, "", "x", "R1C1", "R9C9", [], {}, [[]], ["R1C1"], [{}], {"states": 1}]


def mutated(value: Any, random_: random.Random, left: list[int]) -> Any:
    """Return JSON data with some part replaced, taken away or doubled."""
    left[0] -= 1
    if left[0] == 0:
        return random_.choice(VALUES)
    if isinstance(value, dict):
        return {key: mutated(item, random_, left) for key, item in value.items()}
    if isinstance(value, list):
        made = [mutated(item, random_, left) for item in value]
        if left[0] == 1 and made:
            made.append(random_.choice(made))
        return made
    return value


def parsed_only(text: str, name: str) -> None:
    try:
        assert isinstance(parse(text, input_format=name), Puzzle)
    except FormatError as error:
        assert "\n" not in str(error)


@given(st.integers(0, 10**9), st.integers(1, 400), st.sampled_from([OWN, DOCUMENTS["f-puzzles-json"][0], *[JSON] * 2]))
@settings(max_examples=80, deadline=None)
def test_documents_with_a_part_replaced(seed: int, place: int, document: str) -> None:
    data = mutated(json.loads(document), random.Random(seed), [place])
    parsed_only(json.dumps(data), "json")


@given(st.data(), st.sampled_from(sorted(DOCUMENTS)))
@settings(max_examples=100, deadline=None)
def test_texts_with_some_characters_changed(data: st.DataObject, name: str) -> None:
    text = data.draw(st.sampled_from(DOCUMENTS[name]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 3))
        text = text[:at] + data.draw(st.text("0123456789.,:[]{}\"'RCuv<>^A%=\n \\", max_size=3)) + text[at + cut :]
    parsed_only(text, name)


@cache
def bomb() -> str:
    return packed("a" * (2 * LONGEST_TEXT))


def line_of(length: int) -> list[str]:
    return [f"R{i % 9 + 1}C{i % 9 + 1}" for i in range(length)]


def own(**rule: Any) -> str:
    return json.dumps({**HEAD, "givens": "." * 16, "rules": [{"rule": "Line", "segments": [["R1C1"]], **rule}]})


GRID = [[{}] * 9] * 9
HOSTILE: dict[str, Callable[[], str]] = {  # made when they are read: each process collects the names of all tests
    "a link that unpacks to millions": lambda: f"https://f-puzzles.com/?load={bomb()}",
    "deep lists": lambda: '{"size":9,"grid":' + "[" * 700_000,
    "open strings": lambda: '{"a":"' + '\\"' * 700_000,
    "many lists": lambda: '{"size":9,"grid":[' + "[]," * 490_000 + "[]]}",
    "a huge number": lambda: '{"size":' + "9" * 1_000_000 + "}",
    "a long line": lambda: json.dumps({"size": 9, "grid": GRID, "thermometer": [{"lines": [line_of(150_000)]}]}),
    "many cages": lambda: json.dumps({"size": 9, "grid": GRID, "killercage": [{"cells": ["R1C1"]}] * 60_000}),
    "a million states": lambda: own(automaton={"states": 10**6, "start": 0, "accepting": [], "arrows": []}),
    "many arrows": lambda: own(
        automaton={"states": 2, "start": 0, "accepting": [], "arrows": [[0, 1, 1], [0, 1, 0]] * 60_000}
    ),
    "many whole-board rules": lambda: json.dumps(
        {**HEAD, "givens": "." * 16, "rules": [{"rule": "StrictXV"}] * 50_000}
    ),
    "too long": lambda: '{"a":"' + "x" * 3_000_000 + '"}',
    "a long ipuz row": lambda: json.dumps({"kind": ["http://ipuz.org/sudoku"], "puzzle": [[0] * 400_000]}),
    "a million colons": lambda: "3x3::k:" + "1:" * 1_000_000,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_documents_are_refused_in_bounded_memory(case: str) -> None:
    text = HOSTILE[case]()
    tracemalloc.start()
    try:
        with pytest.raises(FormatError) as caught:
            parse(text)
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()
    assert len(str(caught.value)) < 1_000
