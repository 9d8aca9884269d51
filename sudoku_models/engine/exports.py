"""What backends can write of a model for other programs. A backend may have ``exports``: a mapping from a name to a
function of its compiled model and further domains that yields pieces of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..errors import BadOption
from ..model import Domain, Model
from .registry import BackendLike, Selection, listings, select
from .road import plan, prepare

Export = Callable[[Any, Mapping[str, Domain]], Iterator[str]]

MODEL, LOWERED = "model", "lowered"
"""The two exports that need no backend's help: the model as stated, and in a backend's terms."""


def exports() -> dict[str, list[str]]:
    """Return the backends that offer each export, by its name; those whose engine is not installed are left out."""
    found: dict[str, list[str]] = {}
    for listing in listings():
        if listing.backend and not listing.problem:
            for name in exports_of(listing.backend):
                found.setdefault(name, []).append(listing.name)
    return dict(sorted(found.items()))


def export(model: Model, domains: Mapping[str, Domain], name: str, spec: BackendLike | None = None) -> Iterator[str]:
    """Yield a model, narrowed by ``domains``, as pieces of text.

    ``name`` is ``model``, ``lowered`` (the model in a backend's terms, with the rewrites in ``#`` lines; both read by
    ``Model.parse``) or one of ``exports()``. Without ``spec`` the first backend that offers it is taken. Raises
    BadOption, with the choices, for an unknown name or a backend that does not offer it.
    """
    if name == MODEL:
        return _lines(str(model.narrowed(domains)))
    if name == LOWERED:
        return _lowered(model.narrowed(domains), spec)
    selection = select(spec if spec is not None else _first(name))
    write = exports_of(selection.backend).get(name)
    if write is None:
        raise BadOption(_unknown(name, selection))
    return write(prepare(model, selection).compiled, domains)


def exports_of(backend: Any) -> Mapping[str, Export]:
    """Return what a backend exports, by name."""
    found: Mapping[str, Export] = getattr(backend, "exports", {})
    return found


def _first(name: str) -> str:
    offered = exports()
    if name not in offered:
        raise BadOption(f"there is no export {name!r}: {', '.join((MODEL, LOWERED, *offered))} are known")
    return offered[name][0]


def _unknown(name: str, selection: Selection) -> str:
    known = (MODEL, LOWERED, *exports_of(selection.backend))
    backends = ", ".join(exports().get(name, ())) or "no installed backend"
    return f"{selection} does not export {name!r} ({', '.join(known)} are possible); {backends} does"


def _lowered(model: Model, spec: BackendLike | None) -> Iterator[str]:
    if spec is None:
        raise BadOption("a model is lowered for a backend: name one")
    lowered = plan(model, spec)
    yield from (f"# {line}\n" for line in str(lowered).splitlines())
    yield from _lines(str(lowered.model))


def _lines(text: str) -> Iterator[str]:
    return (line + "\n" for line in text.splitlines())
