"""What a column of answers holds."""

from __future__ import annotations

from collections.abc import Mapping

TEXT, TRUTH, NUMBER, INTEGER = "text", "truth", "number", "integer"

Kinds = Mapping[str, str]
"""The columns of answers by name, and what each holds."""
