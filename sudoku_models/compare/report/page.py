"""The page: one self-contained HTML document that loads nothing from the network."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from math import isfinite, isinf
from typing import TYPE_CHECKING, Any

from ...display.text_tables import with_micro
from ...prove.certificate import amount
from ...puzzle import Puzzle
from ...verbs.agreement import Verdict
from ..machine import conditions
from ..rows import Row
from ..statistics import Study
from ..statistics.study import Matrix
from ..summary import in_order
from .tables import change_table, group_tables, status_word, tables
from .words import notes, verdict

if TYPE_CHECKING:
    from .report import Report

Plain = dict[str, Any]

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
    colours = {standing.backend: i % 10 for i, standing in enumerate(study.standings)}
    made = {table.name: table for table in tables(study)}
    warned = conditions(report.rows)
    shas = {row.sha256 for row in study.rows}
    parts = {
        "style": _asset("page.css"),
        "script": "\n".join(_asset(f"js/{name}.js") for name in SCRIPTS),
        "data": _embedded(page_data(report)),
        "title": escape(f"{amount(len(study.standings), 'backend')} on {amount(len(shas), 'puzzle')}"),
        "facts": _facts(study),
        "verdict": escape(with_micro(verdict(study)).replace(" ×", "\u00a0×")),
        "conditions": f'<div class="conditions" role="alert">{_listed(warned)}</div>' if warned else "",
        "wrong": _wrong(study),
        "changes": "" if earlier is None else _changes(report, earlier, colours),
        "groups": _groups(report, colours) if report.group_by else "",
        "groups-link": '<a href="#groups">Groups</a>' if report.group_by else "",
        "notes": _listed(notes(study)),
        "provenance": _provenance(report.provenance),
        "command": _command(report.provenance),
    }
    for name in ("standings", "oracle", "statuses", "pairs", "phases", "sizes"):
        parts[f"sheet:{name}"] = made[name].html(colours) if name in made else '<p class="caption">Nothing to show.</p>'
    # one pass: a part's content is never taken for a placeholder
    return re.sub(r"\{\{([\w:-]+)\}\}", lambda found: parts[found[1]], _asset("page.html"))


def _asset(name: str) -> str:
    return files(__package__).joinpath("assets", *name.split("/")).read_text(encoding="utf-8")


def _embedded(data: Plain) -> str:
    """Return JSON that is safe inside a script element: it cannot end the element or start a comment."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _facts(study: Study) -> str:
    asked = {row.asked for row in study.rows}
    sides = sorted({row.side for row in study.rows if row.side})
    memory = next((row.memory_limit for row in study.rows if row.memory_limit), None)
    seeds, repeats = len({row.seed for row in study.rows}), len({row.repeat for row in study.rows})
    facts = {
        "question": "; ".join(_ASKED.get(name, name) for name in sorted(asked, reverse=True)),
        "runs": f"{len(study.rows):,}",
        "time limit": "none" if study.limit is None else f"{study.limit:g} s a run",
        "memory limit": "" if memory is None else f"{memory / (1 << 20):,.0f} MiB",
        "boards": ", ".join(f"{side} × {side}" for side in sides),
        "seeds × repeats": f"{seeds} × {repeats}" if seeds * repeats > 1 else "",
    }
    return _pairs({name: escape(fact) for name, fact in facts.items()})


def _wrong(study: Study) -> str:
    if not study.wrong:
        return ""
    lines = [f"{row.backend} on {row.name}: {row.reason}" for row in study.wrong[:50]]
    more = len(study.wrong) - len(lines)
    lines += [f"... and {more} more"] if more else []
    return f'<section class="card alarm" id="wrong"><h2>Wrong answers</h2>{_listed(lines)}</section>'


def _changes(report: Report, earlier: Report, colours: dict[str, int]) -> str:
    here, there = machine(report.provenance), machine(earlier.provenance)
    different = escape(", ".join(key for key in here if key in there and here[key] != there[key]))
    text = f"The two runs differ in {different}, which alone may have changed the times."
    warning = f'<p class="caption warning">{text}</p>' if different else ""
    content = f"{change_table(report.against(earlier)).html(colours)}{warning}"
    return f'<section class="card" id="changes"><h2>Since the earlier run</h2>{content}</section>'


def _listed(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(with_micro(line))}</li>' for line in lines)}</ul>"


