"""Clauses of kinds beyond Compare and Table."""
