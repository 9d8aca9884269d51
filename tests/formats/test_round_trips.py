"""A shipped variant puzzle of each name in every format: it comes back whole, or the writer names what is not held."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from sudoku_models.collection import variants
from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import each
from sudoku_models.puzzle.rules.words import title_of

PUZZLES = [item.puzzle for item in variants() if item.name.endswith("-01")]
BARE = [replace(puzzle, rules=()) for puzzle in PUZZLES]
NINES = sum(puzzle.shape == Shape.square(9) for puzzle in PUZZLES)
WITHOUT_BOXES = sum(not puzzle.shape.regions for puzzle in PUZZLES)


@dataclass(frozen=True)
class Carries:
    """How many of the 67 puzzles a format holds, with their rules and as bare boards.

    ``loses`` are the fields that it has no place for, beside rules; ``shape`` means that its reader needs the
    shape of the board.
    """

    variants: int
    bare: int
    loses: tuple[str, ...] = ()
    shape: bool = True


NO_NOTES = ("title", "comment", "stated")
TABLE = {
    "line": Carries(0, 67, NO_NOTES),
    "grid": Carries(0, 67, ("stated",)),
    "numbers": Carries(0, 67, ("stated",)),
    "csv": Carries(0, 67, ("title", "comment")),
    "sdk": Carries(0, 67, ("stated",)),
    "sdm": Carries(0, 19, NO_NOTES),
    "ss": Carries(0, 19, NO_NOTES),
    "sdx": Carries(0, 19, NO_NOTES),
    "pencilmarks": Carries(0, 67, NO_NOTES),
    "jigsaw": Carries(0, 57, NO_NOTES, shape=False),
    "ipuz": Carries(0, 67, shape=False),
    "killer": Carries(0, 0, NO_NOTES, shape=False),
    "killer-short": Carries(0, 0, NO_NOTES, shape=False),
    "grids": Carries(3, 10, NO_NOTES, shape=False),
    "iss": Carries(67, 67, NO_NOTES, shape=False),
    "json": Carries(67, 67, shape=False),
    "f-puzzles": Carries(57, 67, shape=False),
    "f-puzzles-json": Carries(57, 67, shape=False),
    "sudokupad": Carries(57, 67, shape=False),
}
OUTSIDE_KILLER = {"killer": ("9 x 9 is expected", "givens"), "killer-short": ("9 x 9 is expected", "givens")}


def without(puzzle: Puzzle, fields: Iterable[str]) -> Puzzle:
    empty = {"title": "", "comment": "", "stated": None}
    return replace(puzzle, **{field: empty[field] for field in fields})


def grouped(puzzle: Puzzle, name: str) -> Puzzle:
    """Put the rules of a kind together, as formats with a list for each kind do; other grids have one of theirs."""
    by_kind = sorted(puzzle.rules, key=lambda rule: (type(rule).__name__, repr(rule) if name == "grids" else ""))
    return replace(puzzle, rules=tuple(by_kind))


def refusal(puzzle: Puzzle, name: str) -> str:
    """Write and read a puzzle: what comes back is the puzzle, but for what the format loses; return a refusal."""
    row = TABLE[name]
    try:
        text = "".join(write([puzzle], name))
    except FormatError as error:
        return str(error)
    again = grouped(parse(text, input_format=name, shape=puzzle.shape if row.shape else None), name)
    puzzle = grouped(puzzle, name)
    assert without(again, row.loses) == without(puzzle, row.loses), f"{puzzle.title} in {name}"
    assert again.model == puzzle.model
    assert again.notes == ()
    return ""


def test_the_table_tells_of_every_format() -> None:
    assert TABLE.keys() == {name for name, kind in FORMATS.items() if kind.writes}
    assert len(PUZZLES) == 67
    assert (NINES, WITHOUT_BOXES) == (19, 10)


@pytest.mark.parametrize("name", TABLE)
def test_a_variant_comes_back_or_the_rule_that_cannot_be_written_is_named(name: str) -> None:
    refused = [(puzzle, said) for puzzle in PUZZLES if (said := refusal(puzzle, name))]
    assert len(PUZZLES) - len(refused) == TABLE[name].variants
    for puzzle, said in refused:
        rules = list(each(puzzle.rules))
        named = [*(type(rule).__name__ for rule in rules), *map(title_of, rules), *OUTSIDE_KILLER.get(name, ())]
        assert any(part in said for part in named), f"{puzzle.title}: {said}"
        assert "cannot be written" in said and len(said) < 300


@pytest.mark.parametrize("name", TABLE)
def test_a_bare_board_comes_back_or_its_shape_is_named(name: str) -> None:
    refused = [(puzzle, said) for puzzle in BARE if (said := refusal(puzzle, name))]
    assert len(BARE) - len(refused) == TABLE[name].bare
    for puzzle, said in refused:
        assert str(puzzle.shape) in said or "givens" in said, f"{puzzle.title}: {said}"
