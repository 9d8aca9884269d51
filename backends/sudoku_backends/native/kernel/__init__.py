"""The kernel: the compiled part. ``layout`` says where its data lie, ``search`` is its entry point."""

from . import lists, search, word_diagrams

__all__ = ["lists", "search", "word_diagrams"]
