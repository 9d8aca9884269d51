"""The collection is made again from its seed: each group and each variant as it is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from benchmarks.collection import classics, making
from benchmarks.collection.measure import MeasuredDifficulty, rate
from benchmarks.collection.proofs import form_of
from sudoku_models.collection import puzzles, variants
from sudoku_models.make import morph


@pytest.mark.parametrize("name", ["latin-5-several", "irregular-6-several"])
def test_a_shipped_group_is_made_again(name: str) -> None:
    assert making.made(name) == puzzles(name)


@pytest.mark.parametrize("name", ["4x4-arrow-02", "5x5-futoshiki-01", "4x4-several-killer-01", "6x6-kropki-01"])
def test_a_shipped_variant_is_made_again(name: str) -> None:
    assert making.made(name) == variants(name)


def test_the_shipped_files_hold_what_is_planned() -> None:
    plain = [name for group in classics.groups() for name in group.names()]
    assert plain == [item.name for item in puzzles()]
    assert making.plans()["variants.jsonl"] == [item.name for item in variants()]


def test_the_program_writes_what_is_asked_for(tmp_path: Path) -> None:
    assert making.main(["--out", str(tmp_path), "--seed", "7", "--only", "latin-5-several", "4x4-thermo-01"]) == 0
    lines = (tmp_path / "classic.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == [item.name for item in puzzles("latin-5-several")]
    assert lines != [item.to_json() for item in puzzles("latin-5-several")]
    assert len((tmp_path / "variants.jsonl").read_text().splitlines()) == 1


def test_puzzles_that_are_the_same_have_one_form_and_shipped_ones_have_different_forms() -> None:
    forms = [item.form for item in puzzles("9x9")]
    assert len(set(forms)) == len(forms)
    for item in puzzles("9x9-hard")[:5]:
        assert form_of(morph(item.puzzle, 3)) == item.form
    jigsaw = puzzles("irregular-6-easy-01")[0]
    assert form_of(morph(jigsaw.puzzle, 3)) == jigsaw.form


def test_the_collection_states_what_is_measured() -> None:
    stated = [item for item in puzzles() if item.difficulty and item.puzzle.shape.height <= 16]
    for item in Random(4).sample(stated, 30):
        expected = MeasuredDifficulty(item.difficulty or "", item.guesses)
        assert rate(item.puzzle, guesses=item.guesses is not None) == expected
    rated = [item for item in stated if item.guesses is not None]
    assert all((item.difficulty == "hard") == (item.guesses > 0) for item in rated if item.guesses is not None)
