"""Arrays of variables: numpy arrays of objects, whose comparisons are constraints, cell by cell.

``x[i : i + 3, j : j + 3]``, ``x.T``, ``x[g > 0] == g[g > 0]``, ``x.sum(axis=0) <= 5``, ``numpy.maximum(x, y)``; a
variable as an index is looked up: ``x[0, y] == 3``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from .expression import Arithmetic, name_of, total
from .logic import And, Or
from .terms import element, maximum, minimum

Axis = int | tuple[int, ...] | None
"""An axis, several, or all of them."""

_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: operator.lt,
    np.less_equal: operator.le,
    np.greater: operator.gt,
    np.greater_equal: operator.ge,
    np.maximum: maximum,
    np.minimum: minimum,
    np.logical_and: operator.and_,
    np.logical_or: operator.or_,
    np.logical_xor: operator.xor,
    np.logical_not: operator.invert,
}
"""What numpy's functions mean for objects where numpy itself would ask for their truth."""


class VariableArray(np.ndarray[Any, Any]):
    """An array of variables, expressions or constraints. Operators work cell by cell and give another such array."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return computed(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        """Return such an array from ``numpy.stack``, ``concatenate``, ``where`` and others that take it apart."""
        found = super().__array_function__(function, types, args, options)
        return found.view(VariableArray) if type(found) is np.ndarray and found.dtype == object else found

    def __getitem__(self, key: Any) -> Any:
        """Return a cell, a part of the array, or the cells that variables (or expressions) as indexes select."""
        keys = key if isinstance(key, tuple) else (key,)
        if not any(isinstance(k, Arithmetic) for k in keys):
            return super().__getitem__(key)
        found = super().__getitem__(tuple(slice(None) if isinstance(k, Arithmetic) else k for k in keys))
        for place in reversed(range(len(keys))):
            if isinstance(keys[place], Arithmetic):
                axis = sum(not isinstance(k, int | np.integer) for k in keys[:place])
                found = _along(found, axis, partial(element, index=keys[place]))
        return found

    def sum(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the sum of all cells, or the sums along an axis or several."""
        return _along(self, axis, total, **more)

    def prod(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the product of all cells, or the products along an axis or several."""
        return _along(self, axis, prod, **more)

    def max(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the maximum of all cells, or the maxima along an axis or several."""
        return _along(self, axis, maximum, **more)

    def min(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the minimum of all cells, or the minima along an axis or several."""
        return _along(self, axis, minimum, **more)

    def all(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the constraint that all constraints in the array hold, or these along an axis or several."""
        return _along(self, axis, And, **more)

    def any(self, axis: Axis = None, **more: Any) -> Any:  # type: ignore[override]
        """Return the constraint that some constraint in the array holds, or these along an axis or several."""
        return _along(self, axis, Or, **more)

    def implies(self, result: Any) -> VariableArray:
        """Return "if this holds, the result holds", cell by cell; the result may be one constraint for all cells."""
        return cells("implies", self, result)

    def iff(self, other: Any) -> VariableArray:
        """Return "both hold or neither", cell by cell."""
        return cells("iff", self, other)

    def xor(self, other: Any) -> VariableArray:
        """Return "one of the two holds, not both", cell by cell."""
        return cells("xor", self, other)

    def read(self, values: Mapping[str, int] | None) -> np.ndarray[Any, Any]:
        """Return the numbers that a solution gives to the variables: ``x.read(solve(model).values)``.

        Raises ValueError where there is no solution.
        """
        if values is None:
            raise ValueError("there is no solution to read the values from: look at the status of the result first")
        return np.array([values[name_of(x)] for x in self.ravel().tolist()]).reshape(self.shape)


def array(cells: Any) -> VariableArray:
    """Return (nested) lists of variables, expressions and numbers as an array."""
    return np.asarray(cells, dtype=object).view(VariableArray)


def array_of(shape: Sequence[int], name: str, made: Callable[[list[str]], Sequence[Any]]) -> VariableArray:
    """Return an array of variables named ``x_0_0``, ``x_0_1`` and so on, which ``made`` makes of their names."""
    names = ["_".join([name, *map(str, index)]) for index in np.ndindex(*shape)]
    found = np.empty(len(names), dtype=object)
    found[:] = made(names)
    return found.reshape(shape).view(VariableArray)


def computed(ufunc: Any, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return what a function of numpy gives for objects, cell by cell."""
    plain = [np.asarray(x.item() if isinstance(x, np.generic) else x, dtype=object) for x in inputs]
    function = _FUNCTIONS.get(ufunc) if method == "__call__" else None
    if function is not None:
        found = np.frompyfunc(function, len(plain), 1)(*plain)
    else:
        found = getattr(ufunc, method)(*plain, **{key: value for key, value in options.items() if key != "out"})
    return found.view(VariableArray) if isinstance(found, np.ndarray) else found


def cells(method: str, left: Any, right: Any) -> VariableArray:
    """Call a method of the constraints in an array, or of one constraint, with those of another, cell by cell."""
    one, other = (np.asarray(side, dtype=object) for side in (left, right))
    return np.frompyfunc(lambda a, b: getattr(a, method)(b), 2, 1)(one, other).view(VariableArray)  # type: ignore[no-any-return]


def _along(cells: Any, axis: Axis, function: Callable[[list[Any]], Any], keepdims: bool = False, **others: Any) -> Any:
    """Apply a function of lists to all cells, or along an axis or several; numpy's other options are refused."""
    if strange := [name for name, value in others.items() if value is not None and value is not np._NoValue]:
        raise TypeError(f"{strange[0]} is not an option for arrays of variables")
    plain = np.asarray(cells, dtype=object)
    axes = tuple(range(plain.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    lines = np.moveaxis(plain, axes, range(-len(axes), 0))
    found = np.empty(lines.shape[: plain.ndim - len(axes)], dtype=object)
    for place in np.ndindex(*found.shape):
        found[place] = function(lines[(*place, ...)].ravel().tolist())  # an array, even of one cell
    if keepdims:
        found = np.expand_dims(found, axes)
    return found.view(VariableArray) if found.ndim else found.item()
