import json
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.model import Automaton
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import with_rules

HEAD = {"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4]}


def own(board: Puzzle) -> str:
    return "".join(write([board], "json"))


def text(**keys: Any) -> str:
    return json.dumps({**HEAD, "givens": "." * 16, **keys})


@pytest.mark.parametrize(
    "rule",
    [
        r.AnyOf((r.AllOf((r.Thermo("R1C1 R1C2"), r.AntiKnight())), r.Parity("R1C1"))),
        r.Pair("R1C1 R1C2", [(1, 2), (2, 1)], True, "a name"),  # type: ignore[arg-type]
        r.Relation("R1C1 R1C2", [(1, 2), (2, 1)]),  # type: ignore[arg-type]
        r.Line((("R1C1",), ("R1C2",)), Automaton(2, 0, [1], [(0, 1, 1)])),
        r.Regex("R1C1 R1C2", "[12]*"),
        r.ExtraCells("X", 2),
        r.ChaosConstruction(6),
        r.EqualSums((("R1C1",), ("R1C2", "R1C3"))),
        r.SumOneOf("R1C1 R1C2", (3, 5)),
        r.Leaper(False, 1, 3, (1, 2)),
        r.SubGrid("R1C1", 6, 6, (2, 3)),
        r.FullRank("R1C1 R1C2 R1C3 R1C4 R1C5 R1C6", 3),
    ],
    ids=str,
)
def test_rules_are_read_back(rule: r.Rule) -> None:
    board = with_rules(rule)
    assert parse(own(board)) == board


def test_the_form_is_canonical_and_leaves_out_what_is_usual() -> None:
    board = Puzzle.empty(Shape.square(4)).with_rules(r.Thermo("r1c1, r1c2"), r.AntiKnight())
    assert own(board) == (
        '{"schema":"sudoku-models/puzzle","version":1,"height":4,"width":4,"values":[1,2,3,4],"box":[2,2],'
        '"givens":"................","rules":[{"rule":"Thermo","cells":["R1C1","R1C2"]},{"rule":"AntiKnight"}]}\n'
    )


def test_a_rule_of_ones_own_is_read_back() -> None:
    @r.rule
    def Falling(board: r.Board, cells: tuple[str, ...]) -> Any:  # noqa: N802
        return ()

    board = with_rules(Falling(("R1C1", "R1C2")))
    try:
        assert parse(own(board)) == board
    finally:
        del r.Rule.kinds["Falling"]


def test_unknown_keys_are_reported() -> None:
    assert parse(text(colour="red")).notes == ("the key 'colour' is not known",)
    with pytest.raises(FormatError, match="colour"):
        parse(text(colour="red"), strict=True)


MANY = {"states": 1_000_000, "start": 0, "accepting": [0], "arrows": []}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"version": 2}, "only version 1"),
    ({"height": 401}, "1 to 400"),
    ({"height": 10**17}, "1 to 400"),
    ({"values": []}, "values"),
    ({"values": list(range(1001))}, "values"),
    ({"givens": "5" + "." * 15}, "not a value"),
    ({"givens": [True] + [None] * 15}, "not a value"),
    ({"givens": "."}, "16 are expected"),
    ({"regions": [["R9C9"]]}, "not a cell"),
    ({"regions": [["R1C1", "R1C1"]]}, "repeats a cell"),
    ({"box": [3, 1]}, "box"),
    ({"candidates": [["R1C9", [1]]]}, "not a cell"),
    ({"candidates": [["R1C1", "1"]]}, "a list"),
    ({"title": 3}, "title"),
    ({"rules": {}}, "a list"),
    ({"rules": [{"rule": "AnyOf", "rules": [None]}]}, "None is not a rule"),
    ({"rules": [{"rule": "Nonsense"}]}, "not known"),
    ({"rules": [{"rule": "Rule"}]}, "not known"),
    ({"rules": [{"rule": "_Line", "cells": []}]}, "not known"),
    ({"rules": [{"rule": "Thermo"}]}, "cells is missing"),
    ({"rules": [{"rule": "Thermo", "cells": ["R1C1"], "x": 1}]}, "no field"),
    ({"rules": [{"rule": "Thermo", "cells": {"a": 1}}]}, "expected"),
    ({"rules": [{"rule": "Thermo", "cells": ["R5C5"]}]}, "not a cell"),
    ({"rules": [{"rule": "KillerCage", "cells": ["R1C1"], "total": 1.5}]}, "not an integer"),
    ({"rules": [{"rule": "KillerCage", "cells": ["R1C1"], "total": 10**15}]}, "out of range"),
    ({"rules": [{"rule": "Line", "segments": [["R1C1"]], "automaton": MANY}]}, "1000000 states"),
    ({"rules": [{"rule": "Line", "segments": [["R1C1"]], "automaton": {"states": 1}}]}, "an automaton has"),
    ({"rules": [{"rule": "Regex", "cells": ["R1C1"], "pattern": "(" * 500}]}, "Regex"),
    ({"rules": [{"rule": "AntiKnight"}] * 201}, "more than 200"),
    ({"rules": [{"rule": "Parity", "cell": "R1C1"}] * 20_001}, "more than 20000"),
]


@pytest.mark.parametrize(("keys", "part"), WRONG)
def test_what_is_wrong_is_reported(keys: dict[str, Any], part: str) -> None:
    with pytest.raises(FormatError, match=part) as caught:
        parse(text(**keys))
    assert "\n" not in str(caught.value)


def test_rules_nested_deeply_are_refused() -> None:
    rule: dict[str, Any] = {"rule": "AntiKnight"}
    for _ in range(200):
        rule = {"rule": "AnyOf", "rules": [rule]}
    with pytest.raises(FormatError, match="nested deeper"):
        parse(text(rules=[rule]))
