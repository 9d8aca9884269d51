"""Many puzzles of one model in one call, on a backend that declares BATCH; every solution is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import LimitReached, Unsupported, WrongAnswer
from ..model import Model
from . import tree
from .auto import batch_backend, loads
from .budget import Budget, OutOfTime
from .check import PORTION, checker_of, guarded
from .contract import Batch, BatchStatus, CompiledWithRows, Feature, Request
from .record import Record
from .registry import BackendLike, Selection, is_ours, select
from .road import normal, prepare, refuse_undeclared

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


NO_LIMIT = (1 << 31) - 1
"""The largest number of solutions counted for a row."""

NOT_SETTLED = "the candidates are not settled: time limit"
"""The message of LimitReached."""

MASK_BITS = 16
"""The largest number of values of a cell for which candidates fit into a mask."""

TRIES, EACH = 256, 12
"""Cells that are asked about together: the first number in total if there are few boards, otherwise the second for each
board."""

FEW = 5
"""While fewer cells than one in this number are settled, single values are asked for."""


def batching(model: Model, spec: BackendLike, load: bool = True) -> Selection | None:
    """Return the engine that answers many puzzles of a model in one call: the named one, or one found for ``auto``.

    None if there is none. What ``auto`` finds is loaded first, unless ``load`` is false.
    """
    found = batch_backend(model) if spec == "auto" else select(spec)
    if found is None or Feature.BATCH not in found.capabilities.features:
        return None
    if tree.on_command_line and not is_ours(found):
        return None
    return found if not load or spec != "auto" or loads(model, found) else None


def run_batch(
    model: Model, spec: BackendLike, grids: Any, request: Request, record: Record | None = None, check: bool = True
) -> Batch:
    """Answer every row of ``grids``; see ``CompiledWithRows`` for the arrays.

    The time limit includes lowering and compiling the model; a row that is not answered in time has the status UNKNOWN.
    Raises Unsupported if the backend does not declare BATCH, TypeError or ValueError if the grids are not boards of the
    model (see ``check_boards``), WrongAnswer (with the row) if a solution breaks the model or an answer is not one
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
        watch = record.stopwatch()
        _check(model, selection, batch, grids, request)
        watch.lap("check")
    return Batch(batch.status, batch.count, batch.values, record)


def _check(
    model: Model, selection: Selection, batch: Batch, grids: NDArray[Any], request: Request, numbers: Any = None
) -> None:
    """Raise WrongAnswer if a solution breaks the model, with its row, which ``numbers`` may name, or if an answer is
    not one that the request can have.
    """
    if not _are_answers(batch, grids, request.limit):
        raise WrongAnswer(f"{selection} returned answers that are impossible for this request", str(selection))
    found = (batch.count > 0).nonzero()[0]
    every = len(found) == len(grids)
    values, rows = (batch.values, grids) if every else (batch.values[found], grids[found])
    wrong = _wrong(model, values, rows, request)
    if wrong is not None:
        row = int(found[wrong] if numbers is None else numbers[found[wrong]])
        raise WrongAnswer(f"{selection} returned a wrong solution for row {row}", str(selection))


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
        compiled: CompiledWithRows = prepare(model, selection, record, clock).compiled
        return compiled, replace(request, time_limit=clock.left)


def _unknown(grids: NDArray[Any], record: Record) -> Batch:
    """Return the answers of a batch whose time was up before its first row."""
    import numpy as np

    record.sizes = {"puzzles": len(grids)}
    status = np.full(len(grids), BatchStatus.UNKNOWN, np.uint8)
    return Batch(status, np.zeros(len(grids), np.int32), np.zeros(grids.shape, np.uint8), record)


def answers_candidates(model: Model, selection: Selection) -> bool:
    """Return whether a backend finds the candidates of many puzzles of a model together."""
    return Feature.BATCH in selection.capabilities.features and not _too_wide(model)


def _too_wide(model: Model) -> str:
    """Return why the candidates of a model do not fit into masks; empty if they do."""
    wide = next((variable for variable in model.variables if len(variable.domain) > MASK_BITS), None)
    if wide is None:
        return ""
    return f"masks of candidates have {MASK_BITS} bits, and {wide.name} has {len(wide.domain)} values"


