"""The kernel: what is compiled. ``layout`` says where things lie, ``search`` is where it begins."""

from . import batch, lists, search, words

__all__ = ["batch", "lists", "search", "words"]
