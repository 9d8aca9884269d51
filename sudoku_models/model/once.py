"""Properties that are computed once for each object, and what is left of an object without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  # used like ``property``
    """Like ``functools.cached_property``, without the lock that this takes before Python 3.12.

    Two threads may compute the value at the same time, so it must not matter which of their results is kept. For
    properties of the many small objects of a model: taking the lock took longer than computing most of their values.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T | once[T]:
        if instance is None:
            return self
        found = vars(instance)[self._name] = self._compute(instance)
        return found


def fields_only(self: Any) -> dict[str, Any]:
    """Return the state of a dataclass that copies and other processes get: not what was computed from the fields.

    For use as ``__getstate__``.
    """
    return {field.name: getattr(self, field.name) for field in fields(self)}
