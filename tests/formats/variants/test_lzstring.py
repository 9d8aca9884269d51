import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_models.errors import FormatError
from sudoku_models.formats.links import LONGEST_TEXT, packed, unpacked

from .examples import JSON, PACKED


@pytest.mark.parametrize(("text", "code"), [("{}", "N4XyA==="), ("aaaa", "IY5A"), ("", "Q==="), (JSON, PACKED)])
def test_the_examples_of_the_notation(text: str, code: str) -> None:
    assert packed(text) == code
    assert unpacked(code) == text
    assert unpacked(code.rstrip("=")) == text


@given(st.one_of(st.text(max_size=300), st.text("ab", max_size=400), st.text("aé€𝄞", max_size=200)))
@settings(max_examples=300)
def test_any_text_is_unpacked_as_it_was(text: str) -> None:
    text = text.encode("utf-16", "replace").decode("utf-16")
    assert unpacked(packed(text)) == text


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", max_size=200))
@settings(max_examples=300)
def test_any_packed_text_is_unpacked_or_refused(text: str) -> None:
    try:
        assert isinstance(unpacked(text), str)
    except FormatError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "part"), [("N4X*", "Base64"), ("N4", "cut off"), ("I", "cut off"), ("A" * 400_001, "at most")]
)
def test_damaged_text_is_refused(text: str, part: str) -> None:
    with pytest.raises(FormatError, match=part):
        unpacked(text)


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = packed("a" * (2 * LONGEST_TEXT))
    assert len(bomb) < 10_000
    tracemalloc.start()
    with pytest.raises(FormatError, match="no puzzle is that long"):
        unpacked(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000_000
