"""State a Sudoku once, as a declarative constraint model, and solve it by any of several backends."""
