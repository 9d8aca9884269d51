"""Lowering: from the constraints a model uses to those a backend accepts, by small rewrites along a plan."""

from .plan import REWRITES, Lowered, lower
from .rewrite import Rewrite, Scratch

__all__ = ["REWRITES", "Lowered", "Rewrite", "Scratch", "lower"]
