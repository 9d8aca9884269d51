"""Files for other programs, read back by those programs."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_models import FormatError
from sudoku_models.compare import Instance, Journal, JournalError, Plan, Row, compare
from sudoku_models.compare.report import SUFFIXES, Report, read_run
from sudoku_models.compare.report.tables import latex, sheets

from ..made import row
from .conftest import HOSTILE


def test_json_lines_are_the_rows(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "r.jsonl")
    assert read_run(tmp_path / "r.jsonl").rows == report.rows


def test_csv_has_a_heading_and_a_line_a_run(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "r.csv")
    with (tmp_path / "r.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(report.rows)
    assert float(lines[0]["wall"]) == report.rows[0].wall
    assert {line["title"] for line in lines} >= {HOSTILE, "puzzle-1"}
    assert lines[7]["size_clauses"] == ""


def test_parquet_is_read_by_pandas_and_keeps_the_provenance(report: Report, tmp_path: Path) -> None:
    pandas, parquet = pytest.importorskip("pandas"), pytest.importorskip("pyarrow.parquet")
    report.save(tmp_path / "r.parquet")
    table = pandas.read_parquet(tmp_path / "r.parquet")
    assert list(table["wall"]) == [r.wall for r in report.rows]
    metadata = parquet.read_schema(tmp_path / "r.parquet").metadata
    assert json.loads(metadata[b"sudoku-models.provenance"])["command"] == ["sudoku-models", "compare", "a b.txt"]


def test_markdown_holds_the_verdict_and_every_table(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "r.md")
    text = (tmp_path / "r.md").read_text()
    assert report.verdict in text
    for sheet in sheets(report.study):
        assert f"## {sheet.title}" in text
    assert "| slow:form=x | 6/6 |" in text


def test_latex_tables_escape_what_latex_reads_as_its_own(report: Report, tmp_path: Path) -> None:
    assert latex("a_b & 5 % #1 {x} ~^\\") == (
        r"a\_b \& 5 \% \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )
    assert latex("997 us") == r"997 $\mu$s"
    assert latex("391 us – 4 us, of us") == r"391 $\mu$s -- 4 $\mu$s, of us"
    report.save(tmp_path / "r.tex")
    text = (tmp_path / "r.tex").read_text()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(sheets(report.study))
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


class TestTargets:
    def test_an_unknown_suffix_is_an_error_that_lists_the_known(self, report: Report, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"ends in one of \.html, \.md"):
            report.save(tmp_path / "r.doc")
        assert ".html" in SUFFIXES

    def test_a_missing_folder_is_reported(self, report: Report, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="there is no folder"):
            report.save(tmp_path / "none" / "r.md")


class TestReading:
    def test_a_journal_brings_rows_boards_and_provenance(self, tmp_path: Path) -> None:
        puzzles = ["1.....2....3....", "1.3...2....3.4.."]
        made = compare(puzzles, ["backtracking", "pycosat"], directory=tmp_path / "run")
        for place in (tmp_path / "run", tmp_path / "run" / "journal.jsonl"):
            found = read_run(place)
            assert sorted(r.key for r in found.rows) == sorted(r.key for r in made.rows)
            assert {board.clues for board in found.boards.values()} == {3, 5}
            assert found.provenance["sessions"][0]["versions"]["python"]
        assert made.report().rows == read_run(tmp_path / "run").rows

    def test_a_comparison_in_memory_has_a_report_too(self) -> None:
        found = compare(["1.3...2....3.4.."], ["backtracking", "pycosat"]).report()
        assert found.study.instances == 1
        assert next(iter(found.boards.values())).clues == 5
        assert "pycosat" in found.html()

    def test_what_is_no_run_is_an_error_with_its_place(self, tmp_path: Path) -> None:
        file = tmp_path / "r.jsonl"
        file.write_text(row("a", 1, 1.0).json() + "\nnonsense\n")
        with pytest.raises(FormatError, match=r"r\.jsonl: line 2: a run of"):
            read_run(file)
        file.write_text("\n")
        with pytest.raises(FormatError, match="there are no runs"):
            read_run(file)
        with pytest.raises(JournalError):
            read_run(tmp_path)

    def test_a_journal_without_runs_is_an_error(self, tmp_path: Path) -> None:
        from sudoku_models import Puzzle

        puzzle = Instance(1, Puzzle.parse("1.....2....3...."))
        Journal.create(tmp_path / "run", Plan.of(["backtracking"]), [puzzle])
        with pytest.raises(FormatError, match="there are no runs"):
            read_run(tmp_path / "run")


def test_rows_are_not_changed_by_a_report(report: Report) -> None:
    assert all(isinstance(r, Row) for r in report.rows)
    assert [r.json() for r in Report.of(reversed(report.rows)).rows] == [r.json() for r in reversed(report.rows)]
