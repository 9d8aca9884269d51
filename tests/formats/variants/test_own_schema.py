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
from sudoku_models.puzzle import Puzzle
from sudoku_models.puzzle import rules as r
from tests.fuzz.changes import ODD
from tests.fuzz.readers import boards
from tests.puzzle.rules import test_judges as judged

from .examples import RULES, with_rules
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


def test_every_rule_of_the_package_has_a_form_of_its_own() -> None:
    named = schema()["$defs"]["rule"]["properties"]["rule"]["enum"]
    assert set(named) == {name for name in r.__all__ if isinstance(getattr(r, name), type) and stands(name)}
    assert len(named) >= 88


def stands(name: str) -> bool:
    kind = getattr(r, name)
    return issubclass(kind, r.Rule) and kind.constraints is not r.Rule.constraints


def test_every_puzzle_that_is_written_keeps_the_schema(valid: Any) -> None:
    written = [*(item.puzzle for item in variants()), *boards(), *(with_rules(rule) for rule in RULES)]
    wrong = [puzzle for puzzle in written if not valid(json.loads(own(puzzle)))]
    assert wrong == []


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


def test_few_faults_are_beyond_the_schema() -> None:
    refused = [keys for keys, _ in WRONG if keys not in FORMED_WELL]
    assert (len(refused), len(WRONG)) == (22, 30)


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        None,
        {**HEAD, "givens": "." * 16, "schema": "other"},
        {**HEAD, "givens": "." * 16, "version": "1"},
        {**HEAD, "givens": None},
        {**HEAD, "givens": [True]},
        {**HEAD, "givens": "." * 16, "candidates": [["R1C1"]]},
        {**HEAD, "givens": "." * 16, "lines": 0},
    ],
)
def test_what_is_no_puzzle_is_refused(document: Any, valid: Any) -> None:
    assert not valid(document)
    with pytest.raises(FormatError):
        parse(json.dumps(document), input_format="json")


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


def test_a_rule_of_ones_own_is_no_part_of_the_schema(valid: Any) -> None:
    class Mine(r.CellsRule):
        def constraints(self, board: r.Board) -> Any:
            return ()

    puzzle = Puzzle.parse("." * 16).with_rules(Mine("R1C1"))
    assert parse(own(puzzle)) == puzzle
    assert not valid(json.loads(own(puzzle)))
    assert "Mine" not in schema()["$defs"]
