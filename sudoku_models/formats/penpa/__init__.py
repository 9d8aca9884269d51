"""penpa-edit: links that hold a drawn board, here of square cells."""

from .reading import read_penpa

__all__ = ["read_penpa"]
