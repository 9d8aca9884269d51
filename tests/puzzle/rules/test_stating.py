"""Rules are validated when they are stated, and against the board when they are put on it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from sudoku_models import Grid, Puzzle, Shape, count, solve
from sudoku_models.model import Compare, Constraint
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, CellsRule, Rule, rule

from .boards import LATIN, SUDOKU


@rule
def Falling(board: Board, cells: tuple[str, ...]) -> Any:  # noqa: N802
    yield from (Compare(a, ">", b) for a, b in pairwise(cells))


class Rising(CellsRule):
    def constraints(self, board: Board) -> list[Constraint]:
        return [Compare(a, "<", b) for a, b in pairwise(self.cells)]


@pytest.mark.parametrize("kind", [Falling, Rising])
@pytest.mark.parametrize("backend", ["backtracking", "cp-sat", "pycosat", "python-constraint"])
def test_a_rule_of_ones_own_works_on_every_backend(kind: type[CellsRule], backend: str) -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(kind(("R1C1", "R2C2", "R3C3")))
    thermo = Puzzle.empty(SUDOKU).with_rules(r.Thermo(("R1C1", "R2C2", "R3C3")))
    assert count(puzzle, backend).value == count(thermo, "backtracking").value > 0
    grid = solve(puzzle, backend).grid
    assert grid is not None and puzzle.violated(grid) == []


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: r.Thermo(()), "0 cells"),
        (lambda: r.Thermo("A1 R1C1x"), "not the name of a cell"),
        (lambda: r.Thermo(5), "not a list"),
        (lambda: r.Thermo(["R1C1"] * 20_000), "more than"),
        (lambda: r.Renban("R1C1 R1C1"), "appears twice"),
        (lambda: r.KillerCage("R1C1", "seven"), "not an integer"),
        (lambda: r.KillerCage("R1C1", True), "not an integer"),
        (lambda: r.KillerCage("R1C1", 10**30), "out of range"),
        (lambda: r.WeightedSum("R1C1 R1C2", 3, (1,)), "1 weights for 2 cells"),
        (lambda: r.Difference("R1C1 R1C2 R1C3"), "2 are expected"),
        (lambda: r.PillArrow("R1C1 R1C2 R1C3 R1C4", "R2C2"), "2 or 3"),
        (lambda: r.Quadruple("R1C1 R1C2", (1,)), "4 are expected"),
        (lambda: r.LookAndSay("R1C1", (1, 2, 3)), "pairs"),
        (lambda: r.SameValues((("R1C1",), ("R1C2", "R1C3"))), "equal size"),
        (lambda: r.Clone("R1C1", "R1C2 R1C3"), "clones"),
        (lambda: r.Leaper(False, 0, 0), "nowhere"),
        (lambda: r.Leaper("yes"), "neither True nor False"),
        (lambda: r.CompareSums("R1C1", "=", "R1C2"), "is expected"),
        (lambda: r.AnyOf(r.AntiKnight()), "list of rules"),
        (lambda: r.AnyOf(["x"]), "is not a rule"),
        (lambda: r.ExtraCells("v1"), "capital letters"),
        (lambda: r.Pair("R1C1 R1C2", [(1, 2, 3)]), "not a pair"),
        (lambda: r.Relation("R1C1 R1C2", [(1,)]), "the tuple"),
        (lambda: r.Line((("R1C1",),), "automaton"), "not an automaton"),
        (lambda: r.Pair("R1C1 R1C2", max), "Pair.of takes a function"),
    ],
)
def test_what_is_stated_wrongly_is_refused_at_once(make: Callable[[], Rule], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        make()


@pytest.mark.parametrize(
    ("shape", "made", "part"),
    [
        (LATIN, r.Thermo("R1C1 R9C9"), "R9C9 is not a cell"),
        (LATIN, r.AnyOf((r.AllOf((r.OneOf("R5C1", (1,)),)),)), "R5C1"),
        (Shape(2, 3, (1, 2, 3)), r.Diagonal(), "square"),
        (LATIN, r.Windoku(), "no boxes"),
        (LATIN, r.DisjointGroups((3, 2)), "do not divide"),
        (LATIN, r.BoxIndexer("R1C1"), "no region"),
        (Shape(4, 4, (1, 2, 3, 4), lines=False), r.RegionSameValues(), "no rows"),
        (LATIN, r.FullRank("R1C1 R1C2", 3), "whole row"),
        (LATIN, r.Regex("R1C1", "9"), "1 to 4"),
        (LATIN, r.ConnectedValues((1,), None, "VX"), "not a group"),
        (Shape(4, 4, (0, 1, 2, 3)), r.AntiTaxicab(), "from 1 are"),
        (LATIN, "thermo", "is not a rule"),
    ],
)
def test_what_cannot_stand_on_the_board_is_refused(shape: Shape, made: Any, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Puzzle.empty(shape).with_rules(made)


def test_two_groups_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two groups"):
        Puzzle.empty(LATIN).with_rules(r.ExtraCells("V", 2), r.ExtraCells("V", 3))


def test_functions_are_tabulated_when_stated() -> None:
    pair = r.Pair.of("R1C1 R1C2", lambda a, b: a + b == 5, range(1, 5))
    assert pair.allowed == ((1, 4), (2, 3), (3, 2), (4, 1))
    relation = r.Relation.of("R1C1 R2C2 R3C3", lambda a, b, c: a * b == c, range(1, 5))
    line = r.Line.of("R1C1 R1C2 R2C3", lambda s, v: (s + v) % 2, 0, lambda s: s == 0, range(1, 5))
    puzzle = Puzzle.empty(SUDOKU)
    by_hand = [g for g in _grids() if (g[0] + g[1] + g[6]) % 2 == 0 and g[0] * g[5] == g[10] and g[0] + g[1] == 5]
    assert count(puzzle.with_rules(pair, relation, line), "backtracking").value == len(by_hand) > 0


def _grids() -> tuple[tuple[int, ...], ...]:
    from .boards import latin_squares

    return latin_squares(True)


def test_what_is_too_large_to_tabulate_is_refused_with_its_size() -> None:
    with pytest.raises(ValueError, match="9 cells of 9 values have 387420489 combinations"):
        r.Relation.of([f"R1C{i}" for i in range(1, 10)], lambda *v: True)
    with pytest.raises(ValueError, match="pairs"):
        r.Pair.of("R1C1 R1C2", lambda a, b: True, range(1000))
    with pytest.raises(ValueError, match="states"):
        r.Line.of([f"R{i}C{j}" for i in range(1, 10) for j in range(1, 10)], lambda s, v: (*s, v), (), bool)


def test_extra_cells_are_counted_apart() -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(r.ExtraCells("VA", 2), r.Thermo("VA1 VA2 R1C1"))
    expected = sum(g[0] == v for g in _grids() for v in range(1, 5) for _ in range((v - 1) * (v - 2) // 2))
    assert count(puzzle, "backtracking").value == expected
    assert puzzle.structure.names[16:] == ("VA1", "VA2")


def test_a_filled_board_is_judged_with_its_extra_cells() -> None:
    puzzle = Puzzle.empty(SUDOKU).with_rules(r.ExtraCells("V"), r.Thermo("R1C1 V"))
    grid = Grid.from_rows(["1234", "3412", "2143", "4321"])
    with pytest.raises(ValueError, match="V has no value"):
        puzzle.violated(grid)
    values = dict(zip(SUDOKU.names, grid.values, strict=True))
    assert puzzle.violated({**values, "V": 2}) == []
    assert puzzle.violated({**values, "V": 1}) == [puzzle.rules[1]]
    with pytest.raises(ValueError, match="open"):
        puzzle.violated(Grid(SUDOKU, (None,) * 16))


def test_a_relation_of_more_sets_than_are_listed_is_refused_where_it_is_stated() -> None:
    cells = " ".join(f"R1C{c}" for c in range(1, 13))
    with pytest.raises(ValueError, match="sets of values add up to 100"):
        Puzzle.empty(Shape.square(25)).with_rules(r.RellikCage(cells, 100))


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        (r.KillerCage("R1C1 R1C2", 6), "Killer cage (R1C1 R1C2, total 6)"),
        (r.AntiKing(), "Anti-king"),
        (r.AnyOf((r.AntiKing(), r.Thermo("R1C1 R1C2"))), "Any of (Anti-king; Thermo (R1C1 R1C2))"),
    ],
)
def test_a_rule_is_reported_in_words(stated: Rule, expected: str) -> None:
    assert str(stated) == expected


@pytest.mark.parametrize(
    "stated",
    [
        r.Pair.of("R1C1 R1C2", lambda a, b: a < b),
        r.Relation.of("R1C1 R1C2", lambda a, b: a < b),
        r.Line.of("R1C1 R1C2", lambda state, value: value, 0, bool),
    ],
)
def test_a_function_that_was_not_asked_about_the_values_of_a_board_is_refused_there(stated: Rule) -> None:
    assert Puzzle.empty(Shape.square(9)).with_rules(stated).rules == (stated,)
    with pytest.raises(ValueError, match=r"called with the values 1 to 9, but the board has 10: name the values"):
        Puzzle.empty(Shape.square(12)).with_rules(stated)
    with pytest.raises(ValueError, match=r"the board has 0"):
        Puzzle.empty(Shape(4, 4, range(4))).with_rules(stated)


def test_rules_are_given_one_by_one() -> None:
    with pytest.raises(TypeError, match=r"as separate arguments, with_rules\(\*rules\)"):
        Puzzle.empty(LATIN).with_rules([r.AntiKing()])  # type: ignore[arg-type]
