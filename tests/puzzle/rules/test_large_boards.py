"""Models of large boards stay small, or are refused where they are stated."""

from __future__ import annotations

import random

import pytest

from sudoku_models.model import Regular
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import Board, Filled, Rule

from .boards import random_boards, verdicts

WIDE = Shape(2, 8, tuple(range(1, 41)), lines=False)


def row(number: int, cells: int) -> tuple[str, ...]:
    return tuple(f"R{number}C{i}" for i in range(1, cells + 1))


@pytest.mark.parametrize("rule", [r.AntiTaxicab(), r.AntiTaxicab(True)], ids=str)
def test_more_pairs_of_cells_than_a_model_should_hold_are_refused(rule: Rule) -> None:
    with pytest.raises(ValueError, match=r"AntiTaxicab: more than 250000 pairs of cells .* on 36 x 36"):
        Puzzle.empty(Shape.square(36)).with_rules(rule)


def test_readings_of_a_large_board_are_not_all_compared() -> None:
    with pytest.raises(ValueError, match="NoRankTies: all readings of a board of side 51: at most 50"):
        Puzzle.empty(Shape.latin(51)).with_rules(r.NoRankTies())


@pytest.mark.parametrize("side", [2, 5, 9, 16])
@pytest.mark.parametrize("wrap", [False, True])
def test_the_number_of_pairs_is_told_before_they_are_made(
    side: int, wrap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule, board = r.AntiTaxicab(wrap), Board(Shape(side, side, tuple(range(1, side + 1)), lines=False))
    made = len(list(rule.constraints(board)))
    monkeypatch.setattr("sudoku_models.puzzle.rules.chess.MOST_PAIRS", made - 1)
    with pytest.raises(ValueError, match=r"more than \d+ pairs"):
        rule.check(board)
    if not wrap or side % 2:
        monkeypatch.setattr("sudoku_models.puzzle.rules.chess.MOST_PAIRS", made)
        rule.check(board)


@pytest.mark.parametrize("rule", [r.Lunchbox(row(1, 23), 150), r.Lunchbox(row(1, 7), 60), r.Sandwich(row(1, 25), 90)])
def test_automata_of_lunchboxes_grow_with_the_sum_only(rule: Rule) -> None:
    lines = [c for c in Board(Shape.square(25), [rule]).constraints() if isinstance(c, Regular)]
    assert len(lines) == 1
    assert lines[0].automaton.states <= 2 * 150 + 3


@pytest.mark.parametrize(
    "rule",
    [r.Lunchbox(row(1, 6), 30), r.Lunchbox(row(2, 5), 4), r.Lunchbox(row(1, 3), 99), r.Lockout(row(1, 4), 15)],
    ids=str,
)
def test_judge_and_constraints_agree_where_there_are_many_values(rule: Rule) -> None:
    met = {verdicts(rule, grid) for grid in random_boards(WIDE, [rule], 100)}
    assert met <= {(True, True), (False, False)} and (False, False) in met


def test_a_lunchbox_of_many_values_is_met() -> None:
    chance, rule = random.Random(3), r.Lunchbox(row(1, 5), 40)
    for _ in range(60):
        inner = chance.sample(range(5, 20), 2)
        line = [chance.choice((31, 33)), *inner, 2, 20]
        chance.shuffle(line)
        grid = Filled(Board(WIDE, [rule]), dict.fromkeys(WIDE.names, 1) | dict(zip(rule.cells, line, strict=True)))
        between = line[min(i := line.index(2), j := line.index(max(line))) + 1 : max(i, j)]
        wanted = r.Lunchbox(rule.cells, sum(between))
        assert verdicts(wanted, grid) == (True, True)
        assert verdicts(rule, grid) == (sum(between) == 40,) * 2


def test_neighbours_share_one_table() -> None:
    constraints = list(r.NonConsecutive().constraints(Board(Shape.square(9))))
    assert len({id(c.tuples) for c in constraints}) == 1  # type: ignore[attr-defined]
