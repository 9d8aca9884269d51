"""Constraint strings at the edges of the notation: empty segments, odd boxes, extra cells, large automata."""

from __future__ import annotations

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import read_iss, write_iss
from sudoku_models.formats.iss.notation import code_of_machine
from sudoku_models.puzzle import rules as r

FROM_THE_END = 15
GRID = "~".join(f"R{i}C{j}" for i in range(1, 5) for j in range(1, 5))


def same(text: str) -> Puzzle:
    """Read a string; what is written of it is read as the same puzzle."""
    puzzle = read_iss(text)
    back = read_iss(write_iss(puzzle))
    assert (back.shape, set(back.rules)) == (puzzle.shape, set(puzzle.rules))
    return puzzle


def test_each_dash_of_an_automaton_is_a_break_also_beside_an_empty_segment() -> None:
    at_the_end = ".Shape~4x4.NFA~CQqkBEIMRpswICQzCwKbMZULAlwgptA~R1C4~R1C3"
    assert count(same(at_the_end + "~-")).value == 288
    assert count(read_iss(at_the_end)).value == 264


@pytest.mark.parametrize(("cells", "expected"), [("-~R1C1", 72), ("R1C1~-", 72), ("-~R1C1~-", 0), ("R1C1", 0)])
def test_an_automaton_counts_the_breaks_before_and_behind_the_cells(cells: str, expected: int) -> None:
    one_break_and_a_one = r.Machine(4, (0,), (3,), [(0, 5, 1), (1, 1, 3), (0, 1, 2), (2, 5, 3)])
    puzzle = same(f".Shape~4x4.NFA~{code_of_machine(one_break_and_a_one, 1, 5)}~{cells}")
    assert count(puzzle).value == expected


def from_the_end(place: int) -> r.Machine:
    """Accept words in which a 1 stands ``place`` from the end: made deterministic it has 2 ** place states."""
    arrows = [(0, v, 0) for v in range(1, 5)] + [(0, 1, 1)]
    arrows += [(state, v, state + 1) for state in range(1, place) for v in range(1, 5)]
    return r.Machine(place + 1, (0,), (place,), arrows)


def test_an_automaton_too_large_to_be_made_deterministic_is_taken_as_it_stands() -> None:
    machine = from_the_end(FROM_THE_END)
    puzzle = read_iss(f".Shape~4x4.NFA~{code_of_machine(machine, 1, 4)}~_~{GRID}")
    assert same(write_iss(puzzle)).rules == puzzle.rules
    assert [type(rule) for rule in puzzle.rules] == [r.MachineLine]
    assert count(puzzle, backend="backtracking").value == 72


def test_an_automaton_with_too_many_ways_is_refused() -> None:
    code = code_of_machine(from_the_end(FROM_THE_END), 1, 4)
    with pytest.raises(FormatError, match="NFA"):
        read_iss(f".Shape~4x4.NFA~{code}~_~{'~'.join([GRID] * 310)}")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".Shape~4x4~5.Windoku", ()),
        (".Shape~4x4~5.RegionSize~4.Windoku", (r.Windoku(),)),
        (".Shape~6x6~9.Windoku", (r.Windoku((3, 3)),)),
        (".Shape~5x5.Windoku.DisjointSets", ()),
    ],
)
def test_windows_have_the_region_size_else_as_many_cells_as_values(text: str, rules: tuple[r.Rule, ...]) -> None:
    assert read_iss(text).rules == rules
    if rules != (r.Windoku((3, 3)),):
        assert same(text).rules == rules
