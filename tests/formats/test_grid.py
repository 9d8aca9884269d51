import io

import pytest

from sudoku_models.formats import parse, read

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
