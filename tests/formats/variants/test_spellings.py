"""Odd but legal spellings: blanks, case, comments, line ends, links in other words; what they leave out is reported."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_models import FormatError, formats
from sudoku_models.formats import parse, write
from sudoku_models.formats.kinds.jigsaw import is_layout
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [NINE[i : i + 9] for i in range(0, 81, 9)]
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


def test_a_comment_behind_a_constraint_string_is_kept_and_a_type_in_small_letters_named() -> None:
    assert parse(f"{STRING}  # from a friend").comment == "from a friend"
    with pytest.raises(FormatError, match="thermo: unknown constraint"):
        parse(".Shape~4x4.thermo~R1C1~R1C2")


def test_codes_may_be_longer_than_they_must() -> None:
    for code, rule in (("Pair~Oj", "Pair~OjAAA"), ("Regex~WzEyXSpbMzRdKw", "Regex~WzEyXSpbMzRdKw==")):
        assert parse(f".Shape~4x4.{code}~R1C1~R1C2").rules == parse(f".Shape~4x4.{rule}~R1C1~R1C2").rules


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


def test_what_the_package_writes_as_jigsaw_it_recognises(tmp_path: Path) -> None:
    nine = Puzzle.parse(NINE)
    assert parse("".join(write([nine], "jigsaw"))) == nine
    assert of_file("".join(write([nine, nine], "jigsaw")), tmp_path) == [nine, nine]


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


@pytest.mark.parametrize(
    "name", ["line", "grid", "numbers", "sdk", "ss", "sdx", "ipuz", "json", "iss", "f-puzzles-json"]
)
def test_every_text_of_a_classic_board_with_other_line_ends_and_a_mark(name: str, tmp_path: Path) -> None:
    nine = Puzzle.parse(NINE)
    text = "".join(write([nine], name))
    for spelled in ends(text)[1 : 3 if name in ("sdk",) else None]:
        assert parse(spelled).givens == nine.givens
        assert [found and found.givens for found in of_file(spelled, tmp_path)] == [nine.givens]


def ipuz(**keys: Any) -> str:
    board = [[int(c) if c != "." else 0 for c in row] for row in ROWS]
    return json.dumps({"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"], "puzzle": board, **keys})


def test_ipuz_takes_a_single_kind_and_absent_keys_and_tells_a_strange_version() -> None:
    for keys in ({"kind": "https://ipuz.org/sudoku"}, {"cages": [], "zones": None, "version": "http://ipuz.org/v1"}):
        found = parse(ipuz(**keys))
        assert found.givens == Puzzle.parse(NINE).givens and found.notes == ()
    assert parse(f"\ufeffipuz ( {ipuz()} ) ;\r\n").notes == ()
    assert parse(ipuz(version="http://ipuz.org/v9")).notes == (
        'the version "http://ipuz.org/v9" is not supported: v1 and v2 are',
    )
    with pytest.raises(FormatError, match="v1 and v2"):
        parse(ipuz(version="http://ipuz.org/v9"), strict=True)


def drawing(**keys: Any) -> Puzzle:
    boxes = [[[r0 + i, c0 + j] for i in (0, 1) for j in (0, 1)] for r0 in (0, 2) for c0 in (0, 2)]
    return parse(json.dumps({"cells": [[None, *[{}] * 3], *[[{}] * 4] * 3], "regions": boxes, **keys}))


def test_drawings_tell_a_cage_with_two_sums_and_keep_what_stands_at_the_top() -> None:
    found = drawing(cages=[{"cells": [[0, 0], [0, 1]], "value": "5", "sum": 6}], title="A title", author="Someone")
    assert (found.rules, found.title, found.comment) == ((r.KillerCage("R1C1 R1C2", 6),), "A title", "author: Someone")
    assert found.notes == ('the cage of R1C1 shows "5" but has the sum 6, which is used',)
    solution = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    for stated in (solution, "".join(map(str, solution))):
        assert drawing(solution=stated).stated == drawing(metadata={"solution": stated}).stated == tuple(solution)
