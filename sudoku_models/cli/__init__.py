"""The command line ``sudoku-models``."""
