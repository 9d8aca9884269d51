"""Pictures of puzzles as SVG, one drawing function for each family of rules."""

from .svg_picture import puzzle_svg

__all__ = ["puzzle_svg"]
