"""What is stated wrongly is refused where it is stated: `refused.txt` has expressions, each with its error below it.

For a new one add a line; ``python -m tests.puzzle.test_refused`` writes what is said today.
"""

from __future__ import annotations

from pathlib import Path

from sudoku_models import Grid, Puzzle, Shape
from sudoku_models.model import Compare
from sudoku_models.puzzle import LARGEST_SIDE
from sudoku_models.puzzle import rules as r

FILE = Path(__file__).with_name("refused.txt")
CHAOS = r.ChaosConstruction()
EMPTY, LATIN, RAW = Puzzle.empty(4), Puzzle.empty(Shape.latin(4)), Puzzle.empty(Shape(4, 4, (0, 1, 2, 3), lines=False))
KNOWN = {
    "__name__": __name__,
    "r": r,
    "Grid": Grid,
    "Puzzle": Puzzle,
    "Shape": Shape,
    "Compare": Compare,
    "LARGEST_SIDE": LARGEST_SIDE,
    "CHAOS": CHAOS,
    "EMPTY": EMPTY,
    "LATIN": LATIN,
    "RAW": RAW,
}


def with_error(expression: str) -> str:
    """Return an expression, and its error in the next line, which is "accepted" where there is none."""
    try:
        eval(expression, {**KNOWN})
    except (TypeError, ValueError) as error:
        return f"{expression}\n    {type(error).__name__}: {error}\n"
    return f"{expression}\n    accepted\n"


def today() -> str:
    known = dict(r.Rule.kinds)
    found = "".join(with_error(line) for line in FILE.read_text("utf-8").splitlines() if line[:1].strip())
    r.Rule.kinds.clear()
    r.Rule.kinds.update(known)  # without those that expressions made of functions
    return found


def test_each_is_refused_in_these_words() -> None:
    assert today() == FILE.read_text("utf-8")


if __name__ == "__main__":
    FILE.write_text(today(), "utf-8")