def _provenance(provenance: Mapping[str, Any]) -> str:
    facts = {name.replace("_", " "): _value(value, name) for name, value in origin(provenance).items()}
    missing = '<p class="caption">The run did not record it.</p>'
    return f'<dl class="facts provenance">{_pairs(facts)}</dl>' if facts else missing


def _pairs(facts: Mapping[str, str]) -> str:
    return "".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in facts.items() if value)


_UNITS: Mapping[str, Callable[[float], str]] = {
    "memory": lambda size: f"{size / (1 << 30):.1f} GiB",
    "load": lambda load: f"{load:.2f} at the start",
    **dict.fromkeys(("time_limit", "cpu_limit"), lambda limit: f"{limit:g} s"),
    "memory_limit": "{} bytes".format,
}


def _value(value: object, name: str = "") -> str:
    """Return a value of the provenance as HTML; a list of one as what it holds."""
    if isinstance(value, Mapping):
        named = ((str(key).replace("_", " "), _value(item, key)) for key, item in value.items())
        return f"<ul>{''.join(f'<li><b>{escape(key)}</b> {text}</li>' for key, text in named if text)}</ul>"
    if isinstance(value, (list, tuple)):
        listed = list(map(_value, value))
        return listed[0] if len(listed) == 1 else f"<ul>{''.join(f'<li>{item}</li>' for item in listed)}</ul>"
    if isinstance(value, (int, float)) and name in _UNITS:
        return escape(_UNITS[name](value))
    return "" if value is None else escape(str(value))


def _command(provenance: Mapping[str, Any]) -> str:
    text = command(provenance)
    if not text:
        return ""
    return (
        '<h3>The command that repeats it</h3><div class="command">'
        f'<code id="command">{escape(text)}</code><button type="button" id="copy">copy</button></div>'
    )


# the data from which the script draws


def page_data(report: Report) -> Plain:
    """Return everything that the script needs: backends in the order of the standings, instances, runs, pairs.

    Indexes refer to backends, instances, statuses and phases. A missing number is None; a median without an answer is
    -1.
    """
    study = report.study
    names = [standing.backend for standing in study.standings]
    firsts = {row.sha256: row for row in reversed(report.rows)}
    shas = sorted(firsts, key=lambda sha: firsts[sha].puzzle)
    ranked = set(study.matrix.instances)
    matrix = Matrix.of(study.rows, names, over_all=study.over_all)
    columns = [matrix.instances.index(sha) for sha in shas]
    groups = report.groups().values() if report.group_by else ()
    return {
        "limit": study.limit,
        "backends": [
            {"name": s.backend, "ranked": s.ranked, "phases": {name: _short(t) for name, t in s.phases.items()}}
            for s in study.standings
        ],
        "statuses": list(map(status_word, Verdict)),
        "fine": [verdict.settled or verdict is Verdict.UNSUPPORTED for verdict in Verdict],
        "instances": [_instance(firsts[sha], report.boards.get(sha)) for sha in shas],
        "ranked": [sha in ranked for sha in shas],
        "groups": [[shas.index(sha) for sha in group.study.matrix.instances] for group in groups],
        "medians": [[-1 if isinf(t) else _short(t) for t in line] for line in matrix.median[:, columns].tolist()],
        "runs": _runs(report.rows, names, shas),
        "pairs": [
            {
                "first": names.index(pair.first),
                "second": names.index(pair.second),
                "speedup": [_short(value) for value in pair.speedup],
                "counts": [pair.faster, pair.ties, pair.slower, pair.neither, pair.censored],
                "p": _short(pair.corrected),
            }
            for pair in study.pairs
        ],
    }


def _instance(row: Row, board: Puzzle | None) -> Plain:
    line = "" if row.line is None else f":{row.line}"
    file = row.source.replace("\\", "/").rpartition("/")[2]
    return {
        "n": row.puzzle,
        "name": row.title or (f"{file}{line}" if file else f"puzzle {row.puzzle}"),
        "place": f"{row.source}{line}",
        "sha": row.sha256,
        "side": row.side,
        "cells": row.cells,
        "clues": row.clues,
        "board": None if board is None else _board(board),
    }


def _board(puzzle: Puzzle) -> Plain:
    shape = puzzle.shape
    return {
        "height": shape.height,
        "width": shape.width,
        "regions": [-1 if region is None else region for region in shape.region_of],
        "givens": [given if given is not None else 0 for given in puzzle.givens],
    }


