"""The types of columns of answers."""

from __future__ import annotations

from collections.abc import Mapping

TEXT, TRUTH, NUMBER, INTEGER = "text", "truth", "number", "integer"

Kinds = Mapping[str, str]
"""The type of each column of answers, by name."""
