"""What someone new to the package writes first, and what the error says to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sudoku_models import Grid, Puzzle, solve
from sudoku_models.explain import hint
from sudoku_models.formats import parse
from sudoku_models.puzzle.rules import AntiKnight, KillerCage, Thermo

FOUR = Puzzle.parse("1.3...2....3.4..")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FOUR.with_givens(None), r'None is not a mapping from cell names to .*\{"R1C1": 5\}'),  # type: ignore[arg-type]
        (lambda: FOUR.with_givens({(0, 1): 2}), r"\(0, 1\) is not a cell: R1C1 to R4C4"),  # type: ignore[dict-item]
        (lambda: FOUR.with_givens({"R1C2": "2"}), "the value of R1C2 is '2', which is not an integer"),  # type: ignore[dict-item]
        (lambda: FOUR.with_candidates({"R1C2": 2}), "R1C2: values are expected"),  # type: ignore[dict-item]
        (lambda: FOUR.with_rules(AntiKnight), r"AntiKnight is a kind of rule.*AntiKnight\(...\)"),  # type: ignore[arg-type]
        (lambda: FOUR + AntiKnight, r"AntiKnight\(...\) makes such a rule"),  # type: ignore[operator]
        (lambda: FOUR.with_rules("AntiKnight"), r"AntiKnight\(...\) makes such a rule"),  # type: ignore[arg-type]
        (lambda: KillerCage(("R1C1",), sum=5), "KillerCage has no field 'sum': cells, total are"),  # type: ignore[call-arg]
        (lambda: Thermo("R1C1", "R1C2"), r"Thermo takes at most 1 values \(cells\), not 2"),  # type: ignore[call-arg,arg-type]
        (lambda: solve(FOUR, "cp-sat:presolve=tru"), "true or false is expected; did you mean true"),
        (lambda: solve(FOUR, "cp-sat:workers=two"), "a whole number is expected"),
        (lambda: hint(FOUR, "R1C2"), r"R1C2 is a cell: hint\(puzzle, cell='R1C2'\)"),
        (lambda: Grid.from_rows(FOUR), "rows of values are expected"),  # type: ignore[arg-type]
        (lambda: parse("puzzle.txt"), "looks like the name of a file"),
        (lambda: parse("order 3"), "quasigroup: 1 to 35 rows"),
    ],
)
def test_a_first_mistake_is_answered_with_what_to_write(call: Callable[[], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()
