"""ISS constraint strings and links are read, with the meaning that the notation gives them."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest

from sudoku_models import Puzzle, count
from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import is_iss, read_iss
from sudoku_models.puzzle import rules as r

from .examples import CHAOS, EXAMPLES


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_examples_have_the_stated_number_of_solutions(text: str, expected: int) -> None:
    assert count(read_iss(text), "backtracking").value == expected


def test_unknown_regions_are_read() -> None:
    text = ".ChaosArrow~R2C2~1.ChaosArrow~R1C3~0~CC6~CC7~-~CC6~CC10.ChaosCount~R1C3.ChaosCount~R1C2~~CC1~CC2"
    assert set(read_iss(CHAOS + text).rules) == {
        r.ChaosConstruction(4),
        r.ChaosArrow("R2C2", (), False),
        r.ChaosArrow("R1C3", (("CC6", "CC7"), ("CC6", "CC10"))),
        r.ChaosCount("R1C3"),
        r.ChaosCount("R1C2", ("CC1", "CC2")),
    }


def test_links_and_white_space() -> None:
    text = ".Shape~4x4.Thermo~R1C1~R1C2.Pair~Oj~_a%20b~R1C1~R1C2"
    link = (
        "https://sigh.github.io/Interactive-Sudoku-Solver/?x=1&q=.Shape%7E4x4+.Thermo%7ER1C1~R1C2"
        ".Pair~Oj~_a%2520b~R1C1~R1C2&mode=2#top"
    )
    spaced = " .Shape ~ 4x4\n.Thermo~R1C1 ~R1 C2\t.Pair~Oj~_a%20b~R1C1~R1C2 "
    assert read_iss(text) == read_iss(link) == read_iss(spaced) == Puzzle.parse(link) == Puzzle.parse(spaced)
    assert read_iss(text).rules[1] == r.Pair("R1C1 R1C2", ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)), name="a b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".AntiKnight", True),
        (".~R1C1_5", True),
        (".Shape~4x4", True),
        (".Or.~R1C1_5.~R1C2_5.End", True),
        (". .Shape~4x4", True),
        ("https://sigh.github.io/Interactive-Sudoku-Solver/?q=.AntiKing", True),
        ("." * 81, False),
        (".ABC.DEF", False),
        ("..AB....", False),
        ("1.2.", False),
        ("https://example.org/", False),
    ],
)
def test_constraint_strings_are_reported_from_boards(text: str, expected: bool) -> None:
    assert is_iss(text) is expected


@pytest.mark.parametrize(
    ("text", "box", "regions"),
    [
        (".Shape~4x6", (2, 3), 4),
        (".Shape~6x4", (3, 2), 4),
        (".Shape~5x5", None, 0),
        (".Shape~8x8", (2, 4), 8),
        (".Shape~6x6.RegionSize~9", (3, 3), 4),
        (".Shape~9x9.NoBoxes", None, 0),
        (".Shape~9x9~~Raw", None, 0),
        (".Shape~4x4.Jigsaw~1112122233343444", None, 8),
        (".Shape~4x4.NoBoxes.Jigsaw~4x4~1111222233334444", None, 4),
        (".Shape~4x4.NoBoxes.Jigsaw~0000000000000000", None, 0),
        (".Shape~5x5.Jigsaw~1111122222333334444455555", None, 5),
        (".Shape~3x4~6.Jigsaw~111122220000.NoBoxes", None, 3),
        (".Shape~3x3.RegionSize~2.NoBoxes.Jigsaw~112233440", None, 4),
    ],
)
def test_boxes_and_pieces(text: str, box: tuple[int, int] | None, regions: int) -> None:
    shape = read_iss(text).shape
    assert (shape.box, len(shape.regions)) == (box, regions)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (".Skyscraper~R1~2~.Skyscraper~R1~3~", (r.Skyscraper("R1C1 R1C2 R1C3 R1C4", 3),)),
        (".Quad~R1C1~1.Quad~R1C1~2", (r.Quadruple("R1C1 R1C2 R2C1 R2C2", (2,)),)),
        (".LittleKiller~5~R1C3.LittleKiller~6~R1C3", (r.LittleKiller("R1C3 R2C2 R3C1", 6),)),
        (".Whisper~R1C1~R1C2", (r.Whisper("R1C1 R1C2", 5),)),
        (".Cage~~R1C1~R1C2", (r.KillerCage("R1C1 R1C2", None),)),
        (".X~R1C1~R1C2~R4C4", (r.XV("R1C1 R1C2", 10),)),
        (".Binary~Oj~_~R1C1~R1C2", (r.Pair.of("R1C1 R1C2", lambda a, b: a < b, range(1, 5)),)),
        (".SearchPriority~5~R1C1", ()),
        ("..AntiKnight.", (r.AntiKnight(),)),
        (".Or.End", (r.AnyOf(()),)),
        (".Or..And.End.End", (r.AnyOf((r.AllOf(()), r.AllOf(()))),)),
        (".Or.Skyscraper~R1~2~1.End", None),
    ],
)
def test_small_points(text: str, rules: tuple[r.Rule, ...] | None) -> None:
    found = read_iss(".Shape~4x4" + text).rules
    if rules is None:
        (either,) = found
        assert isinstance(either, r.AnyOf) and isinstance(either.rules[0], r.AllOf) and len(either.rules[0].rules) == 2
    else:
        assert found == rules


def test_templates_of_extra_cells() -> None:
    puzzle = read_iss(".Shape~4x4.Var~A~~2x2.Replicate~D~VA1.Thermo~VA1~VA3.End")
    assert {rule.scope for rule in puzzle.rules if isinstance(rule, r.Thermo)} == {("VA1", "VA3"), ("VA2", "VA4")}


HOSTILE = {
    "nested": ".Or" * 10_000,
    "templates of templates": ".Replicate~____" * 20 + ".~R1C1_1" + ".End" * 20,
    "counted repetitions": ".Regex~KCgoLns5OTl9KXs5OTl9KXs5OTl9KQ~R1C1~R1C2",
    "an exponential pattern": ".Regex~KC58LikqMS4uLi4uLi4uLi4uLi4uLi4uLi4uLi4uLi4u" + "~R1C1" * 500,
    "a huge automaton": ".NFA~Pw" + "_" * 90_000 + "~_~R1C1~R1C2",
    "many cells": ".Var~X~~1000" * 3_000,
    "percents": ".Pair~Oj~_" + "%C3" * 50_000 + "~R1C1~R1C2",
    "pairs": ".PairX~__________________~_" + "~R1C1" * 4_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_answered_soon(name: str) -> None:
    """Each takes far less than a second; the bound is loose, against runaway only."""
    try:
        read_iss(HOSTILE[name])
    except FormatError as error:
        assert len(str(error)) < 2_000


def _patterns(count: int, cells: int = 27) -> str:
    names = "".join(f"~R{i // 9 + 1}C{i % 9 + 1}" for i in range(cells))
    texts = (f"(.*{i % 9 + 1}.{{9}}{i // 9 + 1}.*)" for i in range(count))
    return "".join(f".Regex~{urlsafe_b64encode(text.encode()).decode().rstrip('=')}{names}" for text in texts)


def test_all_patterns_of_a_document_share_one_purse_of_steps() -> None:
    assert len(read_iss(_patterns(3)).rules) == 3
    for _ in range(2):
        with pytest.raises(FormatError, match="Regex: the patterns and automata need more than 3000000 steps in total"):
            read_iss(_patterns(80))
