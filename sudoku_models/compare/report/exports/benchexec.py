"""Runs as the result files of BenchExec, which its ``table-generator`` reads (document type of BenchExec 1.9 to 3)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....verbs.agreement import Verdict
from ...run_rows import Row
from ..origin import started, versions

if TYPE_CHECKING:
    from ..report import Report

_DOCTYPE = (
    '<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN" '
    '"https://www.sosy-lab.org/benchexec/result-3.0.dtd">'
)
_STATUS = {
    Verdict.SOLVED: ("true", "correct"),
    Verdict.UNSATISFIABLE: ("false", "correct"),
    Verdict.WRONG: ("WRONG", "wrong"),
    Verdict.UNKNOWN: ("unknown", "unknown"),
    Verdict.TIMEOUT: ("TIMEOUT", "error"),
    Verdict.OUT_OF_MEMORY: ("OUT OF MEMORY", "error"),
    Verdict.CRASH: ("KILLED BY SIGNAL", "error"),
    Verdict.ERROR: ("ERROR", "error"),
    Verdict.UNSUPPORTED: ("unsupported", "unknown"),
}
"""Status and category in BenchExec's terms: "true" is an answer with a solution, "false" unsatisfiable."""


_PACKAGES = {
    "cp-sat": "ortools",
    "highs": "highspy",
    "pysat": "python-sat",
    "python-constraint": "python-constraint2",
    "z3": "z3-solver",
}
"""The packages of engines with a different name; engines without a package belong to this one."""


_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def documents(report: Report, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield files and texts: ``path`` for a single backend, otherwise ``NAME.BACKEND.xml`` beside it for each."""
    groups: dict[str, list[Row]] = {}
    for row in report.rows:
        groups.setdefault(row.backend, []).append(row)
    names = file_names(list(groups))
    for backend, rows in groups.items():
        target = path if len(groups) == 1 else path.with_name(f"{path.stem}.{names[backend]}{path.suffix}")
        yield target, document(backend, rows, report.provenance)


def file_names(backends: list[str]) -> dict[str, str]:
    """Return a unique valid file name for each backend."""
    found: dict[str, str] = {}
    for backend in backends:
        plain = re.sub(r"[^A-Za-z0-9_.=-]+", "_", backend)
        taken = sum(name == plain or name.startswith(f"{plain}-") for name in found.values())
        found[backend] = f"{plain}-{taken + 1}" if plain in found.values() else plain
    return found


def document(backend: str, rows: list[Row], provenance: Mapping[str, Any]) -> str:
    """Return the result of one backend."""
    name, _, options = backend.partition(":")
    root = ET.Element("result", _head(name, options, rows, provenance))
    ET.SubElement(root, "columns")
    for row in rows:
        root.append(_run(row))
    for element in root.iter():
        element.attrib.update({key: _legal(value) for key, value in element.attrib.items()})
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{_DOCTYPE}\n{ET.tostring(root, encoding="unicode")}\n'


def _legal(text: str) -> str:
    """Escape the characters that XML cannot contain: control characters, and unpaired surrogates."""
    return _ILLEGAL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def _head(name: str, options: str, rows: list[Row], provenance: Mapping[str, Any]) -> dict[str, str]:
    date = started(provenance)
    version = versions(provenance).get(_PACKAGES.get(name, name), versions(provenance).get("sudoku-models", ""))
    head = {
        "tool": name,
        "toolmodule": "sudoku_models",
        "version": str(version),
        "benchmarkname": "sudoku-models",
        "name": name,
        "displayName": f"{name}:{options}" if options else name,
        "options": options.replace(",", " "),
        "date": date,
        "starttime": date,
        "generator": "sudoku-models",
    }
    limit, cpu, memory = rows[0].time_limit, rows[0].cpu_limit, rows[0].memory_limit
    head |= {} if limit is None else {"walltimelimit": f"{limit:g}s"}
    head |= {} if cpu is None and limit is None else {"timelimit": f"{limit if cpu is None else cpu:g}s"}
    return head | ({} if memory is None else {"memlimit": f"{memory}B"})


def _run(row: Row) -> ET.Element:
    run = ET.Element("run", {"name": run_name(row), "files": f"[{row.source or 'puzzle'}]", "properties": row.asked})
    for title, value in _columns(row):
        hidden = {} if title in ("status", "category", "walltime", "cputime", "memory") else {"hidden": "true"}
        ET.SubElement(run, "column", {"title": title, "value": value, **hidden})
    return run


def run_name(row: Row) -> str:
    """Return the name by which table-generator joins the runs of several backends."""
    place = row.source or "puzzle"
    line = f":{row.line}" if row.line is not None else ""
    again = f" seed {row.seed} repeat {row.repeat}" if row.seed or row.repeat else ""
    return f"{row.puzzle:06d} {place}{line}{again}"


def _columns(row: Row) -> Iterator[tuple[str, str]]:
    status, category = _STATUS[row.verdict]
    yield "status", status
    yield "category", category
    yield "walltime", f"{row.wall:.9f}s"
    if row.cpu is not None:
        yield "cputime", f"{row.cpu:.9f}s"
    if row.memory is not None:
        yield "memory", f"{row.memory}B"
    if row.reason:
        yield "reason", row.reason
    for phase, times in row.phases.items():
        yield f"walltime-{phase}", f"{times['wall']:.9f}s"
    for name, size in row.sizes.items():
        yield name, str(size)
