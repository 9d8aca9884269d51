"""Forms of models and backends that can be sent to another process."""

from __future__ import annotations

from typing import Any

from ..model import Model
from .combined_backends import Members
from .registry import Selection, load, names


def bare(model: Model) -> Model:
    """Return a model without its rules and its judge, whose classes another process may not know.

    Solutions that come back are judged here, as they are checked here.
    """
    return Model(model.variables, model.constraints, model.objective) if model.rules or model.judge else model


def portable(selection: Selection) -> Any:
    """Return a form of the backend for another process: its specification, or the backend itself if it is not
    registered.
    """
    return str(selection) if _is_registered(selection) else selection


def _is_registered(selection: Selection) -> bool:
    if isinstance(selection.options, Members):
        return all(map(_is_registered, selection.options.members))
    return selection.backend.name in names() and load(selection.backend.name) is selection.backend
