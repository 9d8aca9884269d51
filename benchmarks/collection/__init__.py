"""The program that regenerates ``sudoku_models.collection``. It is not part of the package; start with ``making``."""
