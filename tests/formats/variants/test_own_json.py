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


def test_rules_nested_deeply_are_refused() -> None:
    rule: dict[str, Any] = {"rule": "AntiKnight"}
    for _ in range(200):
        rule = {"rule": "AnyOf", "rules": [rule]}
    with pytest.raises(FormatError, match="nested deeper"):
        parse(text(rules=[rule]))


@pytest.mark.parametrize(
    ("keys", "part"),
    [
        ({"values": list(range(1001))}, "1 to 1000 numbers"),
        ({"rules": [{"rule": "AntiKnight"}] * 201}, "more than 200"),
    ],
)
def test_long_lists_are_refused(keys: dict[str, Any], part: str) -> None:
    with pytest.raises(FormatError, match=part):
        parse(text(**keys))
