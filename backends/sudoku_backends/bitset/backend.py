"""The backend ``bitset`` on the contract: a model is recognised as a classic board, and its puzzles are solved."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Generator, Iterable, Mapping, MutableSequence
from contextlib import closing
from dataclasses import field, replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sudoku_models.dataclass import dataclass
from sudoku_models.engine.base import BackendBase, CompiledBase
from sudoku_models.engine.budget import Budget
from sudoku_models.engine.contract import (
    Batch,
    Capabilities,
    Ending,
    Feature,
    Reason,
    Request,
    Search,
)
from sudoku_models.engine.record import Record
from sudoku_models.errors import BackendMissing, Unsupported
from sudoku_models.model import AllDifferent, Domain, Model
from sudoku_models.model.houses import Square, square_of

N = 9


@dataclass(frozen=True)
class Arrangement:
    """Where the variables of a model lie on a classic board.

    ``cells[9 * r + c]`` is the position in the model of the variable in row r and column c; ``values`` are the nine
    values, of which the k-th stands for the digit k + 1.
    """

    cells: tuple[int, ...]
    values: Domain


def arrange(model: Model) -> Arrangement | str:
    """Return the arrangement of a model, or the reason why it has none; computed once."""
    if "bitset" not in model.memo:
        model.memo["bitset"] = _arrange(model)
    found: Arrangement | str = model.memo["bitset"]
    return found


def _arrange(model: Model) -> Arrangement | str:
    square = square_of(model)
    if square is None:
        return "it is not a square of houses (rows, columns and boxes that all have the same domain)"
    if square.n != N:
        return f"it has side {square.n}: only 9 x 9 is supported"
    if not square.boxes:
        return "it has no boxes"
    lines = _lines(square)
    if lines is None:
        return "its boxes are not the nine 3 x 3 blocks of a board, in any order of rows and columns"
    rows, columns = lines
    return Arrangement(tuple(square.cells[N * r + c] for r in rows for c in columns), square.values)


def _lines(square: Square) -> tuple[list[int], list[int]] | None:
    """Return an order of the rows and one of the columns in which every box is a block; None if there is none."""
    bands = _groups(frozenset(cell // N for cell in box) for box in square.boxes)
    stacks = _groups(frozenset(cell % N for cell in box) for box in square.boxes)
    return (bands, stacks) if bands and stacks else None


def _groups(lines: Iterable[frozenset[int]]) -> list[int] | None:
    """Return the nine lines, grouped in threes as in the boxes; None if the boxes' lines do not form three groups.

    A box of nine cells in three rows and three columns is a block.
    """
    groups = sorted(set(lines), key=min)
    parted = len(groups) == 3 and all(len(group) == 3 for group in groups) and len(frozenset().union(*groups)) == N
    return [line for group in groups for line in sorted(group)] if parted else None


# ---------------------------------------------------------------- the backend


if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .solver import Solver, SolverPool

    Masks = array[int]

WIDTHS = {"auto": None, "4": 4, "8": 8, "16": 16}
ONE = "1"
ALL = 0x1FF
NO_LIMIT = (1 << 31) - 1  # counts are int32
FULL = array("H", [ALL]) * 81


@dataclass(frozen=True)
class BitsetOptions:
    """The options of the backend.

    ``lanes``: the number of states in a vector; by default as many as the processor's vectors have. With 1, and by
    default without llvmlite, it works in plain Python, on one puzzle at a time: nothing is loaded.
    """

    lanes: str = field(default="auto", metadata={"choices": (*WIDTHS, ONE)})


def _refuses_model(model: Model) -> str | None:
    found = arrange(model)
    return found if isinstance(found, str) else None


class Bitset(BackendBase):
    name = "bitset"
    Options = BitsetOptions
    capabilities = Capabilities(
        kinds=frozenset({AllDifferent}),
        features=frozenset({Feature.ENUMERATE, Feature.PROVE, Feature.TIME_LIMIT, Feature.WORKERS, Feature.BATCH}),
        requires=("llvmlite",),
        install="sudoku-models[fast]",
        refuses_model=_refuses_model,
    )

    def capabilities_with(self, options: BitsetOptions) -> Capabilities:
        """Return the capabilities; with one lane it takes no batches, and needs nothing."""
        return _IN_PLAIN_PYTHON if _plainly(options) else self.capabilities

    def compile(self, model: Model, options: BitsetOptions) -> CompiledBitset:
        """Find the board in the model, and load or compile the solver; with one lane return a ``CompiledSingle``."""
        found = arrange(model)
        if isinstance(found, str):
            raise Unsupported(f"bitset: {found}")
        if not _plainly(options):
            return CompiledBitset(model, found, options)
        from .single import CompiledSingle

        single: Any = CompiledSingle(model, found)
        return single  # type: ignore[no-any-return]


def _plainly(options: BitsetOptions) -> bool:
    """Return whether to work in plain Python: if that is asked for, or if there is no compiler and no other wish."""
    return options.lanes == ONE or (options.lanes == "auto" and find_spec("llvmlite") is None)


_IN_PLAIN_PYTHON = replace(
    Bitset.capabilities,
    features=Bitset.capabilities.features - {Feature.WORKERS, Feature.BATCH},
    requires=(),
    install="",
)


BACKEND = Bitset()


class CompiledBitset(CompiledBase):
    """A model as a board; its puzzles differ only in candidates, so that nothing else is compiled."""

    label = "bitset"

    def __init__(self, model: Model, found: Arrangement, options: BitsetOptions) -> None:
        self.model, self.board = model, found
        self.pool = _solvers(options.lanes)
        self._place = {model.names[position]: at for at, position in enumerate(found.cells)}
        self._bit = {value: 1 << k for k, value in enumerate(found.values)}
        self._mask: dict[Domain, int] = {(value,): bit for value, bit in self._bit.items()}
        self._in_order = found.cells == tuple(range(81))
        self._cell_of = _inverse(found.cells)
        self._decode = _decoder(found)

    @property
    def native(self) -> SolverPool:
        """A solver of arrays and text of its own, for boards in row order with the digits 1 to 9."""
        from .solver import SolverPool

        return SolverPool(self.pool.lanes)

    def of_variable(self, name: str) -> int:
        """Return the column of a variable in the arrays of ``native``."""
        return self._place[name]

    def of_value(self, name: str, value: int) -> tuple[int, int]:
        """Return a column and the bit of its mask that represents a value of a variable.

        A mask with only this bit means that the variable has the value, one without the bit that it does not.
        """
        return self._place[name], self._bit[value]

    def values_in(self, answer: Iterable[int]) -> dict[str, int]:
        """Return the values by name of a solved board of ``native``: a row of ``Batch.values``."""
        return dict(zip(self.model.names, self._decode([int(digit) for digit in answer]), strict=True))

    def rows(self, grids: Any, request: Request) -> Batch:
        """Answer many puzzles, see the contract. Unsupported for ``keep`` and ``memory_limit``."""
        if request.keep is not None or request.memory_limit is not None:
            raise Unsupported("bitset: a batch takes neither keep nor a limit on memory")
        record = Record(sizes={"cells": 81, "houses": 27, "puzzles": len(grids)})
        watch = record.stopwatch()
        clock = Budget(request.time_limit)
        clock.start()
        board = self._board(grids, request.domains)
        watch.lap("encode")
        limit = min(request.limit or NO_LIMIT, NO_LIMIT)
        found = self.pool.solve(board, limit, request.workers, clock)
        watch.lap("run")
        values = found.values if self._in_order else found.values[:, self._cell_of]
        watch.lap("decode")
        return Batch(found.status, found.count, values, record)

    def _board(self, grids: Any, domains: Mapping[str, Domain]) -> NDArray[Any]:
        """Return the cells in row order, or candidate masks if the request narrows them."""
        from .solver import checked, masks_of

        board: NDArray[Any] = grids
        if not self._in_order:
            checked(grids)  # or a column too many would be dropped in silence
            board = grids[:, list(self.board.cells)]
        if not domains:
            return board
        import numpy as np

        masks = np.full(81, ALL, np.uint16)
        self._narrow(masks, domains)
        return masks_of(board) & masks

    def _narrow(self, masks: MutableSequence[int] | NDArray[Any], domains: Mapping[str, Domain]) -> None:
        """Narrow 81 masks, all full before, by the domains of a request."""
        place, mask = self._place, self._mask
        for name, values in domains.items():
            found = mask.get(values)
            masks[place[name]] = self._mask_of(values) if found is None else found

    def _mask_of(self, values: Domain) -> int:
        found = sum(bit for value, bit in self._bit.items() if value in values)
        if len(self._mask) < 1024:
            self._mask[values] = found
        return found

    def search(self, request: Request, clock: Budget, record: Record) -> Search:
        """Search one puzzle on one thread: a note says that further ``workers`` are not used.

        One call of the kernel finds the first solution and reports whether there is a second one, which is the whole
        run for nearly every puzzle.
        """
        record.sizes |= {"cells": 81, "houses": 27}
        if request.workers > 1:
            record.notes.append("one thread: several share the puzzles of a batch")
        watch = record.stopwatch()
        with self.pool.borrowed() as solver:
            solver.masks[:] = FULL
            self._narrow(solver.masks, request.domains)
            watch.lap("encode")
            found = solver.solve_one(min(request.limit or 2, 2), clock)
            masks = solver.masks[:]
            watch.lap("run")
        if found is None:
            return Ending(Reason.TIME)
        count, exhausted, digits = found
        if count and (exhausted or request.limit == 1):
            yield self._decode(digits)
        if exhausted:
            return Ending(Reason.EXHAUSTED)
        if request.limit == 1:
            return Ending(Reason.LIMIT)
        return (yield from self._every(masks, request, clock))

    def _every(self, masks: Masks, request: Request, clock: Budget) -> Search:
        """Yield the solutions of a puzzle with several, one for each choice of the variables that are kept."""
        names, left = self.model.names if request.keep is None else request.keep, request.limit
        kept = {self._place[name] for name in names}
        with self.pool.borrowed() as solver:
            every = solver.every(masks, clock) if len(kept) == 81 else _projected(solver, masks, kept, clock)
            with closing(every) as blocks:
                for rows in blocks:
                    found = [*map(self._decode, rows[:left])]
                    yield found
                    left = None if left is None else left - len(found)
                    if left == 0:
                        return Ending(Reason.LIMIT)
        return Ending(Reason.EXHAUSTED)


def _projected(solver: Solver, masks: Masks, kept: Collection[int], clock: Budget) -> Generator[list[bytes]]:
    """Yield a solution for each choice of the kept cells.

    What it leaves of a puzzle is divided by the first kept cell that differs from it (Lawler 1972).
    """
    parts = [masks]
    while parts:
        part = solver.masks[:] = parts.pop()
        found = solver.solve_one(1, clock)
        clock.check()
        if not found or not found[0]:
            continue
        yield [found[2]]
        for cell in kept:
            bit = 1 << found[2][cell] - 1
            if part[cell] != bit:
                parts.append(part[:])
                parts[-1][cell] ^= bit
            part[cell] = bit


@cache
def _solvers(lanes: str) -> SolverPool:
    """Return the solvers of a width, shared by all models. BackendMissing if there can be no machine code."""
    from sudoku_models.engine.machine_code.library import NoMachineCode

    from .solver import SolverPool

    pool = SolverPool(WIDTHS[lanes])
    try:
        with pool.borrowed():
            return pool
    except NoMachineCode as error:
        raise BackendMissing(f"bitset: {error}; with the option lanes=1 it works in plain Python") from error


def _inverse(cells: tuple[int, ...]) -> list[int]:
    """Return, for each position in the model, its cell."""
    found = [0] * len(cells)
    for at, position in enumerate(cells):
        found[position] = at
    return found


def _decoder(board: Arrangement) -> Any:
    """Return the function from 81 digits in row order to a solution."""
    if board.cells == tuple(range(81)) and board.values == tuple(range(1, 10)):
        return tuple
    cells, values = _inverse(board.cells), (0, *board.values)
    return lambda row: tuple([values[row[cell]] for cell in cells])
