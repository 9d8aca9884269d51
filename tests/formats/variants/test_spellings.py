"""What stands behind a puzzle in a file, or between puzzles: labels of regions, prose around links."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from sudoku_models import formats
from sudoku_models.formats import parse, write
from sudoku_models.formats.iss import link_of
from sudoku_models.formats.kinds.jigsaw import is_layout
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle.rules import KillerCage

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_jigsaws_follow_each_other_in_a_file(tmp_path: Path) -> None:
    jigsaw = "1...............\n# labels\n  1112122233343444\n"
    (tmp_path / "puzzles").write_text(f"{jigsaw}\n{jigsaw}")
    assert [entry.puzzle for entry in formats.read(tmp_path / "puzzles")] == [parse(jigsaw)] * 2


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


KILLER = Puzzle.empty(Shape.square(4)).with_rules(KillerCage("R1C1 R1C2", 3))
LINKS = [*("".join(write([KILLER], name)).strip() for name in ("f-puzzles", "sudokupad")), link_of(KILLER)]


def test_links_in_prose_are_found_each_with_its_line_and_one_of_a_server_is_an_error(tmp_path: Path) -> None:
    prose = "Hope you like {}!\nThe first: {}. And the next ({}), then <https://sudokupad.app/abc123>\n\nThat is all.\n"
    (tmp_path / "post.txt").write_text(prose.format(*LINKS))
    *found, last = formats.read(tmp_path / "post.txt")
    assert [(entry.line, entry.puzzle) for entry in found] == [(1, KILLER), (2, KILLER), (2, KILLER)]
    assert last.line == 2 and "kept on a server" in str(last.error)
