"""How the puzzles that ship in ``sudoku_models.collection`` were made: the plain ones by ``make``, those with rules by
``make_variants``.

Run in the project's folder: ``python -m benchmarks.collection.make --out FILE``. The same seed gives the same file.
"""
