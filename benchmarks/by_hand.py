"""Each engine on the road and the same engine used by hand, puzzle by puzzle in one run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import median

from sudoku_models import solve

HOUSES = [
    *([(r, c) for c in range(9)] for r in range(9)),
    *([(r, c) for r in range(9)] for c in range(9)),
    *([(r + i, c + j) for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)),
]


def pycosat_by_hand(text: str) -> str:
    """The documented way: all 11,745 clauses, and a unit clause for each given."""
    import pycosat

    def literal(r: int, c: int, v: int) -> int:
        return 81 * r + 9 * c + v

    clauses: list[list[int]] = []
    for r in range(9):
        for c in range(9):
            clauses.append([literal(r, c, v) for v in range(1, 10)])
            clauses += [[-literal(r, c, v), -literal(r, c, w)] for v, w in combinations(range(1, 10), 2)]
    for house in HOUSES:
        for (r, c), (s, d) in combinations(house, 2):
            clauses += [[-literal(r, c, v), -literal(s, d, v)] for v in range(1, 10)]
    clauses += [[literal(i // 9, i % 9, int(x))] for i, x in enumerate(text) if x != "."]
    true = {x for x in pycosat.solve(clauses) if x > 0}
    return "".join(str(next(v for v in range(1, 10) if literal(r, c, v) in true)) for r in range(9) for c in range(9))


def cp_sat_by_hand(text: str) -> str:
    """81 integer variables and 27 all-different constraints, one worker."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_int_var(1, 9, "") if x == "." else model.new_int_var(int(x), int(x), "") for x in text]
    for house in HOUSES:
        model.add_all_different([cells[9 * r + c] for r, c in house])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.solve(model)
    return "".join(str(solver.value(cell)) for cell in cells)


def python_constraint_by_hand(text: str) -> str:
    """81 variables and 27 AllDifferentConstraints for the BacktrackingSolver."""
    from constraint import AllDifferentConstraint, BacktrackingSolver, Problem

    problem = Problem(BacktrackingSolver())
    for i, x in enumerate(text):
        problem.addVariable(i, range(1, 10) if x == "." else [int(x)])
    for house in HOUSES:
        problem.addConstraint(AllDifferentConstraint(), [9 * r + c for r, c in house])
    found = problem.getSolution()
    return "".join(str(found[i]) for i in range(81))


BY_HAND: dict[str, Callable[[str], str]] = {
    "pycosat": pycosat_by_hand,
    "cp-sat": cp_sat_by_hand,
    "python-constraint": python_constraint_by_hand,
}


def by_road(backend: str, text: str) -> str:
    """Solve a puzzle from text to checked grid with the library."""
    grid = solve(text, backend).grid
    assert grid is not None
    return grid.to_line()


def timed(step: Callable[[], str]) -> tuple[float, str]:
    """Return the CPU milliseconds of a step, and its answer."""
    start = time.process_time()
    answer = step()
    return 1000 * (time.process_time() - start), answer


def pair(backend: str, text: str, first: bool) -> tuple[float, float]:
    """Return CPU milliseconds by road and by hand; ``first`` says whether the road goes first."""
    steps = [lambda: by_road(backend, text), lambda: BY_HAND[backend](text)]
    if first:
        (road, a), (hand, b) = timed(steps[0]), timed(steps[1])
    else:
        (hand, b), (road, a) = timed(steps[1]), timed(steps[0])
    if a != b:
        raise SystemExit(f"{backend}: {a} by road, {b} by hand, for {text}")
    return road, hand


def puzzles(path: str | None, first: int) -> list[str]:
    """Return the first lines of a file, or the classic puzzles that are shipped."""
    if path is None:
        from sudoku_models.collection import puzzles as shipped

        return [item.puzzle.to_line() for item in shipped("9x9") if item.solutions == 1][:first]
    lines = [line.split()[0] for line in Path(path).read_text().splitlines() if line.strip() and line[0] != "#"]
    return [line[:81].replace("0", ".") for line in lines[:first]]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", help="one puzzle of 81 characters a line, each with one solution")
    parser.add_argument("--first", type=int, default=100, help="how many puzzles (default 100)")
    parser.add_argument("--backend", action="append", choices=list(BY_HAND), help="only this one; may be repeated")
    options = parser.parse_args()
    texts = puzzles(options.file, options.first)
    print(f"{len(texts)} puzzles; median CPU ms a puzzle, text to grid, warm")
    print(f"{'backend':20}{'by road':>10}{'by hand':>10}{'road / hand':>14}{'hand / road':>14}")
    for backend in options.backend or BY_HAND:
        for text in texts[:3]:
            pair(backend, text, True)
        rows = [pair(backend, text, i % 2 == 0) for i, text in enumerate(texts)]
        road, hand = (median(column) for column in zip(*rows, strict=True))
        ratio = median(a / b for a, b in rows)
        print(f"{backend:20}{road:10.3f}{hand:10.3f}{ratio:14.3f}{median(b / a for a, b in rows):14.2f}")


if __name__ == "__main__":
    main()
