"""The kernel: what is compiled. ``layout`` says where things lie, ``search`` is where it begins."""

from . import batch, lists, search, word_diagrams

__all__ = ["batch", "lists", "search", "word_diagrams"]
