"""Pictures of puzzles: every rule is drawn or written in words, at the right place; nothing breaks out of the SVG."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest

from docs.gallery_table import ROOMS
from sudoku_models.display import picture, puzzle_text
from sudoku_models.model import Compare
from sudoku_models.puzzle import Grid, Puzzle, Shape
from sudoku_models.puzzle import rules as r
from sudoku_models.puzzle.rules import rule
from sudoku_models.puzzle.rules.words import own

NAMESPACE = "{http://www.w3.org/2000/svg}"
CELL = 48
S4 = Shape.square(4)
EXAMPLES = {type(example.rule).__name__: example.puzzle for room in ROOMS for example in room.examples}
"""A board with a rule, for every kind: those of the gallery in the documentation."""


def drawn(puzzle: Puzzle, values: object = None, *, legend: bool = True) -> ET.Element:
    return ET.fromstring(picture(puzzle, values, legend=legend).svg)  # type: ignore[arg-type]


def words(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{NAMESPACE}text")]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_kind_of_rule_is_drawn_or_reported_in_words(kind: str) -> None:
    puzzle = EXAMPLES[kind]
    plain = len(list(drawn(Puzzle.empty(puzzle.shape)).iter()))
    bare, full = drawn(puzzle, legend=False), drawn(puzzle)
    adds = len(list(bare.iter())) > plain or kind == "OneOf"
    assert adds or own(puzzle.rules[-1], "drawing") is None
    assert len(words(full)) > len(words(bare))


@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_kind_of_rule_is_reported_as_text_under_the_board(kind: str) -> None:
    puzzle = EXAMPLES[kind]
    board, said = puzzle_text(puzzle).split("+\n")[:-1], puzzle_text(puzzle).rpartition("+\n")[2]
    assert board and len(said.splitlines()) >= 1 and ": " in said
    assert str(puzzle) == puzzle_text(puzzle)


def test_kinds_are_shown_in_colours_that_do_not_depend_on_the_background() -> None:
    assert 'stroke="currentColor"' in picture(Puzzle.empty(S4)).svg
    assert "<style>" not in picture(Puzzle.empty(S4)).svg
    alone, svg = picture(Puzzle.empty(S4)).alone, picture(Puzzle.empty(S4)).svg
    assert "prefers-color-scheme:dark" in alone
    assert alone.count("background:") == 2 and "background" not in svg  # else dark browsers show light lines on white


def test_givens_are_bold_and_solved_digits_lighter() -> None:
    puzzle = Puzzle.parse("1...............")
    root = drawn(puzzle, Grid(S4, (1, 2, 3, 4, *[None] * 12)))
    digits = {e.text: e.attrib for e in root.iter(f"{NAMESPACE}text")}
    assert set(digits) == {"1", "2", "3", "4"}
    assert digits["1"]["font-weight"] == "600" and "fill-opacity" not in digits["1"]
    assert float(digits["2"]["fill-opacity"]) < 1 and "font-weight" not in digits["2"]
    assert (digits["3"]["x"], digits["1"]["x"]) == (f"{2.5 * CELL:g}", f"{0.5 * CELL:g}")


def test_candidates_are_small_and_vanish_where_the_value_is_known() -> None:
    puzzle = Puzzle.empty(S4).with_candidates({"R1C1": (1, 3)})
    sizes = [float(e.attrib["font-size"]) for e in drawn(puzzle).iter(f"{NAMESPACE}text")]
    assert len(sizes) == 2 and max(sizes) < 15
    assert words(drawn(puzzle, [3, *[None] * 15])) == ["3"]


def test_a_cage_goes_once_around_its_cells() -> None:
    puzzle = Puzzle.empty(S4).with_rules(r.KillerCage("R1C1 R1C2 R2C1", 7))
    root = drawn(puzzle, legend=False)
    ends = [tuple(float(e.attrib[k]) for k in ("x1", "y1", "x2", "y2")) for e in root.iter(f"{NAMESPACE}line")]
    corners = [end for x1, y1, x2, y2 in ends for end in ((x1, y1), (x2, y2))]
    assert all(corners.count(corner) == 2 for corner in corners)
    assert sum(abs(x1 - x2) + abs(y1 - y2) for x1, y1, x2, y2 in ends) == 8 * CELL - 8 * 5
    assert words(root) == ["7"]


def test_a_digit_leaves_the_number_of_its_cage_to_be_read() -> None:
    puzzle = Puzzle.empty(S4).with_rules(r.KillerCage("R1C1 R1C2", 7)).with_givens({"R1C1": 4, "R2C2": 4})
    label, below, usual = (e.attrib for e in drawn(puzzle, legend=False).iter(f"{NAMESPACE}text"))
    height = 0.73 * float(below["font-size"])  # of a figure above its baseline
    assert float(below["y"]) - height > float(label["y"]) + 2
    assert float(below["font-size"]) < float(usual["font-size"])


def test_two_rules_of_a_user_with_one_name_are_both_told() -> None:
    def made(total: int, sentence: str) -> type[r.CellsRule]:
        def adds_up(cells: Any) -> Any:
            return sum(cells) == total

        adds_up.__doc__ = sentence
        return rule(adds_up)

    five, six = made(5, "They add up to five."), made(6, "They add up to six.")
    root = drawn(Puzzle.empty(S4).with_rules(five("R1C1 R1C2"), six("R2C1 R2C2")))
    assert words(root) == ["Adds up: They add up to five.", "Adds up: They add up to six."]
    assert len({e.attrib["fill"] for e in root.iter(f"{NAMESPACE}rect")}) == 2


@pytest.mark.parametrize(
    ("cells", "side"),
    [
        ("R2C1 R2C2 R2C3 R2C4", "left"),
        ("R2C4 R2C3 R2C2 R2C1", "right"),
        ("R1C3 R2C3 R3C3 R4C3", "above"),
        ("R4C3 R3C3 R2C3 R1C3", "below"),
    ],
)
def test_a_clue_stands_on_the_side_it_is_seen_from(cells: str, side: str) -> None:
    root = drawn(Puzzle.empty(S4).with_rules(r.Skyscraper(cells, 2)), legend=False)
    (clue,) = root.iter(f"{NAMESPACE}text")
    x, y = float(clue.attrib["x"]), float(clue.attrib["y"])
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    found = {"left": x < 0, "right": x > 4 * CELL, "above": y < 0, "below": y > 4 * CELL}
    assert [name for name, holds in found.items() if holds] == [side]
    assert left < x < left + width and top < y < top + height


def test_regions_have_thick_borders_and_a_chaos_solution_draws_its_own() -> None:
    def thick(root: ET.Element) -> int:
        return sum(e.attrib.get("stroke-width") == "2.5" for e in root.iter(f"{NAMESPACE}polyline"))

    assert thick(drawn(Puzzle.empty(Shape.latin(4)))) == 4
    assert thick(drawn(Puzzle.empty(S4))) == 6
    chaos = Puzzle.empty(Shape.latin(4)).with_rules(r.ChaosConstruction())
    rows = {f"CC{i + 1}": i // 4 + 1 for i in range(16)}
    assert thick(drawn(chaos, rows)) == thick(drawn(chaos)) + 3


def test_a_rule_of_ones_own_is_drawn_as_a_line_and_named() -> None:
    @r.rule
    def Falling(board, cells):  # type: ignore[no-untyped-def]  # noqa: N802
        """Every value is less than the one before."""
        yield from (Compare(a, ">", b) for a, b in pairwise(cells))

    root = drawn(Puzzle.empty(S4).with_rules(Falling("R1C1 R1C2 R2C2")))
    assert any(e.attrib["points"] == "24,24 72,24 72,72" for e in root.iter(f"{NAMESPACE}polyline"))
    assert words(root)[0].startswith("Falling: Every value is less")


def test_text_from_a_puzzle_never_becomes_markup() -> None:
    name = '<script>alert("x")</script>&'
    puzzle = Puzzle.empty(S4).with_rules(r.Pair.of("R1C1 R1C2", lambda a, b: a < b, range(1, 5), name=name))
    root = drawn(puzzle)
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert name in " ".join(words(root))
