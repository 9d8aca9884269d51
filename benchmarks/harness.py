"""The cost of running a comparison: many runs of a backend that does next to nothing."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from dataclasses import dataclass
from statistics import median

from sudoku_models import Puzzle
from sudoku_models.compare import Journal, Plan, distinct, instances, run
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import Capabilities, Ending, Feature, Reason, Request, Search
from sudoku_models.engine.record import Record
from sudoku_models.model import AllDifferent, InDomain, Model

SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)


@dataclass(frozen=True)
class TrivialOptions:
    """No options."""


class Trivial:
    """Returns the only solution that it knows."""

    name = "trivial"
    Options = TrivialOptions
    capabilities = Capabilities(frozenset({AllDifferent, InDomain}), frozenset({Feature.TIME_LIMIT}))

    def capabilities_with(self, options: TrivialOptions) -> Capabilities:
        """The same for all options."""
        return self.capabilities

    def compile(self, model: Model, options: TrivialOptions) -> TrivialCompiled:
        """Compile nothing."""
        return TrivialCompiled()


class TrivialCompiled:
    """A compiled form with nothing to compile."""

    native = None

    def search(self, request: Request, budget: Budget, record: Record) -> Search:
        """Yield the solution."""
        yield SOLUTION
        return Ending(Reason.LIMIT)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--no-journal", action="store_true", help="keep the rows in memory")
    options = parser.parse_args()
    puzzles = distinct(instances([Puzzle.parse("12..............")]))
    import harness  # its own module, so that a worker can import the backend

    plan = Plan.of([harness.Trivial()], unique=False, repeats=options.runs)
    with tempfile.TemporaryDirectory() as folder:
        journal = None if options.no_journal else Journal.create(folder, plan, puzzles)
        start, cpu = time.perf_counter(), _cpu()
        rows = [row for row in run(plan, puzzles, journal) if row]
        total, cpu = time.perf_counter() - start, _cpu() - cpu
        known = len(list(journal.rows())) if journal else len(rows)
    assert len(rows) == known == options.runs
    assert {row.status for row in rows} == {"solved"}
    inside = sum(row.wall for row in rows)
    print(f"{options.runs} runs: {total:.2f} s in all, start of the worker included")
    print(f"per run: {1e3 * total / len(rows):.3f} ms; the run itself {1e3 * inside / len(rows):.3f} ms ", end="")
    print(f"(median {1e3 * median(row.wall for row in rows):.3f}); harness {1e3 * (total - inside) / len(rows):.3f} ms")
    inside = sum(row.cpu or 0.0 for row in rows)
    print(f"CPU per run, both processes: {1e3 * cpu / len(rows):.3f} ms; ", end="")
    print(f"harness {1e3 * (cpu - inside) / len(rows):.3f} ms")


def _cpu() -> float:
    """Return the CPU seconds of this process and of its children that ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
