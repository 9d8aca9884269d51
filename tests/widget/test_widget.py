"""The kernel's side: puzzle, values, candidates, clashes, a watched search, and the page's messages about them."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import traitlets

from sudoku_models import Puzzle, Shape, Status, candidates
from sudoku_models.puzzle import rules
from sudoku_models.widget import SudokuWidget

from .wire import Wire

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FOUR = "12.434.2214....."


def with_cells(widget: SudokuWidget, **cells: int | None) -> list[int | None]:
    values = list(widget.values)
    for name, value in cells.items():
        values[widget.puzzle.shape.cell(name)] = value
    return values


def test_it_starts_with_the_givens_of_a_puzzle_in_any_form_and_changes_can_be_observed() -> None:
    for puzzle in (EASY, Puzzle.parse(EASY), Puzzle.parse(EASY).grid):
        widget = SudokuWidget(puzzle)
        assert widget.values == widget.puzzle.givens == Puzzle.parse(EASY).givens
        assert not widget.setting
    seen: list[Puzzle] = []
    widget.observe(lambda change: seen.append(change["new"]), "puzzle")
    widget.puzzle = "1..............."
    assert seen == [Puzzle.parse("1...............")]
    assert len(widget.values) == 16


def test_without_a_puzzle_what_is_typed_becomes_one() -> None:
    widget = SudokuWidget()
    widget.values = with_cells(widget, R1C1=5, R9C9=6)
    assert widget.puzzle.clues == 2
    widget.setting = False
    widget.values = with_cells(widget, R1C2=7)
    assert (widget.puzzle.clues, widget.grid["R1C2"]) == (2, 7)
    widget.clear()
    assert widget.values == widget.puzzle.givens


@pytest.mark.parametrize("cells", [{"R1C1": 6}, {"R1C3": 10}, {"R1C1": None}])
def test_a_given_is_kept_and_a_value_must_be_of_the_board(cells: dict[str, int | None]) -> None:
    widget = SudokuWidget(EASY)
    with pytest.raises(traitlets.TraitError, match="values: "):
        widget.values = with_cells(widget, **cells)
    assert widget.values == widget.puzzle.givens


def test_a_typed_value_brings_candidates_and_clashes_to_the_page() -> None:
    widget = SudokuWidget(EASY, marks="houses")
    wire = Wire(widget)
    assert widget.candidates["R1C3"] == [1, 2, 4] and "R1C1" not in widget.candidates
    wire.update(values=with_cells(widget, R1C3=4))
    said = wire.known()
    assert said["candidates"]["R2C2"] == [2, 7] and "R1C3" not in said["candidates"]
    wire.update(values=with_cells(widget, R1C4=5))
    assert wire.known()["clashes"] == ("R1C1", "R1C4", "R2C6")
    wire.update(values=with_cells(widget, R1C4=None))
    assert wire.known()["clashes"] == ()
    rule = rules.KillerCage("R1C1 R1C2", 3), rules.Thermo("R4C4 R4C3")
    variant = SudokuWidget(Puzzle.empty(Shape.square(4)).with_rules(*rule))
    variant.values = with_cells(variant, R4C4=4)
    assert variant.clashes == ("R4C4",)
    variant.values = with_cells(variant, R4C4=1, R1C1=2, R1C2=3)
    assert variant.clashes == ("R1C1", "R1C2")


def test_the_candidates_of_all_solutions_are_chosen_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.widget.widget.PATIENCE", 600.0)
    widget = SudokuWidget("1.....2....3....")
    left_by_houses, found = widget.candidates, candidates("1.....2....3....")
    wire = Wire(widget)
    wire.update(marks="solutions")
    said = wire.known()["candidates"]
    assert said == {name: list(found[name]) for name in left_by_houses} != left_by_houses
    widget.values = with_cells(widget, R1C2=3)
    assert not any(widget.candidates.values())


def test_solve_shows_the_solution_and_returns_the_result() -> None:
    widget = SudokuWidget(EASY)
    assert widget.solve("pycosat").unique
    assert (widget.grid.to_line(), widget.candidates) == (SOLVED, {})
    assert SudokuWidget("11..............").solve().status is Status.UNSATISFIABLE


@pytest.mark.parametrize("backend", ["backtracking", "pycosat", "auto"])
def test_a_watched_search_ends_with_the_solution(backend: str) -> None:
    widget = SudokuWidget(EASY)
    widget.watch(backend)
    widget.wait(300)
    assert widget.grid.to_line() == SOLVED
    assert "the only solution" in widget._status["text"] and not widget._status["running"]


def test_a_search_that_the_page_asks_for_is_sent_decision_by_decision() -> None:
    widget = SudokuWidget("1......2........", backend="backtracking", delay=0.001)
    wire = Wire(widget)
    wire.ask(do="watch")
    widget.wait(300)
    said = wire.taken()
    decisions = [len(state["_decisions"]) for state in said if "_decisions" in state]
    assert decisions[:3] == [1, 2, 3] and max(decisions) == 14
    statuses = [state["_status"] for state in said if "_status" in state]
    assert [status["running"] for status in statuses[:2]] == [True, True]
    assert not statuses[-1]["running"] and "more than one solution" in statuses[-1]["text"]
    assert None not in said[-1]["values"]


def test_a_search_is_stopped_and_another_takes_its_place() -> None:
    widget = SudokuWidget(Puzzle.empty(Shape.square(9)), delay=0.5)
    begun = threading.Event()
    widget.observe(lambda _: begun.set(), "_decisions")
    widget.watch("backtracking")
    assert begun.wait(300)
    widget.stop()
    assert "stopped; no solution found so far" in widget._status["text"]
    widget.wait(300)
    widget.puzzle, widget.delay = EASY, 0.0
    widget.watch("backtracking")
    widget.wait(300)
    assert widget.grid.to_line() == SOLVED


def test_a_backend_that_does_not_take_the_puzzle_says_so() -> None:
    widget = SudokuWidget(Puzzle.empty(Shape.square(4)).with_rules(rules.Thermo("R1C1 R1C2")), backend="bitset")
    Wire(widget).ask(do="watch")
    widget.wait(300)
    assert widget._status["failed"] and "bitset" in widget._status["text"]


@pytest.mark.parametrize(
    "state",
    [
        {"values": [7] + [None] * 80},
        {"values": [None] * 16},
        {"values": [[1]] * 81},
        {"values": None},
        {"marks": "none at all"},
        {"delay": -1},
        {"backend": 3},
    ],
)
def test_what_is_refused_is_reported_and_taken_back_on_the_page(state: dict[str, Any]) -> None:
    widget = SudokuWidget(EASY)
    wire, (name,) = Wire(widget), state
    before = getattr(widget, name)
    wire.update(**state)
    said = wire.known()
    assert getattr(widget, name) == said[name] == before
    assert said["_status"]["failed"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        *((content, "is not an action") for content in (None, 3, "watch", {}, {"do": "nothing"}, {"do": ["watch"]})),
        ({"do": "read"}, "empty"),
        ({"do": "read", "text": "zz"}, "is not the beginning of a puzzle"),
        ({"do": "read", "text": "1" * 82}, "82"),
    ],
)
def test_a_message_that_means_nothing_is_reported(content: Any, expected: str) -> None:
    widget = SudokuWidget(EASY)
    wire = Wire(widget)
    wire.receive({"method": "custom", "content": content})
    status = wire.known()["_status"]
    assert status["failed"] and expected in status["text"]
    assert widget.puzzle == Puzzle.parse(EASY)


def test_a_text_that_is_pasted_becomes_the_puzzle() -> None:
    widget = SudokuWidget(EASY)
    wire = Wire(widget)
    wire.ask(do="read", text="1" + "." * 15)
    said = wire.known()
    assert widget.puzzle == Puzzle.parse("1" + "." * 15)
    assert (said["_board"]["width"], len(said["values"]), said["_status"]["text"][:4]) == (4, 16, "read")


def test_a_hint_is_shown_with_its_reason_and_a_wrong_entry_before_any_hint_or_path() -> None:
    widget = SudokuWidget(FOUR)
    wire = Wire(widget)
    wire.ask(do="hint")
    text = wire.known()["_status"]["text"]
    assert text == str(widget.hint()) == "Full house: R1C3 is 3, the last cell of row 1."
    assert widget._shaded[2] == "placed"
    wire.ask(do="hint", cell="R4C4")
    assert "R4C4" in wire.known()["_status"]["text"]
    wire.update(values=with_cells(widget, R1C3=1))
    for what in ("hint", "path"):
        wire.ask(do=what)
        status = widget._status
        assert status["failed"] and status["text"].startswith("R1C3 = 1 is wrong. ")
