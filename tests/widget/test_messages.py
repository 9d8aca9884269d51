"""The kernel's side alone: what the page sends changes the traits, and what follows from that is sent back."""

from __future__ import annotations

from typing import Any

import pytest

from sudoku_models import Puzzle, candidates
from sudoku_models.widget import SudokuWidget

from .wire import Wire

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def with_cell(widget: SudokuWidget, name: str, value: int | None) -> list[int | None]:
    values = list(widget.values)
    values[widget.puzzle.shape.cell(name)] = value
    return values


def test_a_typed_value_brings_candidates_and_clashes_to_the_page() -> None:
    widget = SudokuWidget(EASY, marks="houses")
    wire = Wire(widget)
    wire.update(values=with_cell(widget, "R1C3", 4))
    said = wire.known()
    assert said["candidates"]["R2C2"] == [2, 7]
    assert "R1C3" not in said["candidates"]
    assert widget.grid["R1C3"] == 4
    wire.update(values=with_cell(widget, "R1C4", 5))
    assert wire.known()["clashes"] == ("R1C1", "R1C4", "R2C6")
    wire.update(values=with_cell(widget, "R1C4", None))
    assert wire.known()["clashes"] == ()


def test_the_marks_are_chosen_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.widget.widget.PATIENCE", 600.0)
    widget = SudokuWidget("1.....2....3....")
    left_by_houses = widget.candidates
    wire = Wire(widget)
    wire.update(marks="solutions")
    said = wire.known()["candidates"]
    assert said == {name: list(candidates("1.....2....3....")[name]) for name in left_by_houses}
    assert said != left_by_houses


def test_a_search_that_the_page_asks_for_is_sent_decision_by_decision() -> None:
    widget = SudokuWidget("1......2........", backend="backtracking", delay=0.001)
    wire = Wire(widget)
    wire.ask(do="watch")
    widget.wait(60)
    said = wire.taken()
    decisions = [len(state["_decisions"]) for state in said if "_decisions" in state]
    assert decisions[:3] == [1, 2, 3]
    statuses = [state["_status"]["running"] for state in said if "_status" in state]
    assert statuses[:2] == [True, True]
    assert statuses[-1] is False
    assert None not in said[-1]["values"]


def test_a_text_that_is_pasted_becomes_the_puzzle() -> None:
    widget = SudokuWidget(EASY)
    wire = Wire(widget)
    wire.ask(do="read", text="1" + "." * 15)
    said = wire.known()
    assert widget.puzzle == Puzzle.parse("1" + "." * 15)
    assert (said["_board"]["width"], len(said["values"]), said["_status"]["text"][:4]) == (4, 16, "read")
    wire.ask(do="read", text="zz")
    assert wire.known()["_status"]["failed"]


REFUSED: list[dict[str, Any]] = [
    {"values": [7] + [None] * 80},
    {"values": [None] * 16},
    {"values": "x"},
    {"values": [[1]] * 81},
    {"values": None},
    {"marks": "none at all"},
    {"delay": -1},
    {"backend": 3},
]


@pytest.mark.parametrize("state", REFUSED)
def test_what_is_refused_is_reported_and_taken_back_on_the_page(state: dict[str, Any]) -> None:
    widget = SudokuWidget(EASY)
    wire = Wire(widget)
    (name,) = state
    before = getattr(widget, name)
    wire.update(**state)
    assert getattr(widget, name) == before
    said = wire.known()
    assert said[name] == before
    assert said["_status"]["failed"]


@pytest.mark.parametrize("content", [None, 3, "watch", {}, {"do": "nothing"}, {"do": "read"}, {"do": ["watch"]}])
def test_a_message_that_means_nothing_is_reported(content: Any) -> None:
    widget = SudokuWidget(EASY)
    wire = Wire(widget)
    wire.receive({"method": "custom", "content": content})
    assert wire.known()["_status"]["failed"]
    assert widget.puzzle == Puzzle.parse(EASY)


def test_a_hint_that_the_page_asks_for_is_shown_with_its_reason() -> None:
    widget = SudokuWidget("12.434.2214.....")
    wire = Wire(widget)
    wire.ask(do="hint")
    text = wire.known()["_status"]["text"]
    assert text == str(widget.hint()) and text == "Full house: R1C3 is 3, the last cell of row 1."
    wire.ask(do="hint", cell="R4C4")
    assert "R4C4" in wire.known()["_status"]["text"]


def test_a_wrong_entry_is_named_before_any_hint() -> None:
    widget = SudokuWidget("12.434.2214.....")
    wire = Wire(widget)
    wire.update(values=with_cell(widget, "R1C3", 1))
    wire.ask(do="hint")
    status = wire.known()["_status"]
    assert status["failed"] and status["text"].startswith("R1C3 = 1 is wrong. ")