def run_candidates(model: Model, selection: Selection, grids: Any, request: Request) -> NDArray[Any]:
    """Return the values that each cell of each row has in some solution, as masks; see ``CompiledWithRows``.

    Each of them has been seen in a solution, and these are checked like any others. Raises what ``run_batch`` raises,
    Unsupported also for more values than a mask has bits, and LimitReached for a limit of time, which includes
    lowering and compiling the model.
    """
    import numpy as np

    if reason := _too_wide(model):
        raise Unsupported(reason)
    try:
        compiled, request = _asked(model, selection, grids, request, Record())
    except OutOfTime as error:
        raise LimitReached(NOT_SETTLED) from error
    clock = Budget(request.time_limit).start()

    def ask(numbers: NDArray[Any], masks: NDArray[Any], limit: int) -> Batch:
        """Answer rows of masks, and check the solutions."""
        if clock.expired:
            raise LimitReached(NOT_SETTLED)
        narrower = replace(request, limit=limit, time_limit=clock.left)
        batch = guarded(selection, compiled.rows, masks, narrower)
        _check(model, selection, batch, masks, narrower, numbers)
        if (batch.status == BatchStatus.UNKNOWN).any():
            raise LimitReached(NOT_SETTLED)
        return batch

    every = np.array([(1 << len(variable.domain)) - 1 for variable in model.variables], np.uint16)
    found = np.zeros(grids.shape, np.uint16)
    for start in range(0, len(grids), PORTION):
        part, seen = grids[start : start + PORTION], found[start : start + PORTION]
        numbers = np.arange(start, start + len(part))
        batch = ask(numbers, part, 2)
        _enter(seen, numbers - start, batch)
        if (several := batch.count > 1).any():
            rows = part[several]
            masks = rows if rows.dtype == np.uint16 else np.where(rows == 0, every, bits_of(rows))
            seen[several] = _all_seen(ask, numbers[several], masks, seen[several])
    return found


def _all_seen(
    ask: Callable[[NDArray[Any], NDArray[Any], int], Batch], numbers: Any, masks: NDArray[Any], seen: NDArray[Any]
) -> NDArray[Any]:
    """Return the candidates within rows of masks, of which those in ``seen`` are known.

    In rounds, rows are asked for solutions with values that none has had in a cell: with all of these, or with one of
    them while few cells are settled, since several may then take an engine very long to refute. If there is no such
    solution, the cell loses the values.
    """
    import numpy as np

    rows = np.arange(len(masks))
    while len(rows):
        left = masks[rows] & ~seen[rows]
        at, cell = _some_of_each(left)
        row, wanted = rows[at], left[at, cell]
        settled = (masks[row] & (masks[row] - np.uint16(1)) == 0).sum(axis=1)
        wanted = np.where(settled * FEW < masks.shape[1], wanted & -wanted, wanted)
        tries = masks[row]
        tries[np.arange(len(row)), cell] = wanted
        batch = ask(numbers[row], tries, 1)
        _enter(seen, row, batch)
        refuted = batch.count == 0
        masks[row[refuted], cell[refuted]] &= ~wanted[refuted]
        rows = np.unique(row)
    return seen


