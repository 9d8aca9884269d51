"""Commands on texts that others wrote: nearly puzzles, what a format cannot hold, pictures, closed and full streams."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

UNIQUE = "1......2........"
SOLVED = "1234341221434321"


def test_a_picture_is_written_as_png_and_as_pdf_with_a_page_a_puzzle(
    program: Callable[..., Any], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    assert program("convert", "--to", "png", "-o", tmp_path / "a.png", input=UNIQUE).exit_code == 0
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    boards = f"{SOLVED[:-1]}.\n" * 2
    assert program("convert", "-f", "pdf", "--solution", "-o", tmp_path / "a.pdf", input=boards).exit_code == 0
    document = (tmp_path / "a.pdf").read_bytes()
    assert document.startswith(b"%PDF-")
    assert b"/Count 4" in document


def test_a_picture_shows_the_solution_or_the_candidates_where_they_are_asked_for(program: Callable[..., Any]) -> None:
    plain, solved, marks = (
        program("convert", "-f", "svg", *options, input=SOLVED[:-2] + "..").stdout
        for options in ((), ("--solution",), ("--candidates",))
    )
    assert [text.count("<text") for text in (plain, solved)] == [14, 16]
    assert plain.count("<text") < marks.count("<text")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs what the system does not have: /dev/full")
def test_a_full_standard_output_is_one_error_that_names_it(start: Callable[..., Any]) -> None:
    with Path("/dev/full").open("w") as full:
        process = start("validate", "." * 81, stdout=full)
        _, said = process.communicate(timeout=600)
    assert process.returncode == 5
    assert said == "error: standard output: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="needs what the system does not have: file descriptors as in POSIX")
def test_a_closed_standard_input_is_one_clear_error(start: Callable[..., Any]) -> None:
    process = start("solve", "-", stdin=None, preexec_fn=lambda: os.close(0))
    _, said = process.communicate(timeout=600)
    assert process.returncode == 2
    assert "standard input: is closed" in said
    assert "fault" not in said


@pytest.mark.parametrize("to", ["line", "grid", "iss", "json", "f-puzzles", "sudokupad", "ipuz"])
def test_a_puzzle_in_any_written_form_may_be_pasted(program: Callable[..., Any], to: str) -> None:
    solution = program("solve", "--backend", "backtracking", input=UNIQUE + "\n").stdout
    written = program("convert", "--to", to, input=UNIQUE + "\n").stdout.strip()
    result = program("solve", "--backend", "backtracking", "--format", "line", written)
    assert (result.exit_code, result.stdout) == (0, solution)
