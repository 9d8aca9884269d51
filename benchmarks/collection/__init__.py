"""The program that makes ``sudoku_models.collection`` anew. It is no part of the package; ``making`` is its door."""
