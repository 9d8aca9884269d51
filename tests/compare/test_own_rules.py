"""Rules that a user states, by three lines of Python or by a function, are compared on every backend."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from sudoku_models import Puzzle
from sudoku_models.compare import compare, resume
from sudoku_models.model import Compare, Constraint
from sudoku_models.puzzle import rules as r

from ..puzzle.rules.boards import SUDOKU, latin_squares

BACKENDS = ["backtracking", "pycosat", "python-constraint"]
FOUR = range(1, 5)


@r.rule
def Sinking(board: r.Board, cells: tuple[str, ...]) -> Iterator[Constraint]:  # noqa: N802
    yield from (Compare(a, ">", b) for a, b in pairwise(cells))


def step(state: int, value: int) -> int | None:
    return None if value == state else value


RULES: dict[str, tuple[r.Rule, object]] = {
    "three lines": (Sinking("R1C1 R2C2 R3C3"), lambda g: g[0] > g[5] > g[10]),
    "a pair": (r.Pair.of("R1C1 R2C2", lambda a, b: a + b == 5, FOUR), lambda g: g[0] + g[5] == 5),
    "a regex": (r.Regex("R1C1 R2C1 R2C2", "[12]*[34]+"), lambda g: _rises([g[0], g[4], g[5]])),
    "a step function": (
        r.Line.of("R1C1 R2C2 R3C3", step, 0, lambda state: state > 2, FOUR),
        lambda g: g[0] != g[5] != g[10] > 2,
    ),
    "a predicate": (
        r.Relation.of("R1C1 R2C2 R3C3", lambda a, b, c: a * b == c, FOUR),
        lambda g: g[0] * g[5] == g[10],
    ),
}


def _rises(values: list[int]) -> bool:
    high = [value > 2 for value in values]
    return high[-1] and high == sorted(high)


def puzzles() -> list[Puzzle]:
    return [Puzzle.empty(SUDOKU).with_rules(rule) for rule, _ in RULES.values()]


def expected() -> list[int]:
    return [sum(map(bool, map(holds, latin_squares(True)))) for _, holds in RULES.values()]  # type: ignore[arg-type]


def test_they_are_compared_with_a_journal_and_resumed(tmp_path: Path) -> None:
    comparison = compare(puzzles(), BACKENDS, goal="count", directory=tmp_path)
    counts = {(row.puzzle, row.backend): row.count for row in comparison.rows}
    numbers = expected()
    assert all(0 < number < 288 for number in numbers)
    assert counts == {(i, name): numbers[i - 1] for i in range(1, len(numbers) + 1) for name in BACKENDS}
    assert comparison.agree
    assert resume(tmp_path).rows == comparison.rows
    assert [instance.puzzle for instance in comparison.instances] == puzzles()


JUDGING = """
from dataclasses import dataclass
from itertools import pairwise
from sudoku_models import Puzzle
from sudoku_models.compare import compare
from sudoku_models.model import Compare
from sudoku_models.puzzle.rules import CellsRule, ExtraCells, rule

@dataclass(frozen=True)
class Last(CellsRule):
    most: int = 4

    def constraints(self, board):
        return ()

    def judge(self, grid):
        return grid[self.cells[0]] <= self.most

@rule
def Sinking(board, cells):
    yield from (Compare(a, ">", b) for a, b in pairwise(cells))

empty = Puzzle.parse("." * 16)
rules = [Last("R4C4", 1)], [Last("R4C4", 4)], [ExtraCells("V"), Sinking("R1C1 R2C2 R3C3 V")]
for row in compare([empty.with_rules(*some) for some in rules], ["backtracking", "pycosat"], goal="count").rows:
    print(rules[row.puzzle - 1][-1].cells[-1], row.backend, row.status, row.count, row.reason)
"""


def test_rules_of_an_unguarded_script_are_compared_and_judge_every_solution_that_a_worker_counts(
    tmp_path: Path,
) -> None:
    """Their classes are not known in the worker, and the constraints of one allow more than its judge."""
    script = tmp_path / "script.py"
    script.write_text(JUDGING)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    reason = "returned a wrong solution: it breaks the rule Last (R4C4, most 1), though every constraint holds"
    number = sum(g[10] - 1 for g in latin_squares(True) if g[0] > g[5] > g[10])
    assert sorted(done.stdout.splitlines()) == sorted(
        line
        for name in ("backtracking", "pycosat")
        for line in (
            f"R4C4 {name} WRONG None {name} {reason}",
            f"R4C4 {name} solved 288 ",
            f"V {name} solved {number} ",
        )
    )
