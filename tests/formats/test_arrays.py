import io

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats import arrays, read
from sudoku_models.formats.arrays import read_blocks
from sudoku_models.formats.source import encoding_of
from sudoku_models.puzzle import Shape

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

lines = st.one_of(
    st.just(LINE),
    st.sampled_from("0*_-xX? ").map(lambda filler: LINE.replace(".", filler)),
    st.sampled_from([" easy", ";1", "\t# é", "5", "x", " ", "\r", ",,"]).map(lambda rest: LINE + rest),
    st.sampled_from(["", "#", "# comment", "  ", "\t# indented", "12", LINE[:-1], "  " + LINE, LINE.replace("8", "a")]),
    st.text("123456789.", min_size=79, max_size=83),
    st.just(LINE.replace(".", "0", 1)),
    st.sampled_from(
        [" ".join(LINE), LINE.replace("7", "\0", 1), f"{LINE} # \0", "# \0", "\0", f"\ufeff{LINE}", "\ufeff#"]
    ),
)


def by_one(data: bytes) -> list[tuple[int, tuple[int, ...] | None, str]]:
    """The same, read puzzle by puzzle: line, values and error."""
    found = []
    for entry in read(io.BytesIO(data), input_format="line", shape=Shape.square(9)):
        values = tuple(value or 0 for value in entry.puzzle.givens) if entry.puzzle else None
        found.append((entry.line, values, entry.error.message if entry.error else ""))
    return found


def in_blocks(data: bytes) -> list[tuple[int, tuple[int, ...] | None, str]]:
    found = []
    for block in read_blocks(data):
        assert block.values.dtype == np.uint8
        assert block.values.shape == (len(block.numbers), 81)
        assert set(block.errors) <= set(range(len(block.numbers)))
        for row, (number, values) in enumerate(zip(block.numbers, block.values, strict=True)):
            error = block.errors.get(row)
            assert error is None or (error.line == number and not values.any())
            found.append((int(number), None if error else tuple(map(int, values)), error.message if error else ""))
    return found


@given(st.lists(lines, min_size=1, max_size=12), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(50, 400))
@example([LINE] * 3, "\r\n", True, 82)  # a piece of the file ends within the end of a line
@example([LINE[:-1], f"{LINE}."], "\n", True, 400)  # as many characters as two lines have
@settings(max_examples=100)
def test_blocks_hold_what_reading_one_by_one_finds(texts: list[str], end: str, last: bool, size: int) -> None:
    data = (end.join(texts) + (end if last else "")).encode()
    assume(encoding_of(data[:4]) == "utf-8")  # two lines of a zero byte look like UTF-16
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_CHUNK", size)
        try:
            expected = by_one(data)
        except FormatError:
            with pytest.raises(FormatError):
                in_blocks(data)
        else:
            assert in_blocks(data) == expected


def test_blocks_follow_each_other_in_constant_size() -> None:
    blocks = list(read_blocks(f"{LINE}\n".encode() * 50_000))
    assert len(blocks) > 3
    assert max(len(block.values) for block in blocks) < 15_000
    assert np.concatenate([block.numbers for block in blocks]).tolist() == list(range(1, 50_001))
    assert [block.first_line for block in blocks] == [int(block.numbers[0]) for block in blocks]
