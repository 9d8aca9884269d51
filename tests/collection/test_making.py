"""The collection is made again from its seed: each group and each variant as it is shipped."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from benchmarks.collection import classics, making
from benchmarks.collection.flawed import loosened, spoiled
from benchmarks.collection.proofs import form_of, proved
from sudoku_models import Puzzle, Shape, WrongAnswer, count, validate
from sudoku_models.collection import puzzles, variants
from sudoku_models.make import generate, morph


@pytest.mark.parametrize("name", ["latin-5-several", "irregular-6-several"])
def test_a_shipped_group_is_made_again(name: str) -> None:
    assert making.made(name) == puzzles(name)


def test_the_first_puzzles_of_a_long_group_are_made_again() -> None:
    group = next(group for group in classics.groups() if group.name == "9x9-easy")
    assert list(islice(classics.made(group, making.SEED), 3)) == puzzles("9x9-easy")[:3]


@pytest.mark.parametrize("name", ["4x4-arrow-02", "5x5-futoshiki-01", "4x4-several-killer-01", "6x6-kropki-01"])
def test_a_shipped_variant_is_made_again(name: str) -> None:
    assert making.made(name) == variants(name)


def test_the_shipped_files_hold_what_is_planned() -> None:
    plain = [name for group in classics.groups() for name in group.names()]
    assert plain == [item.name for item in puzzles()]
    assert making.plans()["variants.jsonl"] == [item.name for item in variants()]


def test_the_program_writes_what_is_asked_for(tmp_path: Path) -> None:
    assert making.main(["--out", str(tmp_path), "--seed", "7", "--only", "4x4-several", "4x4-thermo-01"]) == 0
    lines = (tmp_path / "classic.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == [f"4x4-several-0{i}" for i in (1, 2, 3)]
    assert lines != [item.to_json() for item in puzzles("4x4-several")]
    assert len((tmp_path / "variants.jsonl").read_text().splitlines()) == 1


def test_an_unknown_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        making.main(["--out", str(tmp_path / "x"), "--only", "4x4-several", "5x55"])
    assert stopped.value.code == 2
    assert "--only 5x55: no group and no variant is called so" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_loosening_gives_several_solutions() -> None:
    (puzzle,) = generate(1, seed=2)
    found = loosened(puzzle, Random(2), 1)
    assert found is not None
    assert 1 < count(found, "backtracking").value <= 3000


def test_spoiling_hides_that_there_is_no_solution() -> None:
    (puzzle,) = generate(1, seed=3)
    found = spoiled(puzzle, [value or 0 for value in puzzle.stated or ()], Random(3))
    assert found is not None
    assert validate(found).legal
    assert count(found, "backtracking").value == 0


def test_a_number_that_engines_cannot_settle_is_not_written() -> None:
    with pytest.raises(WrongAnswer, match="not proved: pycosat at least 100: the empty board"):
        proved(Puzzle.empty(Shape.square(9)), "the empty board", provers=["pycosat"], most=100)


def test_puzzles_that_are_the_same_have_one_form_and_shipped_ones_have_different_forms() -> None:
    forms = [item.form for item in puzzles("9x9")]
    assert len(set(forms)) == len(forms)
    for item in puzzles("9x9-hard")[:5]:
        assert form_of(morph(item.puzzle, 3)) == item.form
    jigsaw = puzzles("irregular-6-easy-01")[0]
    assert form_of(morph(jigsaw.puzzle, 3)) == jigsaw.form
