import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse, write
from sudoku_models.puzzle import Puzzle, Shape
from sudoku_models.puzzle import rules as r

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
IRREGULAR = "1112122233343444"
CAGES = Puzzle.empty(Shape.square(9)).with_rules(
    r.KillerCage("R1C1 R2C2", 45), r.KillerCage("R1C2 R1C3 R2C3", 6), r.KillerCage("R9C9", 9)
)


def written(board: Puzzle, name: str) -> str:
    return "".join(write([board], name))


@pytest.mark.parametrize("name", ["killer", "killer-short"])
def test_cages_are_read_back(name: str) -> None:
    assert set(parse(written(CAGES, name), input_format=name).rules) == set(CAGES.rules)


@pytest.mark.parametrize(
    "board",
    [
        parse(LINE),
        CAGES.with_rules(r.AntiKnight()),
        Puzzle.empty(Shape.square(9)).with_rules(r.KillerCage("R1C1 R1C2", 3), r.KillerCage("R1C2 R1C3", 4)),
        Puzzle.empty(Shape.square(4)),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["killer", "killer-short"])
def test_what_killer_cannot_hold_is_refused(board: Puzzle, name: str) -> None:
    with pytest.raises(FormatError, match="cannot be written"):
        written(board, name)


def test_a_cage_in_pieces_has_no_pointers_and_one_without_sum_no_number() -> None:
    with pytest.raises(FormatError, match="several pieces"):
        written(Puzzle.empty(Shape.square(9)).with_rules(r.KillerCage("R1C1 R9C9", 3)), "killer-short")
    with pytest.raises(FormatError, match="without a sum"):
        written(Puzzle.empty(Shape.square(9)).with_rules(r.KillerCage("R1C1 R1C2")), "killer")


def test_jigsaw_is_two_lines_of_cells_and_labels() -> None:
    board = Puzzle(Shape.irregular(IRREGULAR), (1, *[None] * 15))
    assert written(board, "jigsaw") == f"1...............\n{IRREGULAR}\n"
    assert parse(written(board, "jigsaw"), input_format="jigsaw") == board
    assert parse(f"1...............{IRREGULAR}", input_format="jigsaw") == board


@pytest.mark.parametrize("side", [10, 12, 16, 25])
def test_pencil_marks_above_nine_are_two_characters_a_value(side: int) -> None:
    shape = Shape.square(side)
    board = Puzzle(shape, (side, *[None] * (shape.cells - 1)), ((2, (1, side)), (5, (2, 9, 10))))
    text = written(board, "pencilmarks").strip()
    assert len(text) == 2 * side**3
    assert text.startswith("." * (2 * side - 2) + str(side) + "0102")
    assert parse(text) == board
    assert parse(text.replace(".", "0"), input_format="pencilmarks") == board
    with pytest.raises(FormatError, match=r"R1C1: '01' where 10 or '\.\.' is expected"):
        parse(text[:18] + "01" + text[20:], input_format="pencilmarks")


def test_ss_is_drawn_with_bars() -> None:
    text = written(parse(LINE), "ss")
    assert text.splitlines()[:2] == ["*-----------*", "|53.|.7.|...|"]
    assert parse(text) == parse(LINE)


def test_sdx_holds_givens_entries_and_candidates() -> None:
    assert parse(written(parse(LINE), "sdx"), input_format="sdx") == parse(LINE)
    rows = ["5 3 u4 12 7 . 0 128 9"] + ["123456789 " * 9] * 8
    assert parse("\n".join(rows)).givens[:9] == (5, 3, None, None, 7, None, None, None, 9)


def test_ipuz_is_read_back() -> None:
    board = Puzzle(Shape.square(9), parse(LINE).givens, (), "T", "author: A\nnotes: N", parse("1" * 81).givens)
    assert parse(written(board, "ipuz")) == board
    assert parse(f"ipuz({written(board, 'ipuz').strip()});") == board
    assert parse(written(parse(LINE + " a comment"), "ipuz")).comment == "notes: a comment"
    assert parse(written(Puzzle.empty(Shape.latin(5)), "ipuz")) == Puzzle.empty(Shape.latin(5))
    large = Puzzle(Shape.square(16), (16, *[None] * 255))
    assert parse(written(large, "ipuz")) == large
