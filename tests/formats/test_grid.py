import io
from pathlib import Path

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read
from sudoku_models.puzzle import Puzzle, Shape

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[i : i + 9] for i in range(0, 81, 9)]
PUZZLE = parse(LINE)


def drawn(left: str, between: str, right: str, rule: str, frame: str) -> str:
    """Draw the board: a border between boxes, a rule between bands, a frame around."""
    rows = [left + between.join(row[i : i + 3] for i in (0, 3, 6)) + right for row in ROWS]
    bands = ["\n".join(rows[i : i + 3]) for i in (0, 3, 6)]
    return "\n".join([*([frame] if frame else []), f"\n{rule}\n".join(bands), *([frame] if frame else [])])


LAYOUTS = {
    "plain": "\n".join(ROWS),
    "blanks": "\n".join(" ".join(row) for row in ROWS),
    "three groups": drawn("", " ", "", "", ""),
    "bars": drawn("|", "|", "|", "|---+---+---|", "*-----------*"),
    "plus frame": drawn("|", "|", "|", "+---+---+---+", "+---+---+---+"),
    "inner rules": drawn("", "|", "", "---+---+---", ""),
    "double": drawn(":", "|", ":", ":===+===+===:", ":===========:"),
    "spaced bars": drawn("| ", " | ", " |", "|-----+-----+-----|", ""),
    "box drawing": drawn("║", "│", "║", "╟───┼───┼───╢", "═════════════"),
    "rule of dashes": drawn("", " | ", "", "---------------", ""),
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("filler", list(".0*_-xX?"))
def test_a_board_is_read_with_any_borders_and_filler(name: str, filler: str) -> None:
    assert parse(LAYOUTS[name].replace(".", filler)) == PUZZLE


def puzzles(text: str) -> list[tuple[int, int | None]]:
    """The line and the number of givens of each entry; None for an error."""
    entries = list(read(io.BytesIO(text.encode())))
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
    return [(entry.line, entry.puzzle.clues if entry.puzzle else None) for entry in entries]


@pytest.mark.parametrize("name", LAYOUTS)
def test_boards_follow_each_other_behind_blank_lines(name: str) -> None:
    entries = puzzles("\n\n".join([LAYOUTS[name]] * 3))
    assert [clues for _, clues in entries] == [30, 30, 30]


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name != "three groups"])
def test_boards_follow_each_other_without_blank_lines(name: str) -> None:
    assert [clues for _, clues in puzzles("\n".join([LAYOUTS[name]] * 3))] == [30, 30, 30]


def test_a_board_that_lacks_rows_does_not_take_those_of_the_next() -> None:
    for rows in range(1, 9):
        entries = puzzles("\n\n".join(["\n".join(ROWS[:rows]), "\n".join(ROWS)]))
        assert [clues for _, clues in entries] == [None, 30], rows


def test_sixteen_lines_of_sixteen_have_two_readings() -> None:
    text = "\n".join(["1..............."] + ["." * 16] * 15)
    with pytest.raises(FormatError) as caught:
        parse(text)
    for part in ("--input-format line", "--input-format grid", "16 boards of 4 x 4", "one of 16 x 16"):
        assert part in str(caught.value)
    assert [entry.puzzle.shape for entry in read(io.BytesIO(text.encode()), input_format="line") if entry.puzzle] == [
        Shape.square(4)
    ] * 16
    assert parse(text, input_format="grid", alphabet="1-G").shape == Shape.square(16)
    assert parse(text, shape=Shape.square(16), alphabet="1-G").shape == Shape.square(16)


def test_sixteen_lines_with_a_value_twice_in_a_row_or_column_are_sixteen_boards() -> None:
    for first in ("1..1............", "1..............."):
        text = f"{first}\n" + "1...............\n" * 15
        assert [clues for _, clues in puzzles(text)] == [first.count("1"), *[1] * 15]


def test_eighty_one_short_number_lines_have_two_readings() -> None:
    text = "\n".join([" ".join("1" + "." * 80), *[" ".join("." * 81)] * 80])
    with pytest.raises(FormatError, match="--input-format numbers"):
        parse(text)
    assert parse(text, input_format="numbers").shape == Shape.square(81)
    assert parse(text.replace(".", "81", 1)).givens[1] == 81
    assert parse(text.replace("1", ".")) == Puzzle.empty(81)  # nobody lists empty boards


def test_an_sdm_file_holds_a_puzzle_a_line(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text(f"# many\n{LINE}\n{LINE.replace('.', '0')}\n")
    assert [entry.puzzle for entry in read(file)] == [parse(LINE)] * 2
