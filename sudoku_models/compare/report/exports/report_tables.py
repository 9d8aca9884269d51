"""All tables of a report in Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...conditions import conditions
from ..group_pages import group_sheet
from ..report_sheets import sheets
from ..sheet import Sheet
from ..sheet import latex as escaped
from ..verdict import notes, verdict

if TYPE_CHECKING:
    from ..report import Report


def markdown(report: Report) -> str:
    """Return the verdict, all tables including those of groups, and notes on how to read the figures."""
    study = report.study
    tables = "\n".join(sheet.markdown() for sheet in sheets(study))
    listed = "\n".join(f"- {note}" for note in notes(study))
    warned = "".join(f"> **{line}**\n\n" for line in conditions(study.rows))
    tables = "\n".join([tables, *(sheet.markdown() for sheet in _of_groups(report))])
    return f"# Comparison\n\n{verdict(study)}\n\n{warned}{tables}\n## How to read the figures\n\n{listed}\n"


def latex(report: Report) -> str:
    """Return all tables, with the verdict as a comment above; for a document that loads the packages named there."""
    study = report.study
    said = "".join(f"% {escaped(line)}\n" for line in (verdict(study), *conditions(study.rows)))
    head = f"{said}% \\usepackage{{booktabs,graphicx}}\n"
    return head + "\n".join(sheet.latex() for sheet in (*sheets(study), *_of_groups(report)))


def _of_groups(report: Report) -> list[Sheet]:
    """Return the standings of each group; empty for a report without groups."""
    groups = report.groups() if report.group_by else {}
    return [group_sheet(f"By {report.group_by}: {name}", own, i) for i, (name, own) in enumerate(groups.items(), 1)]
