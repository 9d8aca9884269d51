"""The verb: what can be asked for, of what, and what is refused."""

from __future__ import annotations

import pytest

from sudoku_models import BadOption, Model, Puzzle, Variable, export
from sudoku_models.exports import FORMATS, exports

PUZZLE = "1....2....3....."


def test_all_that_can_be_exported_is_listed_with_who_offers_it() -> None:
    found = exports()
    wanted = ["model", "lowered", "opb", "mps", "minizinc", "xcsp3", "smt-lib"]
    assert [name for name, backends in found.items() if not backends] == wanted
    assert found["cp-sat"] == found["cp-sat-text"] == ["cp-sat"]
    assert "pycosat" in found["dimacs"]


@pytest.mark.parametrize("to", ["model", "dimacs", "cp-sat", *FORMATS])
def test_text_puzzle_and_model_give_the_same(to: str) -> None:
    puzzle = Puzzle.parse(PUZZLE)
    assert export(PUZZLE, to) == export(puzzle, to)
    if to != "dimacs":  # which has the givens in its structure's numbering
        assert export(puzzle.model, to) == export(puzzle, to)


def test_the_model_and_its_lowered_form_are_read_again() -> None:
    puzzle = Puzzle.parse(PUZZLE)
    assert Model.parse(str(export(puzzle, "model"))) == puzzle.model
    lowered = Model.parse(str(export(puzzle, "lowered", backend="pycosat")))
    assert lowered.names == puzzle.model.names


def test_an_unknown_name_is_reported_with_the_choices() -> None:
    with pytest.raises(BadOption, match=r"no export 'lp'.*opb, mps, minizinc.*dimacs"):
        export(PUZZLE, "lp")


def test_a_backend_that_does_not_offer_it_is_reported_who_does() -> None:
    with pytest.raises(BadOption, match=r"cp-sat does not export 'dimacs'.*pycosat"):
        export(PUZZLE, "dimacs", backend="cp-sat")


@pytest.mark.parametrize("to", ["model", "opb"])
def test_a_backend_for_what_needs_none_is_refused(to: str) -> None:
    with pytest.raises(BadOption, match=f"{to} is written without a backend"):
        export(PUZZLE, to, backend="cp-sat")


def test_names_of_the_standard_library_of_minizinc_are_none_of_ours() -> None:
    said = export(Model([Variable(name, (1, 2)) for name in ("domain", "mzn_path", "mine")], []), "minizinc")
    text = said if isinstance(said, str) else said.decode()
    assert "% domain is v1" in text
    assert "% mzn_path is v2" in text
    assert "var {1, 2}: mine" in text
