"""The keys of SudokuPad's documents, in full and shortened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import FormatError
from ..json_text import short

SHORT = {
    "cells": "ce",
    "regions": "re",
    "cages": "ca",
    "value": "v",
    "lines": "l",
    "arrows": "a",
    "overlays": "o",
    "underlays": "u",
    "title": "t",
    "cellSize": "cs",
    "wayPoints": "wp",
    "center": "ct",
    "thickness": "th",
    "color": "c",
    "backgroundColor": "c2",
    "borderColor": "c1",
    "width": "w",
    "height": "h",
    "rounded": "r",
    "fontSize": "fs",
    "headLength": "hl",
    "text": "te",
}
"""Keys and their shortened forms."""


def get(data: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key or of its shortened form; None if there is neither."""
    return data.get(key, data.get(SHORT.get(key, key)))


def listed(value: object, name: str) -> list[Any]:
    """Return a list, which is empty if missing; raise FormatError for anything else."""
    if value is None or value == {}:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{name}: a list is expected, not {short(value)}")
    return value
