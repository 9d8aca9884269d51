"""Reads and writes ISS constraint strings and links, the notation of the Interactive Sudoku Solver."""
