import io
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, parse, read, write
from sudoku_models.puzzle import Grid, Puzzle, Shape

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
WRITTEN = [name for name, kind in FORMATS.items() if kind.writes]
OF_CAGES = ["killer", "killer-short"]
OF_REGIONS = ["jigsaw"]
OTHER_GRIDS = ["grids"]
SIDES = [4, 6, 8, 9, 10, 12, 15, 16, 20, 25]

notes = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12).map(
    lambda text: "note " + text
)


@st.composite
def puzzles(draw: st.DrawFn, sides: list[int], noted: bool = True, solved: bool = False) -> Puzzle:
    side = draw(st.sampled_from(sides))
    shape = Shape.square(side)
    cell = st.one_of(st.none(), st.integers(1, side))
    values = draw(st.lists(cell, min_size=min(shape.cells, 30), max_size=min(shape.cells, 90)))
    givens = (values * shape.cells)[: shape.cells]
    stated = tuple(value or 1 for value in reversed(givens)) if solved else None
    note = draw(notes) if noted and draw(st.booleans()) else ""
    return Puzzle(shape, tuple(givens), comment=note, stated=stated)


def text_of(boards: list[Puzzle] | list[Grid], name: str, **options: str) -> str:
    return "".join(write(boards, name, **options))  # type: ignore[arg-type]


def back(text: str, **options: str) -> list[Puzzle | None]:
    return [entry.puzzle for entry in read(io.BytesIO(text.encode()), **options)]  # type: ignore[arg-type]


@given(puzzles(SIDES))
@settings(max_examples=15)
def test_a_line_that_is_read_at_all_is_read_right(board: Puzzle) -> None:
    try:
        assert parse(text_of([board], "line")) == board
    except FormatError as error:
        assert "several alphabets" in str(error)


@pytest.mark.parametrize("name", ["numbers", "grid", "csv"])
@given(st.data())
@settings(max_examples=15)
def test_boards_are_read_back(name: str, data: st.DataObject) -> None:
    sides = [9] if name == "csv" else [4, 6, 8, 9, 12, 16, 30]
    boards = data.draw(st.lists(puzzles(sides, noted=False, solved=name == "csv"), min_size=1, max_size=4))
    named = {"input_format": name} if name == "numbers" else {}
    assert back(text_of(boards, name), **named) == boards


@pytest.mark.parametrize("name", ["grid", "numbers"])
def test_titles_and_comments_stand_before_a_board(name: str) -> None:
    boards = [Puzzle(Shape.square(9), parse(LINE).givens, title="One", comment="a\nb"), parse(LINE + " only a comment")]
    assert back(text_of(boards, name)) == boards


@pytest.mark.parametrize("name", [name for name in WRITTEN if name not in OF_CAGES + OF_REGIONS + OTHER_GRIDS])
def test_grids_are_written_like_puzzles(name: str) -> None:
    grid = parse(SOLVED).grid
    assert text_of([grid], name) == text_of([parse(SOLVED)], name)
    assert back(text_of([grid], name), input_format=name) == [parse(SOLVED)]


@pytest.mark.parametrize("name", ["line", "grid", "numbers"])
def test_the_largest_board_is_read_back(name: str) -> None:
    shape = Shape.square(400)
    board = Puzzle(shape, tuple(i % 401 or None for i in range(shape.cells)))
    assert back(text_of([board], name)) == [board]


def test_writing_is_lazy() -> None:
    def endless() -> Iterator[Puzzle]:
        while True:
            yield parse(LINE)

    for name in ("line", "grid", "numbers", "csv", "sdm"):
        assert next(write(endless(), name))
