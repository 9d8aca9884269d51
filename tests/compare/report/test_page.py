"""The page as text: self-contained, escaped, complete."""

from __future__ import annotations

import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

from sudoku_models.compare.report import Report

from .conftest import HOSTILE


class Elements(HTMLParser):
    """All elements with their attributes, and the scripts' texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "script":
            self.scripts.append(data)


def test_the_page_asks_the_network_for_nothing(report: Report) -> None:
    elements = Elements(report.html()).found
    addresses = [a for _, attributes in elements for name, a in attributes.items() if name in ("src", "href")]
    assert addresses
    assert all(address and address.startswith(("#", "data:")) for address in addresses)
    policy = [a["content"] for tag, a in elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy[0] and "default-src 'none'" in policy[0]
    assert "@import" not in report.html()
    assert not re.search(r"url\((?!#)", report.html())


def test_what_comes_from_files_is_never_part_of_the_page(report: Report) -> None:
    elements = Elements(report.html())
    assert [tag for tag, _ in elements.found].count("script") == 2
    assert "<b>&{{data}}" not in report.html()
    assert json.loads(elements.scripts[0])["instances"][1]["name"] == HOSTILE


def test_the_data_hold_every_run_and_no_number_that_json_lacks(report: Report) -> None:
    data = json.loads(Elements(report.html()).scripts[0], parse_constant=lambda name: 1 / 0)
    assert len(data["runs"]["wall"]) == len(report.rows)
    assert [b["name"] for b in data["backends"]] == ["quick", "slow:form=x", "lossy", "liar"]
    assert data["medians"][2] == [0.0005, -1, 0.5, -1, 0.7, 0.8]
    assert data["instances"][0]["board"]["givens"][:7] == [1, 0, 0, 0, 0, 0, 2]
    assert max(data["instances"][5]["board"]["regions"]) == 8


def test_verdict_tables_notes_provenance_and_command_are_there_without_a_script(report: Report) -> None:
    text = re.sub(r"<script.*?</script>", "", report.html(), flags=re.DOTALL)
    for words in (
        escape(report.verdict).replace(" ×", "\u00a0×"),
        "Wrong answers",
        "Virtual best solver",
        "sudoku-models compare &#x27;a b.txt&#x27;",
    ):
        assert words in text
    assert "Intervals are those of 95 %" in text
    assert "3.11.0" in text


def test_an_earlier_run_adds_what_has_changed(report: Report, tmp_path: Path) -> None:
    assert "Since the earlier run" not in report.html()
    text = report.html(Report.of(report.rows, {"versions": {"python": "3.12.0"}}))
    assert "Since the earlier run" in text
    assert "no clear change" in text
    assert "The two runs differ in Python" in text
    report.save(tmp_path / "old.jsonl")
    assert report.against(tmp_path / "old.jsonl") == report.against(report)
