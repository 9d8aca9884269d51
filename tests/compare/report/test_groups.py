"""Puzzles of a report in groups: each with the figures of its own runs, a table and a plot."""

from __future__ import annotations

from sudoku_models import Puzzle
from sudoku_models.compare.report import Report
from tests.compare.report.test_page import Elements


def test_groups_by_rating_are_levels_in_order(report: Report) -> None:
    texts = ("12..34..2143432.", "123434122143432.", "." * 16)
    boards = dict(zip(report.boards, map(Puzzle.parse, texts), strict=False))
    groups = list(Report.of(report.rows, boards=boards).groups("rating"))
    assert groups[:-2] == sorted(groups[:-2]) and all(name.startswith("level") for name in groups[:-2])
    assert groups[-2:] == ["not rated: the puzzle was not kept", "not rated: not one solution"]


def test_page_markdown_and_latex_have_a_table_for_each_group_and_the_page_a_plot(report: Report) -> None:
    grouped = report.by("side")
    small = grouped.groups()["4 values"]
    assert (small.study.instances, small.study.ranked[0].backend) == (3, "quick")
    assert 'id="groups"' not in report.html()
    elements = Elements(grouped.html()).found
    tables = [a["id"] for tag, a in elements if tag == "table" and str(a.get("id")).startswith("sheet-group-")]
    assert tables == ["sheet-group-1", "sheet-group-2"]
    assert [a["data-group"] for _, a in elements if "data-group" in a] == ["0", "1"]
    assert ("a", {"href": "#groups"}) in elements
    for text in (grouped.markdown(), grouped.latex()):
        assert "By side: 4 values: 3 puzzles" in text and "By side: 9 values: 3 puzzles" in text
    assert "By side" not in report.markdown()
