"""A page to solve a puzzle on: one HTML file, without anything from a network."""

from .contents import solving_page

__all__ = ["solving_page"]
