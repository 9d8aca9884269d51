"""Other grid puzzles, stated with the same rules and core constraints as a Sudoku, and solved by the same verbs."""

from .boards import (
    binairo,
    consecutive,
    futoshiki,
    hidato,
    hitori,
    kakuro,
    kenken,
    killer,
    magic_square,
    numbrix,
    quasigroup,
    star_battle,
    str8ts,
    towers,
)

__all__ = [
    "binairo",
    "consecutive",
    "futoshiki",
    "hidato",
    "hitori",
    "kakuro",
    "kenken",
    "killer",
    "magic_square",
    "numbrix",
    "quasigroup",
    "star_battle",
    "str8ts",
    "towers",
]
