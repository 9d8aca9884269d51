"""Drawings without a stated meaning: the rule that each looks like, and the evidence for it."""
