"""What a player does besides values: marks, colours, a path, two solutions; and the way back."""

from __future__ import annotations

from typing import Any

import pytest
import traitlets

from sudoku_models import Puzzle, validate
from sudoku_models.widget import SudokuWidget

from .wire import Wire

FOUR = "12.434.2214....."
SOLVED = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


def with_entry(values: tuple[Any, ...], cell: int, entry: Any) -> tuple[Any, ...]:
    return (*values[:cell], entry, *values[cell + 1 :])


def test_each_change_is_taken_back_and_made_again() -> None:
    widget = SudokuWidget(FOUR)
    states = [(widget.values, widget.corners, widget.colours)]
    for trait, entry in (("values", 3), ("corners", (1, 2)), ("colours", 5)):
        setattr(widget, trait, with_entry(getattr(widget, trait), 2, entry))
        states.append((widget.values, widget.corners, widget.colours))
    for state in reversed(states[:-1]):
        widget.undo()
        assert (widget.values, widget.corners, widget.colours) == state
    widget.undo()  # there is nothing more
    for state in states[1:]:
        widget.redo()
        assert (widget.values, widget.corners, widget.colours) == state
    widget.undo()
    widget.values = with_entry(widget.values, 6, 1)
    widget.redo()  # a new change forgets what was taken back
    assert widget.values[6] == 1 and not any(widget.colours)


def test_givens_that_are_set_are_taken_back_too() -> None:
    widget = SudokuWidget(Puzzle.empty(4), setting=True)
    widget.values = with_entry(widget.values, 0, 4)
    widget.values = with_entry(widget.values, 1, 3)
    widget.setting = False
    widget.undo()
    assert widget.puzzle.givens[:2] == (4, None)
    widget.undo()
    assert widget.puzzle.clues == 0
    widget.redo()
    assert widget.puzzle.givens[:2] == widget.values[:2] == (4, None)


def test_several_changes_of_the_page_at_once_are_one() -> None:
    widget = SudokuWidget(FOUR)
    wire = Wire(widget)
    wire.update(corners=with_entry(widget.corners, 2, [3, 1]), centres=with_entry(widget.centres, 2, [2]))
    assert (widget.corners[2], widget.centres[2]) == ((1, 3), (2,))
    assert wire.known()["_travels"] == (True, False)
    wire.ask(do="undo")
    assert (widget.corners[2], widget.centres[2]) == ((), ())
    assert wire.known()["_travels"] == (False, True)


def test_clearing_is_taken_back_and_another_puzzle_begins_without_a_way_back() -> None:
    widget = SudokuWidget(FOUR)
    widget.values, widget.colours = with_entry(widget.values, 2, 3), with_entry(widget.colours, 2, 1)
    widget.clear()
    assert widget.values == widget.puzzle.givens and set(widget.colours) == {0}
    widget.undo()
    assert (widget.values[2], widget.colours[2]) == (3, 1)
    widget.puzzle = "1" + FOUR[1:4] + "." * 12
    widget.undo()
    assert widget.puzzle.clues == 3 and set(widget.colours) == {0}


@pytest.mark.parametrize(
    ("trait", "wrong"),
    [
        ("corners", ((),) * 3),
        ("corners", ((5,),) * 16),
        ("centres", ("x",) * 16),
        ("centres", (3,) * 16),
        ("colours", (10,) * 16),
    ],
)
def test_marks_that_cannot_be_are_refused(trait: str, wrong: Any) -> None:
    widget = SudokuWidget(FOUR)
    with pytest.raises(traitlets.TraitError, match=f"{trait}: 16 "):
        setattr(widget, trait, wrong)
    assert not any(getattr(widget, trait))


def test_a_path_leads_from_what_is_written_in_to_the_solution() -> None:
    widget = SudokuWidget(FOUR)
    wire = Wire(widget)
    wire.ask(do="path")
    sent = wire.known()["_path"]
    left = [set(values) for values in sent["start"]]
    for step in sent["steps"]:
        for cell, value in step["removed"]:
            left[cell].remove(value)
    assert left == [{value} for value in SOLVED]
    widget.values = with_entry(widget.values, 2, 3)
    assert wire.known()["_path"] == {}
    wire.ask(do="path")
    assert wire.known()["_path"]["start"][2] == [3]
    wire.ask(do="leave_path")
    assert wire.known()["_path"] == {}


def test_two_solutions_are_found_and_compared() -> None:
    widget = SudokuWidget("1" + "." * 15)
    one, two = widget.two_solutions()
    assert one != two and all(validate(grid).legal for grid in (one, two))
    text = widget._status["text"]
    assert text.startswith("Two solutions. They differ in ")
    differ = [name for name in one.shape.names if one[name] != two[name]]
    assert f"{differ[0]} ({one[differ[0]]} or {two[differ[0]]})" in text


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [(FOUR, 1, "This is the only solution."), ("11" + "." * 14, 0, "There is no solution.")],
)
def test_where_there_are_fewer_than_two_that_is_said(text: str, found: int, expected: str) -> None:
    widget = SudokuWidget(text)
    assert len(widget.two_solutions()) == len(widget._found) == found
    assert widget._status["text"] == expected


def test_steps_may_assume_one_solution_where_the_widget_is_set_so() -> None:
    widget = SudokuWidget("12.434.2........")
    assert widget.path().stages
    widget.assume_unique = True
    assert widget.path().stages == ()  # it has several solutions
