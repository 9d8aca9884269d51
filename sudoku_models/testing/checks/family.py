"""(h) The family of Sudoku: givens, candidates and counts at random, against the reference; batches against runs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ...engine.contract import Feature, Request, Solution
from ...engine.road import prepare, run
from ...model import Domain, InDomain, Model, Variable
from ..random_boards import NarrowedBoard, random_board, solved, structure
from ..subject import Subject, require
from .conformance_check import checks

SIZES = ((2, 2, 60, (0, 9)), (2, 3, 40, (6, 20)), (3, 2, 20, (6, 20)), (3, 3, 220, (38, 60)))
"""Height and width of a box, the number of boards, and the least and the greatest number of givens."""

LATER = 30
"""Cases for each size for a general backend, which brute force has already tested."""

FEW = 3
"""The same for a backend that may search long without finding anything."""


def boards_against_the_reference(subject: Subject) -> None:
    """Random boards, right and wrong, with givens and candidates: the same solutions as the reference finds."""
    rng = Random("boards")
    some = dict(_sizes(rng))
    most = None if _specialist(subject) else subject.some(LATER) if subject.has(Feature.PROVE) else FEW
    for model in subject.taken(some):
        for board in some[model][:most]:
            _compared(subject, board, rng.choice((1, 2, 5, 20)))


def _sizes(rng: Random) -> Iterator[tuple[Model, list[NarrowedBoard]]]:
    for height, width, count, (least, most) in SIZES:
        model = structure(height, width)
        yield model, [random_board(rng, model, height, width, rng.randint(least, most)) for _ in range(count)]


def _specialist(subject: Subject) -> bool:
    x = Variable("x", (1, 2))
    return subject.refusal(Model([x], [InDomain(x, (1,))])) is not None


def _compared(subject: Subject, board: NarrowedBoard, limit: int) -> None:
    limit = limit if subject.has(Feature.ENUMERATE) else 1
    found, outcome = subject.all(board.model, domains=board.domains, limit=limit)
    truth = list(run(board.model, subject.reference, Request(board.domains, limit)))
    label = f"{subject.selection} on {board}, limit {limit}: "
    require(len(set(found)) == len(found), f"{label}a solution came twice")
    if subject.has(Feature.PROVE):
        require(len(found) == len(truth), f"{label}{len(found)} solutions instead of {len(truth)}")
        require(outcome.complete == (len(found) < limit), f"{label}it ended by {outcome.reason}")
    if len(truth) < limit:
        require(set(found) <= set(truth), f"{label}other solutions than the reference has")
    subject.ran += 1


def solved_boards(subject: Subject) -> None:
    """A full board is its own solution; with one cell changed it has none."""
    rng, model = Random("solved"), structure(3, 3)
    subject.takes(model)
    for _ in range(10):
        grid = tuple(solved(rng, 3, 3))
        found, _ = subject.first(model, domains=_givens(model.names, grid))
        require(found == grid, f"the full board {grid} came back as {found}")
        at = rng.randrange(81)
        wrong = (*grid[:at], 1 + grid[at] % 9, *grid[at + 1 :])
        found, outcome = subject.first(model, domains=_givens(model.names, wrong))
        require(found is None, f"{found} came for a full board with a clash")
        require(outcome.complete == subject.has(Feature.PROVE), f"it ended by {outcome.reason}")
        subject.ran += 2


def _givens(names: tuple[str, ...], grid: Solution) -> dict[str, Domain]:
    return {name: (value,) for name, value in zip(names, grid, strict=True) if value}


def batches(subject: Subject) -> None:
    """``run_many`` on values and on candidate masks: the same counts and solutions as separate runs."""
    subject.needs(Feature.BATCH)
    import numpy as np

    rng, model = Random("batches"), subject.takes(structure(3, 3))
    boards = [random_board(rng, model, 3, 3, rng.randint(26, 60)) for _ in range(60)]
    masks = np.full((len(boards), 81), 0x1FF, dtype=np.uint16)
    for row, board in zip(masks, boards, strict=True):
        for name, values in board.domains.items():
            row[model.index[name]] = sum(1 << (value - 1) for value in values)
    singles = [[d[0] if len(d := b.domains.get(name, ())) == 1 else 0 for name in model.names] for b in boards]
    grids = np.array(singles, dtype=np.uint8)
    plain = [NarrowedBoard(model, _givens(model.names, tuple(row))) for row in singles]
    for limit in (1, 2, 5):
        _batch(subject, boards, masks, limit)
        _batch(subject, plain, grids, limit)


def _batch(subject: Subject, boards: list[NarrowedBoard], grids: object, limit: int) -> None:
    compiled = prepare(boards[0].model, subject.selection).compiled
    batch = compiled.run_many(grids, Request(limit=limit))
    require(len(batch.count) == len(boards), f"{len(boards)} boards, {len(batch.count)} answers")
    for i, board in enumerate(boards):
        truth, _ = subject.all(board.model, domains=board.domains, limit=limit)
        label = f"board {i} of a batch, {board}, limit {limit}: "
        require(batch.count[i] == len(truth), f"{label}{batch.count[i]} solutions instead of {len(truth)}")
        if len(truth) == 1:
            require(tuple(map(int, batch.values[i])) == truth[0], f"{label}another solution than run alone")
        subject.ran += 1


CHECKS = checks(boards_against_the_reference, solved_boards, batches)
