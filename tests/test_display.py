"""Figures and tables as text."""

from __future__ import annotations

import pytest

from sudoku_models.display import Column, TextTable, seconds
from sudoku_models.display.text_tables import rendered


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (0, "0"),
        (12.345, "12.3 s"),
        (1.0, "1.00 s"),
        (0.9996, "1.00 s"),
        (0.0123, "12.3 ms"),
        (0.000999, "999 us"),
        (1234.5, "1,234 s"),
        (0.0000001, "0.10 us"),
        (9.996, "10.0 s"),
    ],
)
def test_times_have_three_digits_and_a_unit(value: float | None, text: str) -> None:
    assert seconds(value) == text


TABLE = TextTable((Column("name", number=False), Column("n")), (("a|b", "1"), ("[bold]c", "22")), "A title")


def test_markdown_escapes_bars() -> None:
    assert TABLE.markdown() == "| name | n |\n| --- | ---: |\n| a\\|b | 1 |\n| [bold]c | 22 |\n"


def test_text_is_shown_as_it_is_and_fits_the_width() -> None:
    text = rendered([TABLE, "an end"], width=30)
    assert "[bold]c" in text
    assert text.endswith("an end")
    assert max(map(len, text.splitlines())) <= 30
