"""What stands for models and backends in another process."""

from __future__ import annotations

from typing import Any

from ..model import Model
from .combined_backends import Members
from .registry import Selection, load, names


def bare(model: Model) -> Model:
    """Return a model without its rules and its judge, who may be of classes that no other process knows.

    What comes back is judged here, as it is checked here.
    """
    return Model(model.variables, model.constraints, model.objective) if model.rules or model.judge else model


def portable(selection: Selection) -> Any:
    """Return what names the backend in another process: its specification, or itself when it is not registered."""
    return str(selection) if _is_registered(selection) else selection


def _is_registered(selection: Selection) -> bool:
    if isinstance(selection.options, Members):
        return all(map(_is_registered, selection.options.members))
    return selection.backend.name in names() and load(selection.backend.name) is selection.backend
