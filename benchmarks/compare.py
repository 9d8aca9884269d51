"""The cost of running a comparison: many runs of a backend that does next to nothing."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from statistics import median

from sudoku_models import Puzzle
from sudoku_models.compare import Journal, Plan, Row, distinct, instances, run
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.model import AllDifferent, InDomain, Model

from .tables import Sample, Table, clock, command, cpu

SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
RUNS = 5_000


@dataclass(frozen=True)
class TrivialOptions:
    """No options."""


class Trivial:
    """Returns the only solution that it knows, and has nothing to compile."""

    name = "trivial"
    Options = TrivialOptions
    capabilities = Capabilities(frozenset({AllDifferent, InDomain}), frozenset({Feature.TIME_LIMIT}))
    native = None

    def capabilities_with(self, options: TrivialOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: TrivialOptions) -> Trivial:
        """Return what searches."""
        return self

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Yield the solution."""
        yield SOLUTION
        return Ending(Reason.LIMIT)


def tables(sample: Sample) -> list[Table]:
    """Measure a comparison with a journal and one without."""
    from benchmarks.compare import Trivial as Importable  # by its own module, so that a worker can import it

    runs = sample.some(RUNS)
    plan = Plan.of([Importable()], unique=False, repeats=runs)
    found = []
    for kept in (True, False):
        rows: list[Row] = []
        seconds: list[float] = []

        def work(kept: bool = kept, rows: list[Row] = rows, seconds: list[float] = seconds) -> None:
            seconds.append(clock(lambda: rows.extend(compared(plan, kept))))

        spent = cpu(work)
        assert len(rows) == runs and {row.status for row in rows} == {"solved"}
        inside = 1000 * median(row.wall for row in rows)
        per_run = (f"{1000 * seconds[0] / runs:.3f}", f"{1000 * spent / runs:.3f}", f"{inside:.3f}")
        found.append(("with a journal" if kept else "in memory", *per_run))
    columns = ("comparison", "ms a run", "CPU ms a run", "the run itself")
    return [Table("The harness of comparisons", columns, found, f"{runs:,} runs, the start of workers included.")]


def compared(plan: Plan, kept: bool) -> list[Row]:
    """Run a plan on one small puzzle."""
    puzzles = distinct(instances([Puzzle.parse("12..............")]))
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.create(folder, plan, puzzles) if kept else None
        return [row for row in run(plan, puzzles, journal) if row]


if __name__ == "__main__":
    command(__doc__, tables)
