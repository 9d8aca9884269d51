"""Puzzles of a report in groups: each with the figures of its own runs, a table and a plot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sudoku_models import Puzzle, Shape
from sudoku_models.compare.report import Report
from sudoku_models.puzzle.rules import KillerCage, Thermo
from tests.compare.report.test_page import Elements


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("side", {"4 values": 3, "9 values": 3}),
        ("clues", {"1 clue": 1, "2 clues": 1, "3 clues": 1, "21 clues": 1, "22 clues": 1, "23 clues": 1}),
        ("rules", {"no rules": 6}),
    ],
)
def test_each_puzzle_is_in_one_group(report: Report, by: str, names: dict[str, int]) -> None:
    groups = report.groups(by)
    assert {name: len({row.sha256 for row in group.rows}) for name, group in groups.items()} == names
    in_groups = sorted(row.json() for group in groups.values() for row in group.rows)
    assert in_groups == sorted(row.json() for row in report.rows)


def test_many_numbers_of_clues_are_put_together_in_ranges(report: Report) -> None:
    rows = [replace(row, sha256=f"{i}{row.sha256}", clues=20 + i) for i in range(12) for row in report.rows[:1]]
    groups = Report.of(rows).groups("clues")
    assert list(groups) == [f"{low} to {low + 1} clues" for low in range(20, 32, 2)]


def test_groups_stand_in_the_order_of_files_and_name_the_kinds_of_rules(report: Report) -> None:
    rows = [replace(row, source="b.txt" if row.side == 4 else "a.txt") for row in report.rows]
    ruled = {sha: puzzle.with_rules(Thermo("R1C1 R1C2")) for sha, puzzle in report.boards.items()}
    ruled[rows[0].sha256] = ruled[rows[0].sha256].with_rules(KillerCage("R1C1 R1C2"))
    made = Report.of(rows, boards={**ruled, rows[1].sha256: Puzzle.empty(Shape.square(4))})
    assert list(made.groups("file")) == ["b.txt", "a.txt"]
    assert list(made.groups("rules")) == ["no rules", "Killer cage, Thermo", "Thermo"]
    assert list(Report.of(rows).groups("rules")) == ["rules unknown"]


def test_groups_by_rating_are_levels_in_order(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sudoku_models.compare.report.report.PATIENCE", None)  # however slow the machine is
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


def test_another_word_is_no_grouping(report: Report) -> None:
    with pytest.raises(ValueError, match=r"grouped by file, side, clues, rules, rating, not by 'sides'; did you mean"):
        report.by("sides")
    with pytest.raises(ValueError, match="not by ''"):
        report.groups()
