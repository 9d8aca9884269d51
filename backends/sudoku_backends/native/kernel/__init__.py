"""The kernel: the compiled part. ``layout`` says where its data lie, ``search`` is its entry point."""

from . import batch, lists, search, word_diagrams

__all__ = ["batch", "lists", "search", "word_diagrams"]
