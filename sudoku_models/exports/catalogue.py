"""The formats in which a model can be written for other programs.

An ``ExportFormat`` is independent: the model is lowered to what it can state, and no engine is needed. A backend may
also declare ``exports`` in its capabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..engine.contract import Backend, Export
from ..engine.registry import BackendLike, Selection, listings, select
from ..engine.road import plan, prepare
from ..errors import BadOption, meant
from ..model import Domain, Model
from . import minizinc, mps, opb, smtlib, xcsp3
from .common import ExportFormat, Piece

MODEL, LOWERED = "model", "lowered"
"""The model as stated, and in a backend's terms; ``Model.parse`` reads both."""

FORMATS: Mapping[str, ExportFormat] = {
    module.FORMAT.name: module.FORMAT for module in (opb, mps, minizinc, xcsp3, smtlib)
}
"""The formats that need no engine, by name."""


def exports() -> dict[str, list[str]]:
    """Return all formats to which a model can be exported, by name, with the backends that offer them.

    ``model``, ``lowered`` and the formats need no backend of their own; backends whose engine is not installed are left
    out.
    """
    found: dict[str, list[str]] = {name: [] for name in (MODEL, LOWERED, *FORMATS)}
    for listing in listings():
        if listing.backend and not listing.problem:
            for name in exports_of(listing.backend):
                found.setdefault(name, []).append(listing.name)
    return found


def pieces(
    model: Model, domains: Mapping[str, Domain], to: str | ExportFormat, backend: BackendLike | None = None
) -> Iterator[Piece]:
    """Yield a model, narrowed by ``domains``, as pieces of text (or all of bytes).

    ``to`` is ``model``, ``lowered`` (in a backend's terms, with the rewrites in ``#`` lines), an ExportFormat or its
    name, or what a backend exports; without ``backend`` the first one that offers it is taken. Raises BadOption, with
    the choices, for an unknown name or a backend that does not offer it, Unsupported for what cannot be stated.
    """
    if to == MODEL or to in FORMATS or isinstance(to, ExportFormat):
        _refuse(backend, to)
        narrow = model.narrowed(domains)
        return _lines(str(narrow)) if to == MODEL else _format(to).pieces(narrow)
    if to == LOWERED:
        return _lowered(model.narrowed(domains), backend)
    selection = select(backend if backend is not None else _first(to))
    write = exports_of(selection.backend).get(to)
    if write is None:
        raise BadOption(_unknown(to, selection))
    return write(prepare(model, selection).compiled, domains)


def exports_of(backend: Backend) -> Mapping[str, Export]:
    """Return the formats that a backend exports, by name."""
    return backend.capabilities.exports


def _format(to: str | ExportFormat) -> ExportFormat:
    return to if isinstance(to, ExportFormat) else FORMATS[to]


def _refuse(backend: BackendLike | None, to: str | ExportFormat) -> None:
    if backend is not None:
        name = to if isinstance(to, str) else to.name
        raise BadOption(f"{name} is written without a backend: leave out the backend")


def _first(name: str) -> str:
    offered = exports()
    if not offered.get(name):
        raise BadOption(f"there is no export {name!r}: {', '.join(offered)} are known{meant(name, offered)}")
    return offered[name][0]


def _unknown(name: str, selection: Selection) -> str:
    known = (MODEL, LOWERED, *exports_of(selection.backend))
    backends = exports().get(name, ())
    others = f"{' or '.join(backends)} does" if backends else "no installed backend does"
    return f"{selection} does not export {name!r} ({', '.join(known)} are possible); {others}"


def _lowered(model: Model, backend: BackendLike | None) -> Iterator[str]:
    if backend is None:
        raise BadOption("a model is lowered for a backend: name one")
    lowered = plan(model, backend)
    yield from (f"# {line}\n" for line in str(lowered).splitlines())
    yield from _lines(str(lowered.model))


def _lines(text: str) -> Iterator[str]:
    return (line + "\n" for line in text.splitlines())
