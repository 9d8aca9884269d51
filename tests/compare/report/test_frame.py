"""The tidy table and the charts drawn from a study."""

from __future__ import annotations

import pytest

from sudoku_models.compare.extras import needed
from sudoku_models.compare.report import Report


def test_one_row_a_run_with_phases_and_sizes_in_columns_of_their_own(report: Report) -> None:
    pytest.importorskip("pandas")
    table = report.frame()
    assert len(table) == len(report.rows)
    assert table["solved"].sum() == 21
    first = table[(table.backend == "quick") & (table.puzzle == 1)].iloc[0]
    assert first["wall_run"] == pytest.approx(0.00075)
    assert first["size_clauses"] == 1001
    assert first["density"] == 1 / 16
    assert str(table["backend"].dtype) == "category"


def test_what_a_run_does_not_tell_is_missing_and_no_zero(report: Report) -> None:
    pytest.importorskip("pandas")
    table = report.frame()
    assert table.loc[table.backend == "lossy", "size_clauses"].isna().all()
    assert table.loc[table.status == "timeout", "unique"].isna().all()


def test_a_missing_package_is_told_with_the_command_that_installs_it() -> None:
    with pytest.raises(ImportError, match=r"nowhere is not installed: python -m pip install 'sudoku-models\[data\]'"):
        needed("nowhere", "data")


def layers(chart: object) -> list[dict[str, object]]:
    found = chart.to_dict()  # type: ignore[attr-defined]
    return found.get("layer", [found])


class TestCharts:
    def test_the_cactus_counts_answers_in_order(self, report: Report) -> None:
        pytest.importorskip("altair")
        values = report.cactus().to_dict()["layer"][0]["data"]["values"]
        lossy = [line for line in values if line["backend"] == "lossy"]
        assert [line["answered"] for line in lossy] == [1, 2, 3, 4]
        assert [line["seconds"] for line in lossy] == [0.0005, 0.5, 0.7, 0.8]
        assert not [line for line in values if line["backend"] == "liar"]

    def test_the_ecdf_gives_shares_of_all_instances(self, report: Report) -> None:
        pytest.importorskip("altair")
        values = report.ecdf(log=False).to_dict()["layer"][0]["data"]["values"]
        assert max(line["share"] for line in values if line["backend"] == "lossy") == pytest.approx(4 / 6)

    def test_the_scatter_holds_timeouts_at_the_limit_and_draws_its_lines(self, report: Report) -> None:
        pytest.importorskip("altair")
        found = layers(report.scatter("quick", "lossy"))
        values = found[1]["data"]["values"]  # type: ignore[index]
        assert [line["y"] for line in values] == [0.0005, 10.0, 0.5, 10.0, 0.7, 0.8]
        assert [line["answered"] for line in values][:2] == ["both", "quick"]
        assert len(found) == 4
        with pytest.raises(ValueError, match="liar is not a ranked backend"):
            report.scatter("quick", "liar")

    @pytest.mark.parametrize("against", ["side", "density", "clues"])
    def test_scaling_draws_every_instance(self, report: Report, against: str) -> None:
        pytest.importorskip("altair")
        values = layers(report.scaling(against))[0]["data"]["values"]  # type: ignore[index]
        assert len(values) == 18
        with pytest.raises(ValueError, match="one of side, density, clues"):
            report.scaling("weather")

    def test_phases_are_stacked_in_their_order(self, report: Report) -> None:
        pytest.importorskip("altair")
        values = report.phases(share=True).to_dict()["data"]["values"]
        assert [v["phase"] for v in values if v["backend"] == "quick"] == ["run", "check"]

    def test_every_chart_can_be_drawn(self, report: Report) -> None:
        convert = pytest.importorskip("vl_convert")
        charts = [report.cactus(), report.ecdf(), report.scatter("quick", "lossy"), report.scaling(), report.phases()]
        for chart in charts:
            assert "<svg" in convert.vegalite_to_svg(chart.to_dict())
