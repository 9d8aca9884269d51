from typing import Any

import pytest

from sudoku_models.errors import FormatError
from sudoku_models.formats import parse
from sudoku_models.puzzle import Puzzle, Shape

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIXTEEN = "123456789ABCDEFG"


def latin(symbols: str) -> str:
    """A complete 16 x 16 board of shifted rows."""
    return "".join(symbols[(4 * r + r // 4 + c) % 16] for r in range(16) for c in range(16))


def error_of(text: str, **options: object) -> FormatError:
    with pytest.raises(FormatError) as caught:
        parse(text, **options)  # type: ignore[arg-type]
    return caught.value


def test_a_line_of_81_characters_is_a_classic_puzzle() -> None:
    puzzle = parse(LINE)
    assert puzzle.shape == Shape.square(9)
    assert puzzle.givens[:9] == (5, 3, None, None, 7, None, None, None, None)
    assert puzzle.clues == 30
    assert puzzle.to_line() == LINE


@pytest.mark.parametrize("filler", list("0*_-xX? "))
def test_every_usual_filler_stands_for_an_open_cell(filler: str) -> None:
    assert parse(LINE.replace(".", filler)) == parse(LINE)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r", "\n\n", ""])
def test_line_ends_do_not_matter(ending: str) -> None:
    assert parse(LINE + ending) == parse(LINE)


@pytest.mark.parametrize(
    ("rest", "comment"),
    [
        (" easy", "easy"),
        ("\teasy", "easy"),
        (";rating 7.1", "rating 7.1"),
        (",easy", "easy"),
        (" # Nº 1", "Nº 1"),
        ("  ; a # b ", "a # b"),
        (" 17", "17"),
        (f" {LINE}", LINE),
        ("   ", ""),
    ],
)
def test_text_behind_the_last_cell_is_the_comment(rest: str, comment: str) -> None:
    assert parse(LINE + rest) == Puzzle(Shape.square(9), parse(LINE).givens, comment=comment)
    latin_reading = parse(LINE + rest, shape=Shape.latin(9))
    assert (latin_reading.comment, latin_reading.givens) == (comment, parse(LINE).givens)


@pytest.mark.parametrize("symbols", [SIXTEEN, "ABCDEFGHIJKLMNOP", "abcdefghijklmnop"])
def test_letters_are_read_when_one_alphabet_fits(symbols: str) -> None:
    expected = tuple((4 * r + r // 4 + c) % 16 + 1 for r in range(16) for c in range(16))
    assert parse(latin(symbols)).givens == expected


@pytest.mark.parametrize("alphabet", ["1-G", "0-F", "A-P", "0123456789ABCDEF", "zyxwvutsrqponmlk"])
def test_an_alphabet_that_is_given_is_used(alphabet: str) -> None:
    symbols = {"1-G": SIXTEEN, "0-F": "0123456789ABCDEF", "A-P": "ABCDEFGHIJKLMNOP"}.get(alphabet, alphabet)
    cells = "." + latin(symbols)[1:]
    expected = (None, *parse(latin(SIXTEEN)).givens[1:])
    assert parse(cells, alphabet=alphabet).givens == expected


def test_two_digits_a_cell_are_read_above_side_9() -> None:
    two = "".join(f"{SIXTEEN.index(c) + 1:02}" for c in latin(SIXTEEN))
    assert parse(two).givens == parse(latin(SIXTEEN)).givens
    assert parse(".." + two[2:]).givens[0] is None
    assert parse("00" + two[2:]).givens[0] is None


def test_a_side_without_boxes_needs_a_shape() -> None:
    cells = "1234523451345124512351234"
    assert "--boxes none" in str(error_of(cells))
    assert parse(cells, shape=Shape.latin(5)).shape == Shape.latin(5)
    assert parse(cells, shape=Shape.latin).shape == Shape.latin(5)
    assert parse("." * 49, shape=Shape.latin).shape == Shape.latin(7)


def test_a_shape_that_is_given_is_used() -> None:
    assert parse("." * 36, shape=Shape.square(6, (3, 2))).shape.box == (3, 2)
    wide = Shape(2, 3, (1, 2, 3))
    assert parse("1.3..2", shape=wide).givens == (1, None, 3, None, None, 2)
    assert "36 are expected" in str(error_of(LINE, shape=Shape.square(6)))


@pytest.mark.parametrize("text", [None, b"1..." * 4, [1, 2]])
def test_only_a_text_is_parsed(text: Any) -> None:
    with pytest.raises(TypeError, match=f"a text is expected, not {type(text).__name__}"):
        Puzzle.parse(text)
