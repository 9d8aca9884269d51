"""Exact covers by Algorithm X on dancing cells, written out in plain Python.

An *option* is a choice of a value for a variable. An *item* is something that options cover: a primary item exactly one
chosen option, a secondary item at most one. A variable is a primary item; so is each value of a house (an AllDifferent
over as many variables as values). A value of any other AllDifferent is a secondary item.

Donald Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1, and his later note on dancing cells.
"""

from .backend import BACKEND, ExactCover

__all__ = ["BACKEND", "ExactCover"]
