"""A format is one object, and every table of formats is made of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from sudoku_models.cli.commands import command
from sudoku_models.errors import FormatError
from sudoku_models.formats import FORMATS, kinds, parse, write
from sudoku_models.puzzle import Puzzle
from sudoku_models.puzzle import rules as r

FOLDER = Path(str(kinds.__file__)).parents[1]
LINE = "1..." + "." * 12


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if not kind.writes])
def test_what_is_only_read_is_not_written(name: str) -> None:
    with pytest.raises(FormatError, match=r"one of line, grid, .* is expected"):
        list(write([parse(LINE)], name))


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if kind.writes and not kind.holds])
def test_what_a_format_does_not_hold_is_refused(name: str) -> None:
    ruled = Puzzle.empty(9).with_rules(r.Thermo(("R1C1", "R1C2")))
    with pytest.raises(FormatError, match=r"with rules \(Thermo\) cannot be written in the format"):
        list(write([ruled], name))


def test_help_offers_what_is_read_and_what_is_written() -> None:
    *read, last = (kind.name for kind in FORMATS.values() if kind.reads)
    assert _help("input_format").startswith(f"{', '.join(read)} or {last}; ")
    *written, last = (kind.name for kind in FORMATS.values() if kind.writes)
    assert _help("to").startswith(f"{', '.join(written)} or {last}, ")


def _help(name: str) -> str:
    """Return what is said of an option of convert."""
    return next(one.words.help for one in command("convert").parameters if one.name == name)
