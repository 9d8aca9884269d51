"""Lowering: from the constraints a model uses to those a backend accepts, by small rewrites along a plan."""

from .branches import Branch, Branches
from .kinds import REWRITES
from .planner import Lowered, lower
from .rewrite import Rewrite, Scratch

__all__ = ["REWRITES", "Branch", "Branches", "Lowered", "Rewrite", "Scratch", "lower"]
