"""Commands on texts that others wrote: nearly puzzles, what a format cannot hold, pictures, closed and full streams."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
UNIQUE = "1......2........"
SOLVED = "1234341221434321"


@pytest.mark.parametrize(
    ("text", "part"),
    [(LINE[:-1], "79|80 characters: 81"), (LINE[:-1] + "a", "'a'"), (LINE[:60] + "b" + LINE[61:], "'b'")],
)
def test_what_is_nearly_a_puzzle_is_taken_for_one_and_the_fault_is_said(
    program: Callable[..., Any], text: str, part: str
) -> None:
    result = program("solve", text)
    assert result.exit_code == 2
    assert "the command line" in result.stderr
    assert "No such file" not in result.stderr


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


def test_convert_says_what_a_reader_has_to_be_reported_of_boxes(program: Callable[..., Any]) -> None:
    latin = program("convert", "--boxes", "none", "--to", "grid", input="." * 25)
    assert latin.exit_code == 0
    assert "read it with --boxes none" in latin.stderr.replace("\n", " ")
    assert program("convert", "--to", "line", input=UNIQUE).stderr == ""


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


@pytest.mark.parametrize(
    ("options", "code"),
    [(("-f", "svg", "--solution"), 1), (("-f", "line", "--solution"), 2), (("-f", "svg", "--to-alphabet", "ABCD"), 2)],
)
def test_what_cannot_be_drawn_is_said(program: Callable[..., Any], options: tuple[str, ...], code: int) -> None:
    assert program("convert", *options, input="11..............").exit_code == code


def test_the_size_of_an_export_is_said_before_it_is_made(program: Callable[..., Any]) -> None:
    result = program("export", "--to", "opb", "--largest", "60", input="." * 16)
    assert result.exit_code == 2
    assert "64 values" in result.stderr
    assert program("export", "--to", "opb", "--largest", "64", input="." * 16).exit_code == 0


def test_control_characters_in_names_are_written_as_escapes(program: Callable[..., Any], tmp_path: Path) -> None:
    result = program("solve", tmp_path / "a\x1b[31mb\x07.txt")
    assert "\x1b" not in result.stderr
    assert "\\x1b[31mb\\x07" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs what the system does not have: /dev/full")
def test_a_full_standard_error_changes_no_exit_code(start: Callable[..., Any], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start("solve", tmp_path / "nothing", stderr=full)
        assert process.wait(60) == 2


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
