"""Apply the givens: what they decide, and the candidates that stay open.

After Kwon and Jain, "Optimized CNF encoding for Sudoku puzzles" (2006): the candidates are split by the givens into
true, false and open ones, and only the open ones are ever built.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudoku_models.model import Domain

from .space import Ints, Space
from .structure import Structure

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Reduced:
    """The open candidates (ascending), with their cells and columns, and the column of each decided cell.

    ``fixed`` has one entry for each cell, -1 if the cell is open. ``clash`` is true if there is no solution, because a
    domain is empty or two decided cells of an AllDifferent have the same value.
    """

    open: Ints
    cell: Ints
    column: Ints
    fixed: Ints
    clash: bool = False

    @property
    def fixed_cells(self) -> Ints:
        """The decided cells, ascending."""
        return np.flatnonzero(self.fixed >= 0)


def reduce(structure: Structure, domains: Mapping[str, Domain]) -> Reduced:
    """Narrow a structure by ``domains``; raise ValueError if they name a variable that the model does not have."""
    space = structure.space
    narrow = read_domains(space, domains)
    used = np.zeros((structure.rows, len(space.values)), dtype=bool)
    if narrow is None or structure.impossible or _use(structure, used, narrow.cells, narrow.columns):
        return clashing(structure)
    fixed = narrow.fixed(space)
    find = _open_square if space.width else _open_ragged
    return Reduced(*find(structure, used, np.flatnonzero(fixed < 0), narrow.limited), fixed)


def clashing(structure: Structure) -> Reduced:
    """Return the reduction of a puzzle that has no solution."""
    return Reduced(_none(), _none(), _none(), np.full(len(structure.space.names), -1, dtype=np.int32), True)


@dataclass(frozen=True)
class Narrow:
    """The content of a request's domains: the decided cells, their columns, and the cells limited to some values."""

    cells: Ints
    columns: Ints
    limited: Mapping[int, Domain]

    def fixed(self, space: Space) -> Ints:
        """Return the column of each decided cell, -1 for the others."""
        fixed = np.full(len(space.names), -1, dtype=np.int32)
        fixed[self.cells] = self.columns
        return fixed


def read_domains(space: Space, domains: Mapping[str, Domain]) -> Narrow | None:
    """Read the domains of a request; None if one of them is empty. Raise ValueError if the model has no such name."""
    try:
        numbers = list(map(space.index.__getitem__, domains))
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is not a variable of the model") from None
    given = [values[0] for values in domains.values() if len(values) == 1]
    if len(given) == len(numbers) and not space.limited and space.width:
        columns = list(map(space.column.get, given))
        if None in columns:
            return None
        return Narrow(np.array(numbers, dtype=np.int32), np.array(columns, dtype=np.int32), {})
    return _read_mixed(space, dict(zip(numbers, domains.values(), strict=True)))


def _read_mixed(space: Space, narrow: Mapping[int, Domain]) -> Narrow | None:
    left = dict(space.limited) if space.width else dict(enumerate(space.domains))
    for cell, values in narrow.items():
        allowed = frozenset(values)
        left[cell] = tuple(v for v in space.domains[cell] if v in allowed)
    if not all(left.values()):
        return None
    fixed = {cell: values[0] for cell, values in left.items() if len(values) == 1}
    cells = np.array(list(fixed), dtype=np.int32)
    columns = np.array([space.column[v] for v in fixed.values()], dtype=np.int32)
    some = {cell: values for cell, values in left.items() if len(values) > 1}
    return Narrow(cells, columns, some if space.width else _shorter(space, some))


def _shorter(space: Space, left: Mapping[int, Domain]) -> dict[int, Domain]:
    return {cell: values for cell, values in left.items() if len(values) < len(space.domains[cell])}


def _none() -> Ints:
    return np.zeros(0, dtype=np.int32)


def _use(structure: Structure, used: Ints, cells: Ints, columns: Ints) -> bool:
    """Mark what the decided cells use; return whether two cells of a group use the same value."""
    for layer in structure.layers:
        groups = layer.group_of[cells]
        rows = used[layer.start : layer.start + layer.groups + 1]
        rows[groups, columns] = True
        rows[layer.groups] = False
        if np.count_nonzero(rows) < np.count_nonzero(groups < layer.groups):
            return True
    return False


def _open_square(
    structure: Structure, used: Ints, cells: Ints, limited: Mapping[int, Domain]
) -> tuple[Ints, Ints, Ints]:
    """Return the open candidates of ``cells`` if all variables have the same columns, in blocks of about 1 MB."""
    width = structure.space.width
    step = max(1, _BLOCK // width)
    found = [_open_block(structure, used, cells[i : i + step], limited) for i in range(0, len(cells), step)]
    if len(found) == 1:
        cell, column = found[0]
    else:
        parts = list(zip(*found, strict=True)) or [(_none(),), (_none(),)]
        cell, column = np.concatenate(parts[0]), np.concatenate(parts[1])
    return cell * np.int32(width) + column, cell, column


def _open_block(structure: Structure, used: Ints, cells: Ints, limited: Mapping[int, Domain]) -> tuple[Ints, Ints]:
    width = np.int32(structure.space.width)
    gone = np.zeros((len(cells), width), dtype=bool)
    for layer in structure.layers:
        gone |= used[layer.start + layer.group_of[cells]]
    if limited:
        for at, number in enumerate(cells.tolist()):
            if number in limited:
                gone[at] |= ~structure.space.row(limited[number])
    hit = np.flatnonzero(~gone.ravel()).astype(np.int32)
    where = hit // width
    return cells.astype(np.int32)[where], hit - where * width


def _open_ragged(
    structure: Structure, used: Ints, cells: Ints, limited: Mapping[int, Domain]
) -> tuple[Ints, Ints, Ints]:
    space = structure.space
    all_cells, all_columns = space.ragged()
    is_open = np.zeros(len(space.names), dtype=bool)
    is_open[cells] = True
    keep = is_open[all_cells]
    for layer in structure.layers:
        keep &= ~used[layer.start + layer.group_of[all_cells], all_columns]
    for cell, values in limited.items():
        first = int(space.first(np.array(cell)))
        keep[first : first + len(space.domains[cell])] &= np.isin(space.domains[cell], values)
    found = np.flatnonzero(keep).astype(np.int32)
    return found, all_cells[found], all_columns[found]


def everything(structure: Structure) -> Reduced:
    """Return the structure with every candidate open, nothing applied."""
    space = structure.space
    found = space.all()
    return Reduced(found, *space.split(found), clashing(structure).fixed, structure.impossible)
