"""A page on which to solve a puzzle: one HTML file that needs no network."""

from .contents import solving_page

__all__ = ["solving_page"]
