"""What engines and names of files say on standard output moves no cursor and changes no colour."""

from __future__ import annotations

import pytest

from sudoku_models.cli.compare import show


def test_control_characters_in_a_comparison_are_written_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    show(["one: 1 x error: \x1b[31mred\x07", "two"])
    found = capsys.readouterr().out
    assert r"\x1b[31mred" in found
    assert all(line.isprintable() for line in found.splitlines())
