import json
from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

from .examples import with_rules

HEAD = {"schema": "sudoku-models/puzzle", "version": 1, "height": 4, "width": 4, "values": [1, 2, 3, 4]}


def own(board: Puzzle) -> str:
    return "".join(write([board], "json"))


def text(**keys: Any) -> str:
    return json.dumps({**HEAD, "givens": "." * 16, **keys})


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
