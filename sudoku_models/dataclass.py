"""``dataclass`` as the standard library has it, for the classes that every start of a program makes.

The standard library writes and compiles up to six functions for each class, which was a third of the time from the
start of a process to its first answer. Here only ``__init__`` is compiled; the other methods are the same for all
classes. ``dataclasses.fields``, ``replace`` and ``is_dataclass`` work, and so does a subclass that is made by the
standard library. Other arguments than these (``order``, ``slots``) are left to the standard library.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from reprlib import recursive_repr
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass

__all__ = ["dataclass"]


@dataclasses.dataclass
class _Made:
    by_the_standard_library: int


_PLAIN: Any = next(iter(_Made.__dataclass_fields__.values()))._field_type  # type: ignore[attr-defined]
"""What ``dataclasses.fields`` looks for in a field, in contrast to one of the class."""


class _ByFactory:
    """The default of a parameter for which a function makes a new value."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _ByFactory()

if not TYPE_CHECKING:

    def dataclass(
        kind: type | None = None,
        *,
        init: bool = True,
        repr: bool = True,
        eq: bool = True,
        frozen: bool = False,
    ) -> Any:
        """Make a class with annotated attributes a dataclass."""
        if kind is None:
            return lambda kind: dataclass(kind, init=init, repr=repr, eq=eq, frozen=frozen)
        listed = _fields(kind)
        params = SimpleNamespace(init=init, repr=repr, eq=eq, order=False, unsafe_hash=False, frozen=frozen)
        methods: dict[str, Any] = {"__match_args__": tuple(f.name for f in listed.values() if f.init and not f.kw_only)}
        if init:
            methods["__init__"] = _init(kind, listed, frozen)
        if repr:
            methods["__repr__"] = _repr(tuple(f.name for f in listed.values() if f.repr))
        if eq:
            methods |= _equality(listed, frozen)
        if frozen:
            methods |= _frozen(kind, frozenset(listed))
        for name, method in methods.items():
            if name not in vars(kind) or (name == "__hash__" and vars(kind)[name] is None):
                setattr(kind, name, method)
        kind.__dataclass_fields__, kind.__dataclass_params__ = listed, params
        return kind


def _fields(kind: type) -> dict[str, Field[Any]]:
    """Return the fields of a class: those of its bases, then its own; defaults stay attributes of the class."""
    found: dict[str, Field[Any]] = {}
    for base in reversed(kind.__mro__[1:]):
        found |= vars(base).get("__dataclass_fields__", {})
    for name, annotation in kind.__annotations__.items():
        if annotation.startswith("ClassVar"):
            continue
        default: Any = getattr(kind, name, MISSING)
        one: Any = default if isinstance(default, Field) else field(default=default)
        one.name, one.type, one._field_type, one.kw_only = name, annotation, _PLAIN, one.kw_only is True
        found[name] = one
        if one is default and one.default is MISSING:
            delattr(kind, name)
        elif one is default:
            setattr(kind, name, one.default)
    return found


def _init(kind: type, listed: Mapping[str, Field[Any]], frozen: bool) -> Callable[..., None]:
    """Compile the method that sets the fields. A frozen class has its own ``__setattr__``, which is passed by."""
    known: dict[str, Any] = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    places, keywords, body = list[str](), list[str](), list[str]()
    for name, one in listed.items():
        value, default = name, one.default
        if one.default_factory is not MISSING:
            known[f"_make_{name}"], default = one.default_factory, _FACTORY
            value = f"{name} if {name} is not _FACTORY else _make_{name}()" if one.init else f"_make_{name}()"
        elif not one.init:
            continue  # its default is an attribute of the class
        known[f"_default_{name}"] = default
        if one.init:
            (keywords if one.kw_only else places).append(name + f"=_default_{name}" * (default is not MISSING))
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *places, *(["*", *keywords] if keywords else ())])
    exec("\n ".join([f"def __init__({parameters}):", *(body or ["pass"])]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__, made.__module__ = f"{kind.__qualname__}.__init__", kind.__module__
    made.__annotations__ = {one.name: one.type for one in listed.values() if one.init} | {"return": None}
    return made


def _repr(shown: tuple[str, ...]) -> Callable[[Any], str]:
    @recursive_repr()
    def written(self: Any) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
        return f"{type(self).__qualname__}({values})"

    return written


def _equality(listed: Mapping[str, Field[Any]], frozen: bool) -> dict[str, Any]:
    """Return ``__eq__`` and ``__hash__``: what can be changed has no hash."""
    compared = _tuple_of([one.name for one in listed.values() if one.compare])
    hashed = _tuple_of([one.name for one in listed.values() if (one.compare if one.hash is None else one.hash)])

    def equal(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    return {"__eq__": equal, "__hash__": (lambda self: hash(hashed(self))) if frozen else None}


def _tuple_of(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function from an object to the values of some attributes."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda one: tuple([getattr(one, name) for name in names])


def _frozen(kind: Any, names: frozenset[str]) -> dict[str, Any]:
    """Return the methods that refuse to change a field; a subclass that is no dataclass may have more attributes."""

    def put(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def drop(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": put, "__delattr__": drop}