def _some_of_each(left: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Choose cells with something left, some of each row, evenly spread; return their rows and columns."""
    import numpy as np

    row, cell = left.nonzero()
    total = np.bincount(row, minlength=len(left))
    each = max(EACH, TRIES // len(left))
    rank = np.arange(len(row)) - np.repeat(np.cumsum(total) - total, total)
    chosen = rank * each // total[row] != (rank - 1) * each // total[row]
    return row[chosen], cell[chosen]


def _enter(found: NDArray[Any], row: NDArray[Any], batch: Batch) -> None:
    """Enter the values of solutions; ``row`` has the rows that they solve, in order."""
    import numpy as np

    solved = batch.count > 0
    bits, rows = bits_of(batch.values[solved]), row[solved]
    begins = np.flatnonzero(np.diff(rows, prepend=-1))
    if len(begins):
        found[rows[begins]] |= bits if len(begins) == len(rows) else np.bitwise_or.reduceat(bits, begins, axis=0)


def check_boards(model: Model, grids: Any) -> None:
    """Check that ``grids`` is an array of boards of a model: see ``CompiledWithRows``.

    Raises TypeError if it is not a numpy array, and ValueError for another type or shape. An invalid value, or a mask
    with bits beyond the values, is reported with its row and cell.
    """
    import numpy as np

    names, k = model.names, max(map(len, model.domains.values()), default=0)
    if not isinstance(grids, np.ndarray) or isinstance(grids, np.ma.MaskedArray):
        raise TypeError(f"{type(grids).__name__} is not an array of boards: a plain numpy array is expected")
    if grids.ndim != 2 or grids.shape[1] != len(names) or grids.dtype not in (np.uint8, np.uint16):
        wanted = f"uint8 (values, 0 open) or uint16 (masks) of shape (n, {len(names)}) is expected"
        raise ValueError(f"an array of {grids.dtype} and shape {grids.shape}: {wanted}")
    masks = grids.dtype == np.uint16
    if masks and k > MASK_BITS:
        raise ValueError(f"masks have {MASK_BITS} bits, and there are {k} values")
    largest = (1 << k) - 1 if masks else k
    if grids.size and int(grids.max()) > largest:
        row, cell = np.argwhere(grids > largest)[0].tolist()
        found = int(grids[row, cell])
        what = f"the mask {found:#x} has bits beyond the {k} values" if masks else f"{found} is not a value: 0 to {k}"
        raise ValueError(f"row {row}, {names[cell]}: {what}{'' if masks else ' (0 open) is expected'}")


def _are_answers(batch: Batch, grids: NDArray[Any], limit: int | None) -> bool:
    """Return whether each row has an answer, and a number of solutions consistent with the limit and its status."""
    most, count, status = min(limit or NO_LIMIT, NO_LIMIT), batch.count, batch.status
    if not len(grids) == len(count) == len(status) or batch.values.shape != grids.shape:
        return False
    within = count.min(initial=0) >= 0 and count.max(initial=0) <= most
    settled = (count == most) | (status == BatchStatus.EXHAUSTED) | ((status == BatchStatus.UNKNOWN) & (count == 0))
    return bool(within and settled.all() and not batch.values[count == 0].any())


def bits_of(values: NDArray[Any]) -> NDArray[np.uint16]:
    """Return bit v - 1 for each value v of up to 16 (uint8), and no bit for 0."""
    import numpy as np

    shifted: NDArray[Any] = np.left_shift(np.uint16(1), values - np.uint8(1), dtype=np.uint16)  # 0 becomes 255, too far
    return shifted


def _wrong(model: Model, places: NDArray[Any], grids: NDArray[Any], request: Request) -> int | None:
    """Return a row that is no solution, or does not keep its grid or the request; None if there is none.

    ``places`` are values as in a batch: the k-th value of the domain, counted from 1.
    """
    import numpy as np

    checker, masks = checker_of(model), grids.dtype == np.uint16
    kept = (bits_of(places) & grids != 0 if masks else (grids == 0) | (grids == places)).all(axis=1)
    plain = all(values == tuple(range(1, len(values) + 1)) for values in model.variables.unlike)
    if not plain:
        kept &= (places <= np.array([len(v.domain) for v in model.variables])).all(axis=1) & places.all(axis=1)
    if not kept.all():
        return int((~kept).argmax())
    rows = places if plain else _values(model, places)
    found = checker.fault_in(rows, request.domains, checker.verdicts(), int)
    return found and found[0]


def _values(model: Model, places: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    far = any(max(map(abs, values), default=0) >= 1 << 62 for values in model.variables.unlike)
    rows = np.empty(places.shape, object if far else np.int64)
    for x, variable in enumerate(model.variables):
        rows[:, x] = np.array(variable.domain, rows.dtype)[places[:, x] - 1]
    return rows
