"""The page of certificates says which lines have to be trusted, and how many they are."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

from sudoku_models import prove

FOLDER = Path(prove.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "certificates.md"
SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}


def lines_of_code(path: Path) -> int:
    """Return how many lines of a file hold code: no blank lines, no comments, no texts that stand alone."""
    found: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type == tokenize.NEWLINE:
            if [t.type for t in statement] != [tokenize.STRING]:
                found.update(at for t in statement for at in range(t.start[0], t.end[0] + 1))
            statement = []
        elif token.type not in SILENT:
            statement.append(token)
    return len(found)


def rows() -> list[tuple[int, list[Path]]]:
    """Return of each row of the table how many lines it claims, and its files."""
    found = []
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 4 and cells[1].isdigit():
            names = re.findall(r"`([\w/]+\.py)`", cells[2])
            folder = FOLDER.parent / Path(names[0]).parent
            found.append((int(cells[1]), [folder / Path(name).name for name in names]))
    return found


def test_the_numbers_of_lines_are_right() -> None:
    counted = [(claimed, sum(map(lines_of_code, files))) for claimed, files in rows()]
    assert len(counted) == 12
    assert [claimed for claimed, _ in counted] == [lines for _, lines in counted]


def test_no_file_of_the_second_encoder_is_left_out() -> None:
    listed = {path for _, files in rows() for path in files}
    assert {path for path in (FOLDER / "plain").glob("*.py") if path.stem != "__init__"} <= listed


def test_texts_comments_and_blank_lines_are_no_code(tmp_path: Path) -> None:
    path = tmp_path / "it.py"
    text = [
        '"""A text."""',
        "",
        "x = 1  # said",
        "# alone",
        "def f():",
        '    """Text',
        '    more."""',
        "    return (x,",
        "    )",
    ]
    path.write_text("\n".join([*text, ""]))
    assert lines_of_code(path) == 4
