"""Odd but legal spellings: blanks, case, comments, line ends, links in other words; what they leave out is reported."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import formats
from sudoku_models.formats import parse, write
from sudoku_models.formats.kinds.jigsaw import is_layout
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CAGES = Puzzle.empty(Shape.square(9)).with_rules(r.KillerCage("R1C1 R1C2", 3), r.KillerCage("R2C3 R3C3", 17))
LONG, SHORT = ("".join(write([CAGES], name)).strip() for name in ("killer", "killer-short"))
MARKS = "1....23." + "1234" * 14
THERMO = Puzzle(Shape.square(4), (1, *[None] * 15), rules=(r.Thermo("R2C2 R3C3"),))
STRING = ".Shape~4x4.~R1C1_1.Thermo~R2C2~R3C3"
LINK = "sigh.github.io/Interactive-Sudoku-Solver/?q="


def ends(text: str) -> list[str]:
    return [text, f"\ufeff{text}", text.replace("\n", "\r\n") + "\r\n", f"# a comment\n{text}\n\n"]


def of_file(text: str, tmp_path: Path) -> list[Puzzle | None]:
    path = tmp_path / "puzzles"
    path.write_text(text, encoding="utf-8")
    return [entry.puzzle for entry in formats.read(path)]


@pytest.mark.parametrize(
    "text",
    [
        *ends(STRING),
        " . Shape ~ 4x4\n . ~ r1c1 _ 1\n.Thermo~R2C2\n~R3C3 # from a friend",
        ".Shape~4x4~~.~R1C1_1.Thermo~R2C2~R3C3..",
        f"https://{LINK}{STRING}",
        f"HTTP://{LINK.replace('sigh', 'Sigh')}{STRING.replace('~', '%7E')}&x=1#y",
        f"<{LINK}+{STRING}+>",
        f"https://localhost:8080/?a=b&q={STRING}  # mine",
    ],
)
def test_constraint_strings_and_their_links(text: str) -> None:
    found = parse(text)
    assert (found.shape, found.givens, found.rules) == (THERMO.shape, THERMO.givens, THERMO.rules)


@pytest.mark.parametrize(
    "text",
    [
        *ends(LONG),
        LONG.upper(),
        LONG.replace(":", " : "),
        LONG.rstrip(":") + " # cages",
        *ends(SHORT),
        *ends("\n".join(SHORT[i : i + 9] for i in range(0, 81, 9))),
        f"{SHORT} # cages",
        "\n".join(f"{' '.join(SHORT[i : i + 9])}  # row" for i in range(0, 81, 9)),
    ],
)
def test_killers(text: str, tmp_path: Path) -> None:
    assert parse(text).rules == CAGES.rules
    assert [found.rules for found in of_file(text, tmp_path) if found] == [CAGES.rules]


@pytest.mark.parametrize("labels", ["1112122233343444", "AAABABBBCCCDCDDD", "aaababbbcccdcddd"])
@pytest.mark.parametrize("between", ["\n", "\r\n\r\n", " \n# labels\n  ", " ", ""])
def test_a_line_of_labels_behind_a_board_makes_it_a_jigsaw(labels: str, between: str, tmp_path: Path) -> None:
    text = f"1...............{between}{labels}\n"
    for found in (parse(text), *of_file(f"{text}\n{text}", tmp_path)):
        assert found is not None and found.givens[0] == 1
        assert len(found.shape.regions) == 4 and found.shape.region_of[3] == found.shape.region_of[5]


def test_boards_and_solutions_are_no_labels_and_a_pipe_is_not_made_to_wait() -> None:
    solved = "1234341221434321"
    assert not any(map(is_layout, (solved, "1...............", "1111222233334445", "1112122233343442", "")))
    stream = io.BytesIO(f"{solved}\n{solved}\n".encode())
    assert [entry.line for entry in formats.read(stream)] == [1, 2]

    class Pipe(io.RawIOBase):
        lines = [f"{NINE}\n".encode()]  # noqa: RUF012

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            line = self.lines.pop()  # an IndexError for whoever reads on before the puzzle is out
            buffer[: len(line)] = line
            return len(line)

    assert next(formats.read(io.BufferedReader(Pipe()))).line == 1


@pytest.mark.parametrize(
    "text",
    [
        *ends(MARKS),
        f"  {MARKS} # marks",
        MARKS.replace(".", "0"),
        " ".join(MARKS[i : i + 4] for i in range(0, 64, 4)),
        *ends("1 23 1234 1234\n" + "1234 1234 1234 1234\n" * 3),
        "1 23 1234 1234 # first\n# between\n" + "1234 1234 1234 1234 ; row\n" * 3,
    ],
)
def test_pencil_marks(text: str) -> None:
    found = parse(text)
    assert (found.shape, found.givens[0], found.candidates) == (Shape.square(4), 1, ((1, (2, 3)),))
