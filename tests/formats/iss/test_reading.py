"""ISS constraint strings and links are read, with the meaning that the notation gives them."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest

from sudoku_models import count
from sudoku_models.errors import FormatError
from sudoku_models.formats.iss import is_iss, read_iss

from .examples import EXAMPLES


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_examples_have_the_stated_number_of_solutions(text: str, expected: int) -> None:
    assert count(read_iss(text), "backtracking").value == expected


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
