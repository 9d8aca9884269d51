from pathlib import Path

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, read

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(LINE[i : i + 9] for i in range(0, 81, 9))
TAGS = "#AA. Author\n#DA title\n#Ca comment\n#Cmore\n#B2001-02-03\n#LHard\n"


def test_tags_become_title_and_comment() -> None:
    puzzle = parse(TAGS + ROWS, input_format="sdk")
    assert puzzle.givens == parse(LINE).givens
    assert puzzle.title == "A title"
    assert puzzle.comment.splitlines() == ["author: A. Author", "a comment", "more", "date: 2001-02-03", "level: Hard"]


def test_only_the_puzzle_section_is_read() -> None:
    state = "[State]\n" + "\n".join(["123456789"] * 9)
    text = f"#DA title\n[Puzzle]\n{ROWS}\n\n{state}\n[PencilMarks]\n1,2,3\n[Colors]\n.....\n"
    puzzle = parse(text)
    assert (puzzle.givens, puzzle.title) == (parse(LINE).givens, "A title")


def test_an_sdm_file_holds_a_puzzle_a_line(tmp_path: Path) -> None:
    file = tmp_path / "many.sdm"
    file.write_text(f"# many\n{LINE}\n{LINE.replace('.', '0')}\n")
    assert [entry.puzzle for entry in read(file)] == [parse(LINE)] * 2


def test_sdm_is_of_nine_by_nine() -> None:
    with pytest.raises(FormatError, match="16 cells: 81 are expected"):
        parse("." * 16, input_format="sdm")
