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
from . import columns, minizinc, smtlib, xcsp3
from .common import ExportFormat, Piece

MODEL, LOWERED = "model", "lowered"
"""The model as stated, and in a backend's terms; ``Model.parse`` reads both."""

_OWN = (columns.OPB, columns.MPS, minizinc.FORMAT, xcsp3.FORMAT, smtlib.FORMAT)
FORMATS: Mapping[str, ExportFormat] = {kind.name: kind for kind in _OWN}
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
    own = to if isinstance(to, ExportFormat) else FORMATS.get(to)
    if own or to == MODEL:
        if backend is not None:
            raise BadOption(f"{own.name if own else to} is written without a backend: leave out the backend")
        narrow = model.narrowed(domains)
        return own.pieces(narrow) if own else _lines(str(narrow))
    if to == LOWERED:
        return _lowered(model.narrowed(domains), backend)
    if not isinstance(to, str):
        raise TypeError(f"{to!r:.60} is not the name of an export")
    if backend is None:
        offered = exports()
        if not offered.get(to):
            raise BadOption(f"there is no export {to!r}: {', '.join(offered)} are known{meant(to, offered)}")
        backend = offered[to][0]
    selection = select(backend)
    write = exports_of(selection.backend).get(to)
    if write is None:
        raise BadOption(_unknown(to, selection))
    return write(prepare(model, selection).compiled, domains)


def exports_of(backend: Backend) -> Mapping[str, Export]:
    """Return the formats that a backend exports, by name."""
    return backend.capabilities.exports


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
