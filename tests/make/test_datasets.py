"""Data sets without members that are the same, and the plain forms that are read."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from sudoku_models import Shape, is_unique
from sudoku_models.formats import parse
from sudoku_models.make import canonical_arrays, dataset, load, verify_arrays
from sudoku_models.puzzle.rules import AntiKnight


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset(tmp_path_factory.mktemp("sets") / "small", 60, 20, 10, seed=1).folder


def test_the_parts_have_their_sizes_and_one_schema(folder: Path) -> None:
    tables = {part: parquet.read_table(folder / f"{part}.parquet") for part in ("train", "validation", "test")}
    assert {part: table.num_rows for part, table in tables.items()} == {"train": 60, "validation": 20, "test": 10}
    assert len({str(table.schema) for table in tables.values()}) == 1
    assert "| train | 60 |" in (folder / "README.md").read_text(encoding="utf-8")


def test_no_two_members_are_the_same_up_to_symmetry(folder: Path) -> None:
    parts = [load(folder / f"{part}.parquet") for part in ("train", "validation", "test")]
    puzzles = np.concatenate([part.puzzles for part in parts])
    solutions = np.concatenate([part.solutions for part in parts if part.solutions is not None])
    assert verify_arrays(puzzles, solutions).all()
    assert len(np.unique(canonical_arrays(puzzles).boards, axis=0)) == 90
    assert len(np.unique(canonical_arrays(solutions).boards, axis=0)) == 90


def test_the_same_seed_writes_the_same_rows_and_nothing_is_overwritten(folder: Path, tmp_path: Path) -> None:
    again = dataset(tmp_path / "again", 60, 20, 10, seed=1).folder
    assert parquet.read_table(again / "test.parquet").equals(parquet.read_table(folder / "test.parquet"))
    with pytest.raises(FileExistsError, match="a new folder is expected"):
        dataset(again, 1)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


LEVELS: dict[str, Any] = {"level": ("1.0", "2.2"), "rated": True, "shape": Shape.square(9), "seed": 4}


def test_the_options_of_a_row_are_values_of_json(tmp_path: Path) -> None:
    wishes: dict[str, Any] = {"clues": None, "minimal": True, "place": {"Greater": (1, 2)}, "rules": (AntiKnight(),)}
    made = dataset(tmp_path / "set", 1, shape=Shape.square(4), workers=2, accept=is_unique, **wishes)
    (text,) = parquet.read_table(made.folder / "train.parquet")["made"].to_pylist()
    assert json.loads(text) == {
        "accept": "is_unique",
        "clues": None,
        "minimal": True,
        "place": {"Greater": [1, 2]},
        "rules": ["AntiKnight(wrap=False)"],
    }


def test_a_set_whose_making_was_killed_is_continued_byte_for_byte(tmp_path: Path) -> None:
    """Killed at any moment after some batches; the journal is cut off within a line, too."""
    whole = dataset(tmp_path / "whole", 80, 10, 6, **LEVELS).folder
    target, journal = tmp_path / "killed", tmp_path / "killed.part" / "journal.jsonl"
    program = (
        "import sys; from sudoku_models import Shape; from sudoku_models.make import dataset;"
        "dataset(sys.argv[1], 80, 10, 6, level=('1.0', '2.2'), rated=True, shape=Shape.square(9), seed=4)"
    )
    with subprocess.Popen([sys.executable, "-c", program, target]) as process:
        while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
            time.sleep(0.01)
        process.kill()
    assert not target.exists()
    kept = journal.read_bytes()
    journal.write_bytes(kept[: kept.rindex(b"\n", 0, len(kept) - 1) + 50])
    again = dataset(target, 80, 10, 6, **LEVELS)
    assert bytes_of(again.folder) == bytes_of(whole) and not journal.parent.exists()


def test_sizes_variants_and_strata_are_mixed_in_their_shares(tmp_path: Path) -> None:
    mix = [
        {"place": {"Thermo": 3}, "workers": 2},
        {"share": 0.5},
        {"shape": Shape.square(9)},
    ]
    whole = {"mix": mix, "shape": Shape.square(6), "seed": 2, "rated": True, "traces": "tokens"}
    made = dataset(tmp_path / "mixed", 6, 2, 2, **whole)
    rows = [row for part in made.sizes for row in parquet.read_table(made.folder / f"{part}.parquet").to_pylist()]
    assert len(rows) == 10 and len({row["canonical"] for row in rows}) == 10
    assert sorted((row["board"], row["rules"]) for row in rows) == sorted(
        [("6x6", "Thermo")] * 4 + [("6x6", "")] * 2 + [("9x9", "")] * 4
    )
    for row in rows:
        assert (row["rating"] is not None) == (row["board"] == "9x9")
        assert row["trace"].endswith("<solved>") and row["level"]
        assert is_unique(parse(row["question"]))


@pytest.mark.parametrize(
    ("strata", "column"), [((("1.1", "1.1"), ("1.2", "2.any")), "level"), (((1.0, 2.5), (6.6, 8.9)), "rating")]
)
def test_each_stratum_has_as_many_puzzles_in_each_part(tmp_path: Path, strata: Any, column: str) -> None:
    made = dataset(tmp_path / "set", 6, 0, 2, strata=strata, rated=True, seed=3)
    (low, high), (least, _) = strata
    for part, half in (("train", 3), ("test", 1)):
        found = sorted(parquet.read_table(made.folder / f"{part}.parquet")[column].to_pylist())
        assert all(low <= value <= high + 0.001 * (column == "rating") for value in found[:half] if column == "rating")
        assert column == "level" or all(value >= least - 0.001 for value in found[half:])
        assert column == "rating" or (found[:half] == ["1.1"] * half and "1.1" not in found[half:])


def test_small_boards_have_levels(tmp_path: Path) -> None:
    made = dataset(tmp_path / "two", 2, shape=Shape.square(4), rated=True)
    table = parquet.read_table(made.folder / "train.parquet")
    assert set(table["level"].to_pylist()) <= {"1.0", "1.1", "1.2", "2.2", "2.3"}
