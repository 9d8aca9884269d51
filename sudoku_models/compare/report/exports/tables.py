"""All tables of a report in Markdown and LaTeX."""

from __future__ import annotations

from ...conditions import conditions
from ...statistics import Study
from ..sheet import latex as escaped
from ..sheets import sheets
from ..words import notes, verdict


def markdown(study: Study) -> str:
    """Return the verdict, every table, and how the figures are to be read."""
    tables = "\n".join(sheet.markdown() for sheet in sheets(study))
    listed = "\n".join(f"- {note}" for note in notes(study))
    warned = "".join(f"> **{line}**\n\n" for line in conditions(study.rows))
    return f"# Comparison\n\n{verdict(study)}\n\n{warned}{tables}\n## How to read the figures\n\n{listed}\n"


def latex(study: Study) -> str:
    """Return every table, with the verdict as a comment above; for a document that loads the packages named there."""
    said = "".join(f"% {escaped(line)}\n" for line in (verdict(study), *conditions(study.rows)))
    head = f"{said}% \\usepackage{{booktabs,graphicx}}\n"
    return head + "\n".join(sheet.latex() for sheet in sheets(study))
