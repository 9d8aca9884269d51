"""The page: one self-contained HTML document that loads nothing from the network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..conditions import conditions
from ..statistics import Study
from .change_table import change_sheet
from .data import colours, page_data
from .group_pages import groups_html
from .origin import command, machine, origin
from .report_sheets import sheets
from .sheet import with_micro
from .verdict import notes, verdict

if TYPE_CHECKING:
    from .report import Report

SCRIPTS = (
    *("dom", "scale", "plot", "profiles", "scatter", "scaling", "phases", "speedups"),
    *("tables", "board", "instances", "main"),
)
"""The parts of the script, in their order."""

_ASKED = {
    "unique": "a solution and the proof that it is the only one",
    "first": "a solution",
    "count": "the number of solutions",
}


def page(report: Report, earlier: Report | None = None) -> str:
    """Return the document. Everything from outside is escaped; a policy forbids the page any request."""
    study = report.study
    number = colours(study)
    made = {sheet.name: sheet for sheet in sheets(study)}
    parts = {
        "style": _asset("page.css"),
        "script": "\n".join(_asset(f"js/{name}.js") for name in SCRIPTS),
        "data": _embedded(page_data(report)),
        "title": escape(_title(study)),
        "facts": _facts(study),
        "verdict": escape(with_micro(verdict(study)).replace(" ×", "\u00a0×")),
        "conditions": _conditions(report),
        "wrong": _wrong(study),
        "changes": _changes(report, earlier, number),
        "groups": groups_html(report, number),
        "groups-link": '<a href="#groups">Groups</a>' if report.group_by else "",
        "notes": _listed(notes(study)),
        "provenance": _provenance(report.provenance),
        "command": _command(report.provenance),
    }
    for name in ("standings", "oracle", "statuses", "pairs", "phases", "sizes"):
        sheet = made.get(name)
        parts[f"sheet:{name}"] = sheet.html(number) if sheet else '<p class="caption">Nothing to show.</p>'
    return _filled(_asset("page.html"), parts)


def _filled(template: str, parts: Mapping[str, str]) -> str:
    """Replace the placeholders by the parts, each once: a part's content is never taken for a placeholder."""
    pieces = template.split("{{")
    found = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        found += [parts[name], rest]
    return "".join(found)


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", *name.split("/")).read_text(encoding="utf-8")


def _embedded(data: Mapping[str, Any]) -> str:
    """Return JSON that is safe inside a script element: it cannot end the element or start a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _title(study: Study) -> str:
    puzzles = len({row.sha256 for row in study.rows})
    backends = len(study.standings)
    return f"{backends} backend{'' if backends == 1 else 's'} on {puzzles:,} puzzle{'' if puzzles == 1 else 's'}"


def _facts(study: Study) -> str:
    asked = {row.asked for row in study.rows}
    sides = sorted({row.side for row in study.rows if row.side})
    memory = next((row.memory_limit for row in study.rows if row.memory_limit), None)
    facts = {
        "question": "; ".join(_ASKED.get(name, name) for name in sorted(asked, reverse=True)),
        "runs": f"{len(study.rows):,}",
        "time limit": "none" if study.limit is None else f"{study.limit:g} s a run",
        "memory limit": "" if memory is None else f"{memory / (1 << 20):,.0f} MiB",
        "boards": ", ".join(f"{side} × {side}" for side in sides),
        "seeds × repeats": _repeats(study),
    }
    return "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in facts.items() if v)


def _repeats(study: Study) -> str:
    seeds, repeats = len({row.seed for row in study.rows}), len({row.repeat for row in study.rows})
    return f"{seeds} × {repeats}" if seeds * repeats > 1 else ""


def _conditions(report: Report) -> str:
    found = conditions(report.rows)
    return f'<div class="conditions" role="alert">{_listed(found)}</div>' if found else ""


def _wrong(study: Study) -> str:
    if not study.wrong:
        return ""
    lines = [f"{row.backend} on {row.name}: {row.reason}" for row in study.wrong[:50]]
    more = len(study.wrong) - len(lines)
    lines += [f"... and {more} more"] if more else []
    return f'<section class="card alarm" id="wrong"><h2>Wrong answers</h2>{_listed(lines)}</section>'


def _changes(report: Report, earlier: Report | None, number: dict[str, int]) -> str:
    if earlier is None:
        return ""
    sheet = change_sheet(report.against(earlier))
    return (
        '<section class="card" id="changes"><h2>Since the earlier run</h2>'
        f"{sheet.html(number)}{_foreign(report.provenance, earlier.provenance)}</section>"
    )


def _foreign(now: Mapping[str, Any], then: Mapping[str, Any]) -> str:
    """Warn if the two runs were made on different machines, as far as both record it."""
    here, there = machine(now), machine(then)
    different = escape(", ".join(key for key in here if key in there and here[key] != there[key]))
    text = f"The two runs differ in {different}, which alone may have changed the times."
    return f'<p class="caption warning">{text}</p>' if different else ""


def _listed(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(with_micro(line))}</li>' for line in lines)}</ul>"


def _provenance(provenance: Mapping[str, Any]) -> str:
    rows = "".join(f"<div><dt>{escape(str(k))}</dt><dd>{_value(v)}</dd></div>" for k, v in origin(provenance).items())
    return f'<dl class="facts provenance">{rows}</dl>' if rows else '<p class="caption">The run did not record it.</p>'


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = "".join(f"<li><b>{escape(str(k))}</b> {_value(v)}</li>" for k, v in value.items())
        return f"<ul>{pairs}</ul>"
    if isinstance(value, (list, tuple)):
        return f"<ul>{''.join(f'<li>{_value(item)}</li>' for item in value)}</ul>"
    return "none" if value is None else escape(str(value))


def _command(provenance: Mapping[str, Any]) -> str:
    text = command(provenance)
    if not text:
        return ""
    return (
        '<h3>The command that repeats it</h3><div class="command">'
        f'<code id="command">{escape(text)}</code><button type="button" id="copy">copy</button></div>'
    )
