"""A puzzle of many rules that every format of variants can be tried on, and the examples of the notation."""

from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

PACKED = (
    "N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEg2ACxgYAtgHstMNpvygy"
    "EZjDD48IAEoAmAMJ2QqGwGYHbl7Y+IQy4VQAawgyMk0AYxI0akIQCJgwy3hrewcab3d0/1RSSmoQAFYQQJBsCAAzCs0WBON4xLJk1JpPTNa/"
    "IWEuIA=="
)
RULES = (
    r.SlowThermo("R1C1 R1C2"),
    r.Nabner("R1C1 R1C2"),
    r.Whisper("R1C1 R1C2", 4),
    r.Lockout("R1C1 R1C2 R1C3", 3),
    r.KillerCage("R2C1 R2C2"),
    r.PillArrow("R1C1 R1C2", "R2C2 R3C3"),
    r.Difference("R1C1 R1C2", 3),
    r.Ratio("R1C1 R1C2", 3),
    r.XV("R1C1 R1C2"),
    r.Parity("R1C1", True),
    r.Parity("R1C1", False),
    r.Minimum("R2C2"),
    r.Maximum("R2C2"),
    r.BoxIndexer("R1C1"),
    r.Clone("R1C1 R1C2", "R3C3 R3C4"),
    r.Quadruple("R1C1 R1C2 R2C1 R2C2", (1, 1, 3)),
    r.LittleKiller("R6C6", 2),
    r.XSum("R2C6 R2C5 R2C4 R2C3 R2C2 R2C1", 7),
    r.Skyscraper("R6C3 R5C3 R4C3 R3C3 R2C3 R1C3", 2),
    r.Diagonal(False),
    r.StrictRatio(),
    r.StrictXV(),
)
"""Rules of the kinds, or with the values, that no puzzle of the collection has."""
SIX = Shape.square(6)


def with_rules(*rules: r.Rule) -> Puzzle:
    return Puzzle.empty(SIX).with_rules(*rules)
