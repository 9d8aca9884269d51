"""Drawings that a document gives no meaning: which rule each of them looks like, and what speaks for it."""
