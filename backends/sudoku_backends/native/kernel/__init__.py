"""The kernel: the compiled part. ``layout`` says where its data lie, ``search`` is its entry point."""

from . import rows, search, word_diagrams

__all__ = ["rows", "search", "word_diagrams"]
