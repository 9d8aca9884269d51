"""Boards of a batch as rows of masks of the network, and solutions of the network as values of boards.

A board has a code for each variable: k for the k-th value of its domain and 0 where it is open (uint8), or a mask in
which bit k - 1 is the k-th value (uint16).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.contract import Request
from sudoku_models.model import Domain

if TYPE_CHECKING:
    from .backend import CompiledNative

Ints = NDArray[np.int64]
Codes = NDArray[Any]
"""uint8 or uint16."""

CODED = 16
"""The number of values for which a mask of candidates has bits."""


def starts_of(compiled: CompiledNative, grids: Codes, request: Request) -> Ints:
    """Return a row of masks for each board; all 0 if a domain of the request is empty."""
    network, base = compiled.network, compiled.start(request.domains)
    if base is None:
        return np.zeros((len(grids), network.variables), np.int64)
    starts = np.repeat(base[None, :], len(grids), axis=0)
    for x in range(len(compiled.model.variables)):
        narrow(compiled, starts, x, grids[:, x])
    return starts


def narrow(compiled: CompiledNative, starts: Ints, x: int, column: Codes) -> None:
    """Narrow a variable, in each row of masks, to the values that a column of codes allows."""
    starts[:, x] &= _masks(column, compiled.model.variables[x].domain, compiled.network.base)


def _masks(column: Codes, domain: Domain, base: int) -> Ints:
    """Return the masks of a column."""
    bits = np.array([1 << (value - base) for value in domain], np.int64)
    if column.dtype == np.uint8:
        table = np.zeros(256, np.int64)
        table[0] = np.bitwise_or.reduce(bits) if len(bits) else 0
        table[1 : len(bits) + 1] = bits
        return np.asarray(table[column])
    found = np.zeros(len(column), np.int64)
    for k, bit in enumerate(bits[:CODED]):
        found |= np.where((column >> k) & 1, bit, 0)
    return found


def candidates_of(compiled: CompiledNative, starts: Ints) -> NDArray[np.uint16]:
    """Return rows of masks as masks of candidates."""
    found = np.zeros((len(starts), len(compiled.model.variables)), np.uint16)
    for x, variable in enumerate(compiled.model.variables):
        for k in range(min(CODED, len(variable.domain))):
            left = starts[:, x] >> (variable.domain[k] - compiled.network.base) & 1
            found[:, x] |= left.astype(np.uint16) << np.uint16(k)
    found[~starts.all(axis=1)] = 0
    return found


def values_of(compiled: CompiledNative, found: Ints) -> NDArray[np.uint8]:
    """Return solutions, rows of bit numbers, as values of boards: k for the k-th value of each domain."""
    values = compiled.network.rows(found)
    numbers = np.empty(values.shape, np.uint8)
    for x, variable in enumerate(compiled.model.variables):
        domain = variable.domain
        in_a_row = domain[-1] - domain[0] < len(domain)
        numbers[:, x] = (values[:, x] - domain[0] if in_a_row else np.searchsorted(domain, values[:, x])) + 1
    return numbers
