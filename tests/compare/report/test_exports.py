"""Files and tables for other programs, read back by those programs; runs that are read, and charts."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.compare import compare
from sudoku_models.compare.report import Report, read_run
from sudoku_models.compare.report.tables import tables

from .conftest import HOSTILE


def test_json_lines_are_the_rows_and_csv_has_a_line_a_run(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "r.jsonl")
    assert read_run(tmp_path / "r.jsonl").rows == report.rows
    report.save(tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [float(line["wall"]) for line in lines] == [row.wall for row in report.rows]
    assert {line["title"] for line in lines} >= {HOSTILE, "puzzle-1"}
    assert lines[7]["size_clauses"] == ""


def test_parquet_is_read_by_pandas_and_keeps_the_provenance(report: Report, tmp_path: Path) -> None:
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    report.save(tmp_path / "r.parquet")
    assert list(pandas.read_parquet(tmp_path / "r.parquet")["wall"]) == [r.wall for r in report.rows]
    metadata = parquet.read_schema(tmp_path / "r.parquet").metadata
    assert json.loads(metadata[b"sudoku-models.provenance"])["command"] == ["sudoku-models", "compare", "a b.txt"]


def test_the_frame_has_one_row_a_run_and_what_a_run_does_not_tell_is_missing(report: Report) -> None:
    pytest.importorskip("pandas")
    table = report.frame()
    assert (len(table), table["solved"].sum()) == (len(report.rows), 21)
    first = table[(table.backend == "quick") & (table.puzzle == 1)].iloc[0]
    assert (first["wall_run"], first["size_clauses"], first["density"]) == (pytest.approx(0.00075), 1001, 1 / 16)
    assert str(table["backend"].dtype) == "category"
    assert table.loc[table.backend == "lossy", "size_clauses"].isna().all()
    assert table.loc[table.status == "timeout", "unique"].isna().all()


def test_markdown_holds_the_verdict_and_every_table(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "r.md")
    text = (tmp_path / "r.md").read_text()
    assert all(part in text for part in (report.verdict, *(f"## {table.title}" for table in tables(report.study))))
    assert "| slow:form=x | 6/6 |" in text


def test_latex_has_every_table(report: Report) -> None:
    text = report.latex()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(tables(report.study))
    assert r"95 \% interval" in text
    assert not [line for line in text.splitlines()[2:] if "%" in line.replace(r"\%", "").removesuffix("{%")]


def test_latex_is_accepted_by_latex_and_no_table_is_wider_than_the_page(report: Report, tmp_path: Path) -> None:
    if not shutil.which("pdflatex"):
        pytest.skip("not applicable (platform): LaTeX is not installed")
    long = {"quick": "portfolio:(pycosat:amo=sequential)|(backtracking:strategy=rows)", "lossy": "a_b\\c~{d}"}
    named = [replace(r, backend=long.get(r.backend, r.backend)) for r in report.rows]
    document = "\\documentclass{article}\\usepackage{booktabs,graphicx}\\begin{document}\n%s\\end{document}\n"
    (tmp_path / "d.tex").write_text(document % replace(report, rows=tuple(named)).latex())
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "d.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=600)
    assert done.returncode == 0, done.stdout
    assert b"Overfull" not in done.stdout


def test_a_journal_brings_rows_boards_and_provenance(tmp_path: Path) -> None:
    made = compare(["1.....2....3....", "1.3...2....3.4.."], ["backtracking", "pycosat"], directory=tmp_path / "run")
    for place in (tmp_path / "run", tmp_path / "run" / "journal.jsonl"):
        found = read_run(place)
        assert found.rows == made.report().rows
        assert {board.clues for board in found.boards.values()} == {3, 5}
        assert found.provenance["sessions"][0]["versions"]["python"]
    kept = replace(made, journal=None).report()
    assert (kept.rows, kept.study.instances, len(kept.boards)) == (made.report().rows, 2, 2)


class TestCharts:
    def values(self, chart: Any, layer: int = 0) -> list[dict[str, Any]]:
        found = chart.to_dict()
        return found.get("layer", [found])[layer]["data"]["values"]  # type: ignore[no-any-return]

    def test_the_cactus_counts_answers_in_order_and_the_ecdf_gives_shares(self, report: Report) -> None:
        pytest.importorskip("altair")
        for chart, key, known in ((report.cactus(), "answered", 1), (report.ecdf(log=False), "share", 1 / 6)):
            values = self.values(chart)
            lossy = [line for line in values if line["backend"] == "lossy"]
            assert [line[key] for line in lossy] == pytest.approx([known * k for k in (1, 2, 3, 4)])
            assert [line["seconds"] for line in lossy] == [0.0005, 0.5, 0.7, 0.8]
            assert not [line for line in values if line["backend"] == "liar"]

    def test_the_scatter_holds_timeouts_at_the_limit_and_draws_its_lines(self, report: Report) -> None:
        pytest.importorskip("altair")
        chart = report.scatter("quick", "lossy")
        assert [line["y"] for line in self.values(chart, 1)] == [0.0005, 10.0, 0.5, 10.0, 0.7, 0.8]
        assert [line["answered"] for line in self.values(chart, 1)][:2] == ["both", "quick"]
        assert len(chart.to_dict()["layer"]) == 4
        with pytest.raises(ValueError, match="liar is not a ranked backend"):
            report.scatter("quick", "liar")

    def test_scaling_draws_every_instance_and_phases_are_stacked_in_their_order(self, report: Report) -> None:
        pytest.importorskip("altair")
        assert [len(self.values(report.scaling(by))) for by in ("side", "density", "clues")] == [18] * 3
        with pytest.raises(ValueError, match="one of side, density, clues"):
            report.scaling("weather")
        stacked = self.values(report.phases(share=True))
        assert [v["phase"] for v in stacked if v["backend"] == "quick"] == ["run", "check"]

    def test_every_chart_can_be_drawn(self, report: Report) -> None:
        convert = pytest.importorskip("vl_convert")
        for chart in (report.cactus(), report.scatter("quick", "lossy"), report.scaling(), report.phases()):
            assert "<svg" in convert.vegalite_to_svg(chart.to_dict())
