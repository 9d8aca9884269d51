"""Solve many puzzles of one model in one call, on a backend that declares BATCH; every solution is checked in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import LimitReached, Unsupported, WrongAnswer
from ..model import Houses, Model, houses_of
from . import workers
from .budget import Budget, OutOfTime
from .check import guarded
from .contract import Batch, BatchStatus, CompiledWithRows, Feature, Request, Witnessed
from .prepared import Large
from .record import Record
from .registry import BackendLike, Selection, is_ours, select
from .road import normal, prepare, refuse_undeclared

if TYPE_CHECKING:
    from numpy.typing import NDArray


NO_LIMIT = (1 << 31) - 1
"""The largest number of solutions counted for a row."""

NOT_SETTLED = "the candidates are not settled: time limit"
"""The message of LimitReached."""

MASK_BITS = 16
"""The largest number of values of a cell for which candidates fit into a mask."""


def takes_batches(selection: Selection) -> bool:
    """Return whether a backend solves many puzzles in one call, which is done in this process."""
    declared = Feature.BATCH in selection.capabilities.features
    return declared and (is_ours(selection) or not workers.on_command_line)


def run_batch(
    model: Model, spec: BackendLike, grids: Any, request: Request, record: Record | None = None, check: bool = True
) -> Batch:
    """Answer every row of ``grids``; see ``CompiledWithRows`` for the arrays.

    The time limit includes lowering and compiling the model; a row that is not answered in time has the status UNKNOWN.
    Raises Unsupported if the backend does not declare BATCH, TypeError or ValueError if the grids are not boards of the
    model (see ``check_grids``), WrongAnswer (with the row) if a solution breaks the model or an answer is not one
    that the request can have, BackendFailed if the engine raised.
    With ``check=False`` solutions are not checked, to measure what the check costs.
    """
    selection, record = select(spec), record or Record()
    try:
        compiled, request = _asked(model, selection, grids, request, record)
    except OutOfTime:
        return _unknown(grids, record)
    batch = guarded(selection, compiled.rows, grids, request)
    for name, phase in batch.record.phases.items():
        record.add(name, phase.wall, phase.cpu)
    record.sizes = batch.record.sizes
    if check:
        _check(model, str(selection), grids, request, batch, record)
    return Batch(batch.status, batch.count, batch.values, record)


def _asked(
    model: Model, selection: Selection, grids: Any, request: Request, record: Record
) -> tuple[CompiledWithRows, Request]:
    """Return the compiled model and the request with the time that is left; OutOfTime if none is."""
    if Feature.BATCH not in selection.capabilities.features:
        whole = selection.backend.capabilities
        how = f" here: {', '.join(whole.requires)} is missing" if Feature.BATCH in whole.features else ""
        raise Unsupported(f"{selection} does not declare {Feature.BATCH.value!r}{how}")
    request = normal(model, request)
    refuse_undeclared(selection, request)
    with Budget(request.time_limit) as clock:
        check_boards(model, grids)
        record.backend, record.options, record.seed = selection.backend.name, selection.changed, request.seed
        compiled: CompiledWithRows = _compiled(model, selection, clock, record)
        return compiled, replace(request, time_limit=clock.left)


def _compiled(model: Model, selection: Selection, clock: Budget, record: Record | None = None) -> Any:
    """Return the model compiled in this process, whatever its size; raises OutOfTime if lowering it takes too long.

    Compiling is not interrupted, but its time counts.
    """
    try:
        return prepare(model, selection, record, clock).compiled
    except Large:  # a single run would go on in a child process
        return prepare(model, selection, record).compiled


def _unknown(grids: NDArray[Any], record: Record) -> Batch:
    """Return the answers of a batch whose time was up before its first row."""
    import numpy as np

    record.sizes = {"puzzles": len(grids)}
    status = np.full(len(grids), BatchStatus.UNKNOWN, np.uint8)
    return Batch(status, np.zeros(len(grids), np.int32), np.zeros(grids.shape, np.uint8), record)


def answers_candidates(model: Model, selection: Selection, clock: Budget | None = None) -> bool:
    """Return whether a backend finds the candidates of many puzzles in one call; compiles the model to find out.

    Raises LimitReached if the clock expires first.
    """
    if Feature.BATCH not in selection.capabilities.features:
        return False
    try:
        compiled = _compiled(model, selection, clock or Budget())
    except OutOfTime as error:
        raise LimitReached(NOT_SETTLED) from error
    narrow = max(map(len, model.domains.values()), default=0) <= MASK_BITS
    return narrow and (compiled.witnesses or model.judge is None)


def run_candidates(model: Model, selection: Selection, grids: Any, request: Request) -> NDArray[Any]:
    """Return the values that each cell of each row has in some solution, as masks; see ``CompiledWithRows``.

    If the engine also returns the solutions behind them, these are checked like any others. Otherwise the masks are
    checked for what follows from the model: they lie within what the row allows, every house has every value, and if
    each cell has one. Raises WrongAnswer (with the row), and LimitReached for a limit of time, which includes lowering
    and compiling the model.
    """
    try:
        compiled, request = _asked(model, selection, grids, request, Record())
    except OutOfTime as error:
        raise LimitReached(NOT_SETTLED) from error
    if model.judge is not None and not compiled.witnesses:
        raise Unsupported(f"{selection}: candidates in batches cannot be judged by the rules of the model")
    found = guarded(selection, compiled.candidates, grids, request)
    if found is None:
        raise LimitReached(NOT_SETTLED)
    if compiled.witnesses:
        return _witnessed(model, selection, grids, request, found)
    from .bulk_check import may_be_candidates

    good = may_be_candidates(found.masks, _houses(model).houses, grids)
    if not good.all():
        row = int((~good).nonzero()[0][0])
        raise WrongAnswer(f"{selection} returned wrong candidates for row {row}", str(selection))
    masks: NDArray[Any] = found.masks
    return masks


def _witnessed(model: Model, selection: Selection, grids: Any, request: Request, found: Witnessed) -> NDArray[Any]:
    """Check the solutions behind candidates: each solution must be valid, each candidate must occur in one."""
    import numpy as np

    if found.masks.shape != grids.shape or not ((found.rows >= 0) & (found.rows < len(grids))).all():
        raise WrongAnswer(f"{selection} returned candidates for rows that were not in the request", str(selection))
    good = _holds(model, found.values, grids[found.rows])
    if request.domains:
        good &= _kept(model, request, found.values)
    for solution in _judged(model, found.values, good):
        good[solution] = False
    seen = np.zeros_like(found.masks)
    np.bitwise_or.at(seen, found.rows[good], np.left_shift(np.uint16(1), found.values[good] - np.uint8(1)))
    wrong = (seen != found.masks).any(axis=1)
    wrong[found.rows[~good]] = True
    if wrong.any():
        row = int(wrong.argmax())
        raise WrongAnswer(f"{selection} returned wrong candidates for row {row}", str(selection))
    masks: NDArray[Any] = found.masks
    return masks


def check_boards(model: Model, grids: Any) -> None:
    """Raise TypeError or ValueError if an array does not hold boards of a model; see ``check_grids``."""
    from .bulk_check import check_grids

    houses = houses_of(model)
    check_grids(grids, model.names, len(houses.values) if houses else max(map(len, model.domains.values()), default=0))


def _check(model: Model, name: str, grids: Any, request: Request, batch: Batch, record: Record) -> None:
    """Check all solutions found, against the model and against what each row and the request allowed."""
    from .bulk_check import LARGEST, holds_many

    watch = record.stopwatch()
    if not _are_answers(batch, grids, request.limit):
        raise WrongAnswer(f"{name} returned answers that are impossible for this request", name)
    houses = houses_of(model)
    found = batch.count > 0
    every = bool(found.all())
    values, rows = (batch.values, grids) if every else (batch.values[found], grids[found])
    quick = houses is not None and houses.houses and len(houses.values) <= LARGEST
    good = holds_many(values, houses.houses, rows) if houses and quick else _holds(model, values, rows)
    if request.domains:
        good &= _kept(model, request, values)
    watch.lap("check")
    for row in _judged(model, values, good):
        good[row] = False
    if not good.all():
        row = int(found.nonzero()[0][(~good).nonzero()[0][0]])
        raise WrongAnswer(f"{name} returned a wrong solution for row {row}", name)


def _are_answers(batch: Batch, grids: NDArray[Any], limit: int | None) -> bool:
    """Return whether each row has an answer, and a number of solutions consistent with the limit and its status."""
    most, count, status = min(limit or NO_LIMIT, NO_LIMIT), batch.count, batch.status
    if not len(grids) == len(count) == len(status) or batch.values.shape != grids.shape:
        return False
    within = count.min(initial=0) >= 0 and count.max(initial=0) <= most
    settled = (count == most) | (status == BatchStatus.EXHAUSTED) | ((status == BatchStatus.UNKNOWN) & (count == 0))
    return bool(within and settled.all() and not batch.values[count == 0].any())


def _holds(model: Model, values: NDArray[Any], grids: NDArray[Any]) -> NDArray[Any]:
    """Return for each row whether every constraint holds and the givens of its grid are kept."""
    import numpy as np

    domains = [
        np.array(v.domain, dtype=object if max(map(abs, v.domain), default=0) >= 1 << 62 else None)
        for v in model.variables
    ]
    sizes = np.array([len(d) for d in domains])
    inside: NDArray[Any] = np.asarray(((values >= 1) & (values <= sizes)).all(axis=1))
    places = np.where(inside[:, None], values, 1).astype(np.int64) - 1
    columns = {name: domains[x][places[:, x]] for x, name in enumerate(model.names)}
    good: NDArray[Any] = inside
    for constraint in model.constraints:
        good = good & constraint.holds_many(columns)
    masks = grids.dtype == np.uint16
    kept = (grids.astype(np.int64) >> places) & 1 == 1 if masks else (grids == 0) | (grids == values)
    return np.asarray(good & kept.all(axis=1))


def _judged(model: Model, values: NDArray[Any], good: NDArray[Any]) -> Iterator[int]:
    """Yield the rows, of those that are valid so far, that the model's judge rejects."""
    if model.judge is None:
        return
    for row in good.nonzero()[0].tolist():
        places = values[row].tolist()
        named = {v.name: v.domain[k - 1] for v, k in zip(model.variables, places, strict=True)}
        if model.judge.broken(named):
            yield row


def _houses(model: Model) -> Houses:
    houses = houses_of(model)
    if houses is None:
        raise Unsupported("only models of houses alone are checked in bulk")
    return houses


def _kept(model: Model, request: Request, values: NDArray[Any]) -> NDArray[Any]:
    """Return for each row whether it lies within the domains of the request."""
    import numpy as np

    good = np.ones(len(values), dtype=bool)
    for name, domain in request.domains.items():
        allowed = [k for k, value in enumerate(model.domains[name], 1) if value in domain]
        good &= np.isin(values[:, model.index[name]], allowed)
    return good
