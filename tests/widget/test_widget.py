"""The grid's state: puzzle, values, candidates, clashes, and a watched search."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
import traitlets

from sudoku_models import Puzzle, Shape, Status, candidates
from sudoku_models.puzzle import rules
from sudoku_models.widget import SudokuWidget
from sudoku_models.widget.watch import SolvingWatch, View

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def typed(widget: SudokuWidget, **cells: int | None) -> None:
    values = list(widget.values)
    for name, value in cells.items():
        values[widget.puzzle.shape.cell(name)] = value
    widget.values = values


def test_it_starts_with_the_givens_of_a_puzzle_in_any_form() -> None:
    for puzzle in (EASY, Puzzle.parse(EASY), Puzzle.parse(EASY).grid):
        widget = SudokuWidget(puzzle)
        assert widget.values == widget.puzzle.givens == Puzzle.parse(EASY).givens
        assert not widget.setting


def test_without_a_puzzle_what_is_typed_becomes_one() -> None:
    widget = SudokuWidget()
    typed(widget, R1C1=5, R9C9=6)
    assert widget.puzzle.clues == 2
    widget.setting = False
    typed(widget, R1C2=7)
    assert (widget.puzzle.clues, widget.grid["R1C2"]) == (2, 7)
    widget.clear()
    assert widget.values == widget.puzzle.givens


@pytest.mark.parametrize("cells", [{"R1C1": 6}, {"R1C3": 10}, {"R1C1": None}])
def test_a_given_is_kept_and_a_value_must_be_of_the_board(cells: dict[str, int | None]) -> None:
    widget = SudokuWidget(EASY)
    with pytest.raises(traitlets.TraitError, match="values: "):
        typed(widget, **cells)
    assert widget.values == widget.puzzle.givens


def test_candidates_are_what_the_houses_leave() -> None:
    widget = SudokuWidget(EASY)
    assert widget.candidates["R1C3"] == [1, 2, 4]
    assert "R1C1" not in widget.candidates
    typed(widget, R1C4=2)
    assert widget.candidates["R1C3"] == [1, 4]


def test_candidates_of_all_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.widget.widget.PATIENCE", 600.0)
    widget = SudokuWidget("1.....2....3....", marks="solutions")
    found = candidates("1.....2....3....")
    assert widget.candidates == {name: list(found[name]) for name in widget.candidates}
    typed(widget, R1C2=3)
    assert not any(widget.candidates.values())


def test_clashes_are_those_of_houses_and_of_rules() -> None:
    widget = SudokuWidget(EASY)
    typed(widget, R1C4=5)
    assert widget.clashes == ("R1C1", "R1C4", "R2C6")
    rule = rules.KillerCage("R1C1 R1C2", 3), rules.Thermo("R4C4 R4C3")
    variant = SudokuWidget(Puzzle.empty(Shape.square(4)).with_rules(*rule))
    typed(variant, R4C4=4)
    assert variant.clashes == ("R4C4",)
    typed(variant, R4C4=1, R1C1=2, R1C2=3)
    assert variant.clashes == ("R1C1", "R1C2")


def test_solve_shows_the_solution_and_returns_the_result() -> None:
    widget = SudokuWidget(EASY)
    assert widget.solve("pycosat").unique
    assert widget.grid.to_line() == SOLVED
    assert widget.candidates == {}
    assert SudokuWidget("11..............").solve().status is Status.UNSATISFIABLE


def test_changes_can_be_observed() -> None:
    widget, seen = SudokuWidget(EASY), []
    widget.observe(lambda change: seen.append(change["new"]), "puzzle")
    widget.puzzle = "1..............."
    assert seen == [Puzzle.parse("1...............")]
    assert len(widget.values) == 16


@pytest.mark.parametrize("backend", ["backtracking", "pycosat", "auto"])
def test_a_watched_search_ends_with_the_solution(backend: str) -> None:
    widget = SudokuWidget(EASY)
    widget.watch(backend)
    widget.wait(30)
    assert widget.grid.to_line() == SOLVED
    assert "the only solution" in widget._status["text"]
    assert not widget._status["running"]


def test_every_decision_of_the_backtracker_is_shown_when_it_waits_for_them() -> None:
    views: list[View] = []
    SolvingWatch(Puzzle.parse("1......2........"), "backtracking", views.append, lambda: 0.001).start().join(30)
    shown = [view.decisions for view in views if view.decisions]
    assert [len(decisions) for decisions in shown[:3]] == [1, 2, 3]
    final = dict(max(shown, key=len))
    assert len(final) == 14
    assert views[-1].solution
    assert "more than one solution" in views[-1].text


def test_a_search_is_stopped_and_another_takes_its_place() -> None:
    widget = SudokuWidget(Puzzle.empty(Shape.square(9)), delay=0.5)
    begun = threading.Event()
    widget.observe(lambda _: begun.set(), "_decisions")
    widget.watch("backtracking")
    assert begun.wait(30)
    widget.stop()
    assert "stopped; no solution found so far" in widget._status["text"]
    widget.wait(30)
    widget.puzzle, widget.delay = EASY, 0.0
    widget.watch("backtracking")
    widget.wait(30)
    assert widget.grid.to_line() == SOLVED


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"do": "read", "text": "zz"}, "is not the beginning of a puzzle"),
        ({"do": "read", "text": "1" * 82}, "82"),
    ],
)
def test_what_the_page_asks_wrongly_is_reported_there(message: dict[str, Any], expected: str) -> None:
    widget = SudokuWidget(EASY)
    widget._heard(widget, message, None)
    assert widget._status["failed"]
    assert expected in widget._status["text"]
    assert widget.puzzle == Puzzle.parse(EASY)


def test_a_backend_that_does_not_take_the_puzzle_says_so() -> None:
    widget = SudokuWidget(Puzzle.empty(Shape.square(4)).with_rules(rules.Thermo("R1C1 R1C2")), backend="bitset")
    widget._heard(widget, {"do": "watch"}, None)
    widget.wait(30)
    assert widget._status["failed"]
    assert "bitset" in widget._status["text"]


def test_it_tells_what_it_needs() -> None:
    statement = (
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'anywidget' else find(name, *rest)\n"
        "try:\n    import sudoku_models.widget\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", statement], capture_output=True, text=True, check=False, cwd=".")
    assert done.stdout.strip() == "sudoku_models.widget needs anywidget: pip install 'sudoku-models[notebook]'"