def _runs(rows: Iterable[Row], names: Sequence[str], shas: Sequence[str]) -> Plain:
    """Return the runs by columns, with a column for each phase."""
    backend, instance = ({name: i for i, name in enumerate(known)} for known in (names, shas))
    status = {str(verdict): i for i, verdict in enumerate(Verdict)}
    ordered = sorted(rows, key=lambda row: (instance[row.sha256], backend[row.backend], row.seed, row.repeat))
    phases = in_order(phase for row in ordered for phase in row.phases)
    reason = {text: i for i, text in enumerate(dict.fromkeys(row.reason for row in ordered))}
    return {
        "instance": [instance[row.sha256] for row in ordered],
        "backend": [backend[row.backend] for row in ordered],
        "status": [status[row.status] for row in ordered],
        "wall": [_short(row.wall) for row in ordered],
        "cpu": [_short(row.cpu) for row in ordered],
        "memory": [row.memory for row in ordered],
        "unique": [row.unique for row in ordered],
        "seed": [row.seed for row in ordered],
        "repeat": [row.repeat for row in ordered],
        "reason": [reason[row.reason] for row in ordered],
        "reasons": list(reason),
        "phases": {phase: [_short(row.phases.get(phase, {}).get("wall")) for row in ordered] for phase in phases},
    }


def _short(value: float | None) -> float | None:
    """Round to six digits; None for what is not a number."""
    return float(f"{value:.6g}") if value is not None and isfinite(value) else None


# the groups: a table and a plot for each


def _groups(report: Report, colours: dict[str, int]) -> str:
    parts = [
        f'<div class="group"><h3>{escape(table.title)}</h3><p>{escape(with_micro(verdict(group.study)))}</p>'
        f'{table.html(colours)}<div class="plot" data-group="{i}"></div></div>'
        for i, (table, group) in enumerate(zip(group_tables(report), report.groups().values(), strict=True))
    ]
    caption = "The share of puzzles answered within the time on the axis; curves further up and left are better."
    return (
        f'<section class="card" id="groups"><h2>By {escape(report.group_by)}</h2>'
        f'<p class="caption">A table and a plot for each group. {caption}</p>{"".join(parts)}</section>'
    )


# provenance in words: what a journal recorded about itself

Fields = Mapping[str, Any]
_PROGRAM = "sudoku-models"
_WRITTEN = frozenset({"--dir", "--out", "--report", "--against"})


def origin(provenance: Fields) -> dict[str, Any]:
    """Return the items to show, by heading: what the sessions recorded is merged, and puzzles are counted."""
    sessions: Sequence[Fields] = provenance.get("sessions", ())
    known = {name: [session.get(name) for session in sessions] for session in sessions for name in session}
    shown: dict[str, Any] = {
        name: [value for i, value in enumerate(values) if value not in values[:i]] for name, values in known.items()
    }
    shown |= {name: value for name, value in provenance.items() if name not in ("sessions", "schema")}
    if "instances" in shown:
        shown["instances"] = f"{len(shown['instances']):,}, each with its SHA-256 in the list of puzzles"
    without = ("command", "folder", *(("host", "machine") if "hosts" in shown else ()))
    return {name: value for name, value in shown.items() if name not in without}


def command(provenance: Fields) -> str:
    """Return the command that repeats the run as a line for a shell; empty if it is not known."""
    given = _session(provenance, 0).get("command")
    if isinstance(given, str) or not given:
        return given or ""
    first, *words = map(str, given)
    path = first.replace("\\", "/")
    if not path.rpartition("/")[2].startswith(_PROGRAM) and "sudoku_models/cli" not in path:
        return ""
    return shlex.join([_PROGRAM, *_repeated(words)])


def _repeated(words: Iterable[str]) -> Iterator[str]:
    """Yield a command's words without the files that it wrote, which exist already, and those it compared with."""
    skip = False
    for word in words:
        wrote = word.partition("=")[0] in _WRITTEN
        if not skip and not wrote:
            yield word
        skip = wrote and "=" not in word


def machine(provenance: Fields) -> dict[str, Any]:
    """Return what determines the speed of a run, as far as it is known: processor, cores, memory, version of Python."""
    session = _session(provenance, -1)
    described = session.get("machine", {}) if "sessions" in provenance else provenance
    found = {key: described[key] for key in ("cpu", "cores", "memory") if key in described}
    python = session.get("versions", {}).get("python")
    return found | ({"Python": python} if python else {})


def _session(provenance: Fields, number: int) -> Fields:
    """Return what was recorded at one of the starts; without any, all that is known."""
    sessions = provenance.get("sessions")
    return sessions[number] if sessions else provenance
