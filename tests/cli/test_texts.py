"""Commands on texts that others wrote: nearly puzzles, what a format cannot hold, pictures, closed and full streams."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

UNIQUE = "1......2........"
SOLVED = "1234341221434321"


def test_convert_goes_on_behind_what_a_format_cannot_hold(program: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "mixed.iss"
    rule = ".Shape~4x4.NoBoxes.Sum~9~R1C1~R2C2~R3C3~R4C4"
    path.write_text(f".Shape~4x4.~R1C1_1\n{rule}\n.Shape~4x4.~R1C1_2\n")
    result = program("convert", path, "--to", "f-puzzles-json")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 2
    assert f"{path}: line 2: the rule " in result.stderr.replace("\n", " ")
    assert "R1C1 R2C2 R3C3 R4C4" in result.stderr


@pytest.mark.parametrize("to", ["line", "grid", "numbers", "csv", "sdk", "pencilmarks", "ipuz"])
def test_convert_names_the_puzzle_whose_regions_a_format_loses_and_goes_on(
    program: Callable[..., Any], tmp_path: Path, to: str
) -> None:
    path = tmp_path / "regions.jigsaw"
    path.write_text("1...............\n1112122233343444\n12..............\n1122112233443344\n")
    result = program("convert", path, "--to", to)
    assert result.exit_code == 2
    assert "regions.jigsaw: line 1: 4 x 4, irregular regions cannot be written" in result.stderr.replace("\n", " ")
    kept = tmp_path / "kept"
    kept.write_text(result.stdout)
    form = ("--input-format", to) if to == "pencilmarks" else ()
    assert program("convert", kept, *form, "--to", "line").stdout == "12..............\n"


@pytest.mark.parametrize("to", ["sdk", "svg"])
def test_convert_names_the_puzzle_that_has_no_place_in_a_format_of_one(
    program: Callable[..., Any], tmp_path: Path, to: str
) -> None:
    path, out = tmp_path / "two.txt", tmp_path / "out"
    path.write_text(f"# two\n{SOLVED}\n\n{UNIQUE}\n{UNIQUE}\n")
    result = program("convert", path, "--to", to, "--out", out)
    assert result.exit_code == 2
    assert f"two.txt: line 4: this is a second puzzle, but {to} holds only one" in result.stderr.replace("\n", " ")
    assert "line 5" not in result.stderr
    assert out.read_text()


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
