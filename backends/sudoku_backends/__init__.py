"""The backends of sudoku-models: one module or folder per engine, found by entry point."""
