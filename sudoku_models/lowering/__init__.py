"""Lowering: rewrite a model's constraints, in small steps, into those that a backend accepts."""

from .kinds import REWRITES
from .planner import Branch, Branches, Lowered, lower, reached
from .rewrite import Rewrite, Scratch

__all__ = ["REWRITES", "Branch", "Branches", "Lowered", "Rewrite", "Scratch", "lower", "reached"]
