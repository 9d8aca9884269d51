"""Named patterns on any state of candidates: whole patterns with all that they remove, the easiest first."""

from .board import Board, Pattern, State
from .order import in_order

__all__ = ["Board", "Pattern", "State", "in_order"]
