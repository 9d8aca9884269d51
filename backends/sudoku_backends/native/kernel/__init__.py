"""The kernel: the compiled part. ``layout`` says where its data lie, ``search`` is its entry point."""

from . import search, word_diagrams

__all__ = ["search", "word_diagrams"]
