"""Lowering: rewrite a model's constraints, in small steps, into those that a backend accepts."""

from .branches import Branch, Branches
from .kinds import REWRITES
from .planner import Lowered, lower, reached
from .rewrite import Rewrite, Scratch

__all__ = ["REWRITES", "Branch", "Branches", "Lowered", "Rewrite", "Scratch", "lower", "reached"]
