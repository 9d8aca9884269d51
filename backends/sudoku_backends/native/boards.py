"""Boards of a batch as rows of masks of the network, and solutions of the network as values of boards.

A board has a code for each variable: k for the k-th value of its domain and 0 where it is open (uint8), or a mask in
which bit k - 1 is the k-th value (uint16). A wide variable, whose values do not fit into a word, has digits in the
network (or is one that numbers the pair of two others): its code narrows these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_models.engine.contract import Request
from sudoku_models.model import Domain

from .kernel import layout

if TYPE_CHECKING:
    from .backend import CompiledNative

Ints = NDArray[np.int64]
Codes = NDArray[Any]
"""uint8 or uint16."""

CODED = 16
"""The number of values for which a mask of candidates has bits."""


def starts_of(compiled: CompiledNative, grids: Codes, request: Request) -> Ints:
    """Return a row of masks for each board; all boards must ``fit``. All 0 if a domain of the request is empty."""
    network, base = compiled.network, compiled.start(request.domains)
    if base is None:
        return np.zeros((len(grids), network.variables), np.int64)
    starts = np.repeat(base[None, :], len(grids), axis=0)
    for x in range(len(compiled.model.variables)):
        narrow(compiled, starts, x, grids[:, x])
    return starts


def narrow(compiled: CompiledNative, starts: Ints, x: int, column: Codes) -> None:
    """Narrow a variable, in each row of masks, to the values that a column of codes allows."""
    domain = compiled.model.variables[x].domain
    if x not in compiled.wide:
        starts[:, x] &= _masks(column, domain, compiled.network.base)
        return
    for code in _closed(column):
        masks = _digits(compiled, x, domain, code, column)
        for place, mask in masks or ():
            starts[column == code, place] &= mask


def beyond(compiled: CompiledNative, grids: Codes) -> NDArray[np.bool_]:
    """Return, for each board, whether it leaves a wide variable a set of values that no masks of digits express."""
    found = np.zeros(len(grids), bool)
    for x in compiled.wide:
        domain, column = compiled.model.variables[x].domain, grids[:, x]
        for code in _closed(column):
            if _digits(compiled, x, domain, code, column) is None:
                found |= column == code
    return found


def alone(compiled: CompiledNative, grid: Codes, request: Request) -> tuple[CompiledNative, Codes, Request]:
    """Return what answers one board: a network with its wide variables narrowed, the rest of the board, the request."""
    domains, rest = dict(request.domains), grid.copy()
    for x in compiled.wide:
        variable = compiled.model.variables[x]
        allowed = _values(variable.domain, int(grid[0, x]), grid)
        domains[variable.name] = tuple(v for v in domains.get(variable.name, variable.domain) if v in allowed)
        rest[:, x] = 0 if grid.dtype == np.uint8 else (1 << len(variable.domain)) - 1
    fitting, request = compiled.fit(replace(request, domains=domains))
    return fitting, rest, request


def _closed(column: Codes) -> list[int]:
    """Return the different codes of a column that narrow a variable."""
    codes: list[int] = np.unique(column).tolist()
    return [code for code in codes if code or column.dtype == np.uint16]


def _values(domain: Domain, code: int, codes: Codes) -> Domain:
    """Return the values of a domain that a code leaves."""
    if codes.dtype == np.uint8:
        return (domain[code - 1],) if code else domain
    return tuple(value for k, value in enumerate(domain[:CODED]) if code >> k & 1)


def _digits(compiled: CompiledNative, x: int, domain: Domain, code: int, codes: Codes) -> list[tuple[int, int]] | None:
    return compiled.wide[x].masks(_values(domain, code, codes), domain, compiled.network.base)


def _masks(column: Codes, domain: Domain, base: int) -> Ints:
    """Return the masks of a column; values that the network has no bit for are no longer possible."""
    bits = np.array([1 << b if 0 <= (b := value - base) < layout.MOST_BITS else 0 for value in domain], np.int64)
    if column.dtype == np.uint8:
        table = np.zeros(256, np.int64)
        table[0] = np.bitwise_or.reduce(bits) if len(bits) else 0
        table[1 : len(bits) + 1] = bits
        return np.asarray(table[column])
    found = np.zeros(len(column), np.int64)
    for k, bit in enumerate(bits[:CODED]):
        found |= np.where((column >> k) & 1, bit, 0)
    return found


def candidates_of(compiled: CompiledNative, starts: Ints, grids: Codes) -> NDArray[np.uint16]:
    """Return rows of masks as masks of candidates; wide variables keep the values that the boards leave them."""
    found = np.zeros(grids.shape, np.uint16)
    for x, variable in enumerate(compiled.model.variables):
        for k in range(min(CODED, len(variable.domain))):
            if x in compiled.wide:
                left = np.isin(grids[:, x], (0, k + 1)) if grids.dtype == np.uint8 else grids[:, x] >> k & 1 != 0
            else:
                bit = _masks(np.array([k + 1], np.uint8), variable.domain, compiled.network.base)
                left = starts[:, x] & bit != 0
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
