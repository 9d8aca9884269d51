"""penpa-edit: links that hold a drawn board with square cells."""

from .from_sheet import read_penpa

__all__ = ["read_penpa"]
