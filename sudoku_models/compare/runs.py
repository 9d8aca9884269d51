"""Running a plan: puzzle by puzzle, backend by backend, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..agreement import Answer, ask, judged
from ..engine.registry import Selection
from ..puzzle import Puzzle
from .plan import Instance, Plan
from .rows import Row, row_of

Started = Callable[[Instance, Selection], None]

_FIRST = "1.....2....3...."


def run(plan: Plan, instances: Iterable[Instance], started: Started | None = None) -> Iterator[list[Row]]:
    """Yield the rows of each instance once all backends have answered and the answers are compared.

    ``started`` is called before each run. When a run is interrupted (KeyboardInterrupt) the rows that the instance has
    are yielded first, and then it is raised.
    """
    warm_up(plan)
    for instance in instances:
        answers: list[tuple[Selection, Answer]] = []
        try:
            for selection in plan.order(instance):
                if started:
                    started(instance, selection)
                answers.append((selection, _answer(plan, instance.puzzle, selection)))
        except KeyboardInterrupt:
            yield _rows(plan, instance, answers)
            raise
        yield _rows(plan, instance, answers)


def warm_up(plan: Plan) -> None:
    """Solve a small puzzle on each backend, so that no measured run pays for loading an engine."""
    puzzle = Puzzle.parse(_FIRST)
    for selection in plan.backends:
        _answer(plan, puzzle, selection)


def _answer(plan: Plan, puzzle: Puzzle, selection: Selection) -> Answer:
    return ask(puzzle, selection, unique=plan.unique, **plan.limits(selection))


def _rows(plan: Plan, instance: Instance, answers: list[tuple[Selection, Answer]]) -> list[Row]:
    verdicts = judged(instance.puzzle, [answer for _, answer in answers])
    pairs = zip(answers, verdicts, strict=True)
    return [row_of(plan, instance, selection, i, answer) for i, ((selection, _), answer) in enumerate(pairs)]
