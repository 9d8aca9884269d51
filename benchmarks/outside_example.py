"""A program for ``--outside``: it reads one puzzle on each line, and asks this package whether it has one solution."""

from __future__ import annotations

import sys
import time

from sudoku_models import Puzzle
from sudoku_models.engine import auto
from sudoku_models.engine.contract import Request
from sudoku_models.engine.registry import select
from sudoku_models.engine.road import run
from sudoku_models.errors import SudokuModelsError
from sudoku_models.model import Model


def answer(text: str, engine: str, limit: float) -> str:
    """Return the output line for a puzzle: the number of solutions (at most two), and seconds."""
    puzzle = Puzzle.parse(text)
    stated = puzzle.structure
    model = Model(stated.variables, stated.constraints, stated.objective)  # nothing is compiled on it yet
    started = time.process_time()
    try:
        selection = auto.choose(model).selection if engine == "auto" else select(engine)
        with run(model, selection, Request(puzzle.domains, 2, time_limit=limit)) as found:
            number, outcome = sum(1 for _ in found), found.outcome
    except SudokuModelsError as error:
        return f"? 0 {error}".replace("\n", " ")
    in_child = sum(phase.cpu for phase in outcome.record.phases.values()) if outcome.record.isolated else 0.0
    seconds = max(time.process_time() - started, in_child)
    return f"{number} {seconds:.6f}" if number == 2 or outcome.complete else f"? {seconds:.6f} {outcome.reason}"


def main() -> None:
    """Answer puzzles until there are no more."""
    engine, limit = sys.argv[1], float(sys.argv[2])
    for line in sys.stdin:
        try:
            print(answer(line, engine, limit), flush=True)
        except SudokuModelsError as error:
            print(f"? 0 {error}".replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
