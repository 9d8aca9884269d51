"""Run a plan, on this machine or on others, yielding rows as they become durable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

from .journal import Journal
from .machine import machine, session
from .plan import Instance, Job, Plan
from .rows import Row, row_of

Started = Callable[[Job], object]


def run(
    plan: Plan,
    instances: Sequence[Instance],
    journal: Journal | None = None,
    *,
    executor: Executor | None = None,
    started: Started | None = None,
) -> Iterator[Row | None]:
    """Run what the journal does not have yet; yield rows once they are durable, and None from time to time in between.

    The rows have the result of each run on its own: ``judge`` compares them. ``started`` is called with each job when
    it begins (on this machine). With an ``executor`` shards of the plan run wherever it runs them, ``plan.parallel`` at
    a time on each machine.
    """
    done = journal.done() if journal else set()
    jobs = (job for job in plan.jobs(instances) if job.key not in done)
    if journal is None:
        yield from _rows(plan, jobs, None, executor, started)
        return
    journal.start(session(plan.backends))
    try:
        for row in _rows(plan, jobs, journal, executor, started):
            if row:
                journal.add(row)
            yield from journal.announced()
            yield None
    except GeneratorExit:
        journal.finish()
        raise
    except BaseException:
        yield from journal.finish()
        raise
    yield from journal.finish()


def _rows(
    plan: Plan, jobs: Iterator[Job], journal: Journal | None, executor: Executor | None, started: Started | None
) -> Iterator[Row | None]:
    if executor is not None:
        from .plan_shards import run_shards

        yield from run_shards(plan, jobs, executor, journal)
        return
    from .pool import Pool

    if journal:
        here = machine()
        journal.host(here["host"], here)
    with Pool(plan, started) as pool:
        for entry in pool.run(jobs):
            yield entry and row_of(plan, *entry)
