"""Positions with one named technique each, set up for the purpose: its eliminations follow, and it has its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from sudoku_models import Puzzle
from sudoku_models.explain.atoms import bits
from sudoku_models.explain.ladder import Ladder, level_text
from sudoku_models.explain.patterns import in_order
from sudoku_models.explain.patterns.finding import Finder
from sudoku_models.explain.step_words import Teller

EVERY = tuple(range(1, 10))
ROW, COLUMN, BOX = "row", "column", "box"


@dataclass(frozen=True)
class Position:
    """An empty board on which some cells have few candidates, and 1 has few places in some houses.

    ``goes`` are the eliminations, value by value: all that follows at the level of the technique. ``kind`` is the
    kind of trial in which a candidate fails.
    """

    cells: Mapping[str, tuple[int, ...]]
    places: Mapping[tuple[str, int], tuple[str, ...]]
    goes: Mapping[int, tuple[str, ...]]
    value: int = 1
    kind: int = 2

    @property
    def puzzle(self) -> Puzzle:
        board = Puzzle.empty(9)
        left = {name: set(EVERY) & set(self.cells.get(name, EVERY)) for name in board.shape.names}
        for (kind, number), names in self.places.items():
            for name in house(kind, number):
                left[name] -= set() if name in names else {self.value}
        return board.with_candidates({name: tuple(sorted(values)) for name, values in left.items()})

    @property
    def facts(self) -> set[tuple[int, int]]:
        return {(cell(name), value - 1) for value, names in self.goes.items() for name in names}


def cell(name: str) -> int:
    return 9 * int(name[1]) + int(name[3]) - 10


def house(kind: str, number: int) -> list[str]:
    if kind == ROW:
        return [f"R{number}C{c}" for c in EVERY]
    if kind == COLUMN:
        return [f"R{r}C{number}" for r in EVERY]
    band, stack = divmod(number - 1, 3)
    return [f"R{3 * band + r}C{3 * stack + c}" for r in (1, 2, 3) for c in (1, 2, 3)]


def fish(rows: tuple[int, ...], columns: tuple[int, ...]) -> Position:
    places = {(ROW, r): tuple(f"R{r}C{c}" for c in columns) for r in rows}
    return Position({}, places, {1: tuple(f"R{r}C{c}" for r, c in product(EVERY, columns) if r not in rows)})


POSITIONS = {
    "naked single": Position({"R5C5": (1,)}, {}, {1: ("R5C1", "R9C5", "R4C4", "R6C6")}, kind=0),
    "hidden single": Position({}, {(ROW, 1): ("R1C5",)}, dict.fromkeys(range(2, 10), ("R1C5",)), kind=0),
    "naked pair": Position(
        {"R1C2": (1, 2), "R1C8": (1, 2)}, {}, {v: tuple(f"R1C{c}" for c in (1, 3, 4, 5, 6, 7, 9)) for v in (1, 2)}
    ),
    "naked triple": Position(
        {"R1C2": (1, 2), "R1C5": (2, 3), "R1C8": (1, 3)},
        {},
        {v: tuple(f"R1C{c}" for c in (1, 3, 4, 6, 7, 9)) for v in (1, 2, 3)},
    ),
    "pointing": Position({}, {(BOX, 1): ("R2C1", "R2C3")}, {1: tuple(f"R2C{c}" for c in range(4, 10))}),
    "claiming": Position({}, {(ROW, 2): ("R2C1", "R2C3")}, {1: ("R1C1", "R1C2", "R1C3", "R3C1", "R3C2", "R3C3")}),
    "X-wing": fish((1, 5), (2, 6)),
    "swordfish": fish((1, 4, 7), (2, 5, 8)),
    "jellyfish": fish((1, 3, 5, 8), (1, 4, 6, 8)),
    "finned X-wing": Position(
        {}, {(ROW, 1): ("R1C2", "R1C6"), (ROW, 5): ("R5C2", "R5C4", "R5C6")}, {1: ("R4C6", "R6C6")}
    ),
    "skyscraper": Position(
        {}, {(ROW, 1): ("R1C2", "R1C5"), (ROW, 5): ("R5C2", "R5C6")}, {1: ("R4C5", "R6C5", "R2C6", "R3C6")}
    ),
    "two-string kite": Position({}, {(ROW, 1): ("R1C2", "R1C8"), (COLUMN, 1): ("R3C1", "R7C1")}, {1: ("R7C8",)}),
    "dual two-string kite": Position(
        {},
        {
            (ROW, 1): ("R1C2", "R1C8"),
            (COLUMN, 1): ("R3C1", "R7C1"),
            (ROW, 3): ("R3C1", "R3C6"),
            (COLUMN, 2): ("R1C2", "R5C2"),
        },
        {1: ("R7C8", "R5C6")},
    ),
    "dual empty rectangle": Position(
        {},
        {(BOX, 1): ("R2C1", "R2C3", "R1C2"), (ROW, 7): ("R7C2", "R7C8"), (COLUMN, 6): ("R2C6", "R8C6")},
        {1: ("R2C8", "R8C2")},
    ),
    "turbot fish": Position({}, {(BOX, 1): ("R1C1", "R3C2"), (ROW, 6): ("R6C2", "R6C8")}, {1: ("R1C8",)}),
    "empty rectangle": Position({}, {(BOX, 1): ("R2C1", "R2C3", "R1C2"), (ROW, 7): ("R7C2", "R7C8")}, {1: ("R2C8",)}),
    "XY-wing": Position({"R1C1": (1, 2), "R1C5": (1, 3), "R5C1": (2, 3)}, {}, {3: ("R5C5",)}),
    "XYZ-wing": Position({"R1C1": (1, 2, 3), "R1C5": (1, 3), "R2C2": (2, 3)}, {}, {3: ("R1C2", "R1C3")}),
    "W-wing": Position({"R1C1": (1, 2), "R5C9": (1, 2)}, {(ROW, 9): ("R9C1", "R9C9")}, {2: ("R1C9", "R5C1")}),
    "XY-chain": Position({"R1C1": (1, 2), "R1C5": (2, 3), "R5C5": (3, 4), "R5C9": (4, 1)}, {}, {1: ("R1C9", "R5C1")}),
    "remote pair": Position(
        dict.fromkeys(("R1C1", "R1C5", "R4C5", "R4C2"), (1, 2)),
        {},
        dict.fromkeys((1, 2), ("R5C1", "R6C1", "R2C2", "R3C2")),
    ),
    "ALS-XZ": Position({"R1C1": (1, 2, 3), "R1C2": (2, 3), "R5C1": (1, 4), "R5C2": (3, 4)}, {}, {3: ("R2C2", "R3C2")}),
    "Sue de Coq": Position(
        {"R1C1": (1, 2, 3, 4), "R1C2": (1, 2, 3, 4), "R1C8": (1, 2), "R3C3": (3, 4)},
        {},
        {
            **{v: tuple(f"R1C{c}" for c in (3, 4, 5, 6, 7, 9)) for v in (1, 2)},
            **dict.fromkeys((3, 4), ("R1C3", "R2C1", "R2C2", "R2C3", "R3C1", "R3C2")),
        },
        kind=3,
    ),
    "hidden quad": Position(
        {f"R1C{c}": (5, 6, 7, 8, 9) for c in (2, 3, 5, 6, 8)},
        {},
        dict.fromkeys((5, 6, 7, 8, 9), ("R1C1", "R1C4", "R1C7", "R1C9")),
        kind=1,
    ),
    "naked quad": Position(
        {"R1C2": (1, 2), "R1C4": (2, 3), "R1C6": (3, 4), "R1C8": (1, 4)},
        {},
        {v: tuple(f"R1C{c}" for c in (1, 3, 5, 7, 9)) for v in (1, 2, 3, 4)},
        kind=1,
    ),
    "hidden pair": Position(
        {f"R1C{c}": (3, 4, 5, 6, 7, 8, 9) for c in (1, 3, 4, 5, 7, 8, 9)},
        {},
        dict.fromkeys((3, 4, 5, 6, 7, 8, 9), ("R1C2", "R1C6")),
        kind=1,
    ),
    "hidden triple": Position(
        {f"R1C{c}": (4, 5, 6, 7, 8, 9) for c in (1, 3, 5, 7, 8, 9)},
        {},
        dict.fromkeys((4, 5, 6, 7, 8, 9), ("R1C2", "R1C4", "R1C6")),
        kind=1,
    ),
    "finned swordfish": Position(
        {},
        {(ROW, 1): ("R1C2", "R1C5"), (ROW, 4): ("R4C5", "R4C8"), (ROW, 7): ("R7C2", "R7C8", "R7C9")},
        {1: ("R8C8", "R9C8")},
    ),
    "sashimi X-wing": Position(
        {}, {(ROW, 1): ("R1C2", "R1C6"), (ROW, 5): ("R5C2", "R5C4", "R5C5")}, {1: ("R4C6", "R6C6")}
    ),
    "sashimi swordfish": Position(
        {},
        {(ROW, 1): ("R1C2", "R1C5"), (ROW, 4): ("R4C5", "R4C8"), (ROW, 7): ("R7C2", "R7C7", "R7C9")},
        {1: ("R8C8", "R9C8")},
    ),
    "finned jellyfish": Position(
        {},
        {
            (ROW, 1): ("R1C1", "R1C4"),
            (ROW, 4): ("R4C4", "R4C2"),
            (ROW, 5): ("R5C2", "R5C7"),
            (ROW, 8): ("R8C1", "R8C7", "R8C8", "R8C9"),
        },
        {1: ("R7C7", "R9C7")},
    ),
    "X-chain": Position(
        {},
        {(ROW, 1): ("R1C1", "R1C5"), (ROW, 4): ("R4C5", "R4C9"), (COLUMN, 8): ("R5C8", "R8C8")},
        {1: ("R8C1",)},
    ),
    "grouped X-chain": Position(
        {},
        {(ROW, 1): ("R1C1", "R1C5"), (BOX, 5): ("R4C5", "R6C5", "R5C4"), (COLUMN, 9): ("R5C9", "R8C9")},
        {1: ("R8C1",)},
    ),
    "grouped AIC": Position({"R1C1": (1, 2), "R5C9": (1, 2)}, {(BOX, 4): ("R4C1", "R6C1", "R5C3")}, {2: ("R1C9",)}),
    "simple colours": Position(
        {},
        {
            (ROW, 1): ("R1C1", "R1C5"),
            (COLUMN, 5): ("R1C5", "R6C5"),
            (BOX, 5): ("R6C5", "R4C4"),
            (ROW, 4): ("R4C4", "R4C9"),
            (COLUMN, 9): ("R4C9", "R8C9"),
        },
        {1: ("R8C1",)},
    ),
    "AIC": Position(
        {"R1C1": (1, 2), "R7C6": (1, 3), "R7C9": (2, 3)}, {(ROW, 5): ("R5C1", "R5C6")}, {2: ("R1C9", "R7C1")}
    ),
}
SLOW = ("swordfish", "jellyfish")
"""With all their places open, so that the ladder takes seconds: their sizes are tested."""


def documented() -> Iterator[tuple[str, str]]:
    """Yield the techniques of the table in docs/ladder.md, and the level at which each is found at the latest."""
    text = (Path(__file__).parents[2] / "docs/ladder.md").read_text("utf-8")
    for line in text.split("| technique |")[1].split("\n\n")[0].splitlines()[2:]:
        names, level = (part.strip() for part in line.strip("|").split("|"))
        yield from ((name, level) for name in names.split(", "))


def test_every_technique_with_a_position_has_a_level_in_the_docs() -> None:
    assert {name for name, _ in documented()} == set(POSITIONS)


@pytest.mark.parametrize(("name", "level"), [row for row in documented() if row[0] not in SLOW])
def test_what_a_technique_removes_is_found_at_the_level_that_the_docs_say(name: str, level: str) -> None:
    position = POSITIONS[name]
    ladder, left, highest = Ladder(position.puzzle, None, True), set(position.facts), (0, 0)
    for stage in ladder.stages(ladder.start(), (3, 2)):
        left, highest = left - stage.facts, max(highest, stage.level)
        if not left:
            break
    assert not left and level_text(highest) == level


@pytest.mark.parametrize("name", POSITIONS)
def test_a_technique_is_one_proved_step_with_all_that_it_removes(name: str) -> None:
    position = POSITIONS[name]
    finder = Finder(Ladder(position.puzzle))
    masks = finder.ladder.start()
    state = finder.state(masks, ())
    state.wanted = sum(1 << 81 * bit + cell for cell, bit in position.facts)
    facts = ((one, {(x % 81, x // 81) for x in bits(one.out)}) for one in in_order(state))
    found = next(one for one, gone in facts if name in (one.name, *one.also) and position.facts <= gone)
    step = finder.proved(state, found, masks)
    assert step is not None and position.facts <= step.facts and Teller(finder.ladder).pattern(step) == found.name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("skyscraper", "Skyscraper: 1 is in R1C5 or R5C6: R1C5 = R1C2 - R5C2 = R5C6, so "),
        ("XY-wing", "XY-wing: if R1C1 is 1, R1C5 is 3; if it is 2, R5C1 is 3, so R5C5 is not 3"),
        (
            "W-wing",
            "W-wing: R1C1 and R5C9 have only 1 and 2 and are not both 1, because in row 9, 1 is in R9C1 or R9C9, so ",
        ),
        (
            "ALS-XZ",
            "ALS-XZ: 3 is in R1C1, R1C2 or R5C2: the sets R1C1 R1C2 (1/2/3) and R5C1 R5C2 (1/3/4) do not both have 1",
        ),
        ("pointing", "Pointing: in box 1, 1 is in R2C1 or R2C3, so R2C4, R2C5, R2C6, R2C7, R2C8 and R2C9 are not 1"),
    ],
)
def test_a_technique_is_told_as_players_tell_it(name: str, text: str) -> None:
    finder = Finder(Ladder(POSITIONS[name].puzzle))
    masks = finder.ladder.start()
    state = finder.state(masks, ())
    state.wanted = sum(1 << 81 * bit + cell for cell, bit in POSITIONS[name].facts)
    steps = (finder.proved(state, one, masks) for one in in_order(state) if one.name == name)
    assert text in {Teller(finder.ladder).text(step)[: len(text)] for step in steps if step}


def test_a_skyscraper_whose_two_ends_share_a_box_keeps_its_name() -> None:
    rest = tuple(f"R{r}C5" for r in range(3, 10))
    position = Position(
        {}, {(ROW, 1): ("R1C1", "R1C5"), (ROW, 2): ("R2C2", "R2C5")}, {1: ("R3C1", "R3C2", "R3C3", *rest)}
    )
    finder = Finder(Ladder(position.puzzle))
    state = finder.state(finder.ladder.start(), ())
    found = next(one for one in in_order(state) if one.name == "skyscraper")
    assert position.facts <= {(x % 81, x // 81) for x in bits(found.out)}
