"""The verb: what can be asked for, of what, and what is refused."""

from __future__ import annotations

import pytest

from sudoku_models import BadOption, Model, Puzzle, Unsupported, Variable, export
from sudoku_models.engine.contract import Capabilities
from sudoku_models.exports import FORMATS, ExportFormat, exports
from sudoku_models.exports.common import Names
from sudoku_models.model import AllDifferent, Connected

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


def test_options_of_the_backend_count() -> None:
    lines = {spec: str(export("." * 81, "dimacs", backend=spec)) for spec in ("pycosat", "pycosat:house=minimal")}
    assert len(lines["pycosat"]) > len(lines["pycosat:house=minimal"])


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


def test_what_no_rewrite_leads_to_is_refused_with_the_reason() -> None:
    model = Model([Variable(x, range(3)) for x in "abc"], [Connected(list("abc"), [(0, 1), (1, 2)], [1])])
    houses = ExportFormat(
        "houses", "only AllDifferent", Capabilities(frozenset({AllDifferent})), lambda model: iter(())
    )
    with pytest.raises(Unsupported, match="the format houses takes neither the Connected over "):
        export(model, houses)


class TestNames:
    def test_plain_names_stay(self) -> None:
        assert Names(["R1C1", "x", "total_2"]) == {"R1C1": "R1C1", "x": "x", "total_2": "total_2"}

    def test_others_become_identifiers_that_nothing_else_has(self) -> None:
        names = Names(["v1", "a b", "and", "é", "_x", "x" * 65], {"and"})
        assert names == {"v1": "v1", "a b": "v2", "and": "v3", "é": "v4", "_x": "v5", "x" * 65: "v6"}
        assert names.remarks()[:2] == ['"a b" is v2', "and is v3"]


def test_names_of_the_standard_library_of_minizinc_are_none_of_ours() -> None:
    said = export(Model([Variable(name, (1, 2)) for name in ("domain", "mzn_path", "mine")], []), "minizinc")
    text = said if isinstance(said, str) else said.decode()
    assert "% domain is v1" in text
    assert "% mzn_path is v2" in text
    assert "var {1, 2}: mine" in text
