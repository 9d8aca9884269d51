"""The published JSON Schema of puzzles: what is written keeps it, and what has the wrong form does not."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from sudoku_models.collection import variants
from sudoku_models.errors import FormatError
from sudoku_models.formats import parse
from sudoku_models.formats.own_schema import schema
from sudoku_models.puzzle import rules as r
from tests.fuzz.changes import ODD
from tests.fuzz.readers import boards
from tests.puzzle.rules import test_judges as judged

from .examples import RULES
from .test_own_json import HEAD, WRONG, own, text

jsonschema = pytest.importorskip("jsonschema")

FORMED_WELL: list[dict[str, Any]] = [
    {"givens": "5" + "." * 15},
    {"givens": "."},
    {"regions": [["R9C9"]]},
    {"box": [3, 1]},
    {"candidates": [["R1C9", [1]]]},
    {"rules": [{"rule": "Thermo", "cells": ["R5C5"]}]},
    {"rules": [{"rule": "Regex", "cells": ["R1C1"], "pattern": "(" * 500}]},
    {"rules": [{"rule": "AntiKnight"}] * 201},
]
"""What is wrong for its board only, or as a whole."""
UNKNOWN_REGIONS = [
    r.ChaosConstruction(4),
    r.ChaosArrow("R1C3", (("CC6", "CC7"), ("CC6", "CC10"))),
    r.ChaosCount("R1C3"),
    r.Doppelganger(),
]
OTHER_GRIDS = [
    r.Calculation("R1C1 R1C2", "*", 6),
    r.NumberPath("R1C1 R1C2", True),
    r.Singles([1] * 16),
    r.Balance(),
]
KINDS = [*RULES, *OTHER_GRIDS, *judged.RULES, *judged.IN_BOXES, *judged.IN_LINES, *judged.WHOLE_BOARD, *UNKNOWN_REGIONS]


@pytest.fixture(scope="module")
def valid() -> Any:
    return jsonschema.Draft202012Validator(schema()).is_valid


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_every_kind_of_rule_keeps_the_schema_as_it_is_written(valid: Any) -> None:
    from sudoku_models.formats.own_json import rule_data

    seen = set()
    for rule in KINDS:
        seen |= {type(part).__name__ for part in r.each([rule])}
        assert valid({**HEAD, "givens": "." * 16, "rules": [rule_data(rule)]}), rule
    assert seen >= set(schema()["$defs"]["rule"]["properties"]["rule"]["enum"])


@pytest.mark.parametrize("keys", [keys for keys, _ in WRONG])
def test_a_wrong_form_is_refused_by_the_schema_too(keys: dict[str, Any], valid: Any) -> None:
    assert valid(json.loads(text(**keys))) == (keys in FORMED_WELL)


def test_whatever_the_reader_accepts_keeps_the_schema(valid: Any) -> None:
    """Parts of documents are replaced at random: what is still read has the form that the schema describes."""
    random, read = Random(7), 0
    seeds = [own(item.puzzle) for item in variants("4x4")] + [own(board) for board in boards()[:6]]
    for _ in range(3000):
        document = json.loads(random.choice(seeds))
        holder, key = random.choice(list(places(document)))
        holder[key] = random.choice(ODD)
        try:
            parse(json.dumps(document), input_format="json")
        except FormatError:
            continue
        read += 1
        assert valid(document), document
    assert read > 100


def places(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield value, key
        yield from places(item)
