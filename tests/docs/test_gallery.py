"""The gallery of rules holds every kind of rule, on a board that has a solution, with the texts of the formats."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import Puzzle, solve
from sudoku_models.puzzle import rules

from .pages import FOLDER


@pytest.fixture
def gallery(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that makes the pages, beside them."""
    monkeypatch.syspath_prepend(str(FOLDER))
    import gallery

    return gallery


def test_each_kind_of_rule_has_an_entry_on_a_board_with_a_solution(gallery: Any) -> None:
    offered = (getattr(rules, name) for name in rules.__all__)
    kinds = {kind for kind in offered if isinstance(kind, type) and issubclass(kind, rules.Rule)}
    examples = [example for room in gallery.ROOMS for example in room.examples]
    assert len(examples) > 90
    assert {type(example.rule) for example in examples} == kinds - {rules.Rule, rules.CellsRule}
    assert [example.kind for example in examples if solve(example.puzzle).status != "solved"] == []


def test_an_entry_shows_the_picture_the_python_and_the_texts(gallery: Any) -> None:
    text = gallery.page(gallery.ROOMS[0])
    thermo = text[text.index("## Thermo") : text.index("## Slow thermo")]
    assert "<svg" in thermo and "strictly increase" in thermo
    assert 'Thermo("R6C1 R5C1 R4C2 R3C3 R3C4")' in thermo
    assert "`iss`, `json`, `f-puzzles`, `f-puzzles-json`, `sudokupad`" in thermo
    link = next(line for line in thermo.splitlines() if ".Shape" in line).strip()
    assert solve(Puzzle.parse(link)).status == "solved"


def test_what_each_kind_of_rule_lacks_is_shown_and_no_kind_loses_what_it_has(gallery: Any) -> None:
    """Run with ``-s`` to see the list."""
    kept = {"drawing": 72, "technique": 27, "turning": 56, "placing": 43, "split": 19}
    found = dict.fromkeys(kept, 0)
    for example in (example for room in gallery.ROOMS for example in room.examples):
        unwritten = sorted({"iss", "f-puzzles-json"} - dict(gallery.written(example.puzzle)).keys())
        print(f"{example.kind}: {', '.join([*gallery.lacking(example), *unwritten]) or 'nothing'}")
        for name in kept:
            found[name] += gallery.TRAITS[name] not in gallery.lacking(example)
    assert found == kept, "a kind lost an attribute, or gained one: enter the number"
