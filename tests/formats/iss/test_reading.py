"""ISS constraint strings and links are read, with the meaning that the notation gives them."""

from __future__ import annotations

import subprocess
import sys
from base64 import urlsafe_b64encode

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import link_of, read_iss, write_iss
from sudoku_models.formats.iss.notation import code_of_machine
from sudoku_models.puzzle import rules as r

from .examples import EXAMPLES


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_examples_have_the_stated_number_of_solutions_and_come_back(text: str, expected: int) -> None:
    puzzle = read_iss(text)
    assert count(puzzle, "backtracking").value == expected
    for back in (read_iss(write_iss(puzzle)), read_iss(link_of(puzzle))):
        assert content(back) == content(puzzle)


def content(puzzle: Puzzle) -> tuple[object, ...]:
    return puzzle.shape, puzzle.givens, puzzle.candidates, sorted(map(repr, puzzle.rules))


def test_the_first_text_of_a_process_means_what_it_means_later() -> None:
    text = ".~R1C1_5~R1C2_1_2.Quad~R1C1~5.Quad~R1C1~6"
    script = f"from sudoku_models import Puzzle; print(repr(Puzzle.parse({text!r})), *Puzzle.parse({text!r}).rules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    puzzle = read_iss(text)
    assert done.stdout.split("\n")[0] == f"{puzzle!r} {puzzle.rules[0]}"
    assert puzzle.givens[0] == 5
    assert len(puzzle.rules) == 1


HOSTILE = {
    "nested": ".Or" * 10_000,
    "templates of templates": ".Replicate~____" * 20 + ".~R1C1_1" + ".End" * 20,
    "counted repetitions": ".Regex~KCgoLns5OTl9KXs5OTl9KXs5OTl9KQ~R1C1~R1C2",
    "an exponential pattern": ".Regex~KC58LikqMS4uLi4uLi4uLi4uLi4uLi4uLi4uLi4uLi4u" + "~R1C1" * 500,
    "a huge automaton": ".NFA~Pw" + "_" * 90_000 + "~_~R1C1~R1C2",
    "many cells": ".Var~X~~1000" * 3_000,
    "percents": ".Pair~Oj~_" + "%C3" * 50_000 + "~R1C1~R1C2",
    "pairs": ".PairX~__________________~_" + "~R1C1" * 4_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_answered_soon(name: str) -> None:
    """Each takes far less than a second; the bound is loose, against runaway only."""
    try:
        read_iss(HOSTILE[name])
    except FormatError as error:
        assert len(str(error)) < 2_000


def _patterns(count: int, cells: int = 27) -> str:
    names = "".join(f"~R{i // 9 + 1}C{i % 9 + 1}" for i in range(cells))
    texts = (f"(.*{i % 9 + 1}.{{9}}{i // 9 + 1}.*)" for i in range(count))
    return "".join(f".Regex~{urlsafe_b64encode(text.encode()).decode().rstrip('=')}{names}" for text in texts)


def test_all_patterns_of_a_document_share_one_purse_of_steps() -> None:
    assert len(read_iss(_patterns(3)).rules) == 3
    for _ in range(2):
        with pytest.raises(FormatError, match="Regex: the patterns and automata need more than 3000000 steps in total"):
            read_iss(_patterns(80))


FROM_THE_END = 15
GRID = "~".join(f"R{i}C{j}" for i in range(1, 5) for j in range(1, 5))


def same(text: str) -> Puzzle:
    """Read a string; what is written of it is read as the same puzzle."""
    puzzle = read_iss(text)
    assert content(read_iss(write_iss(puzzle))) == content(puzzle)
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


def test_unknown_regions_come_back() -> None:
    same(".Shape~4x4.NoBoxes.ChaosConstruction.ChaosArrow~R1C3.ChaosCount~R1C2~1~CC1~CC2")
