"""What a solution is known by in the rows of a comparison."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def digest(solution: Sequence[int]) -> str:
    """Return the SHA-256 of a solution."""
    return hashlib.sha256(" ".join(map(str, solution)).encode()).hexdigest()
