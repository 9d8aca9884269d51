"""Provenance in words: what a journal recorded about itself, in readable form."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Fields = Mapping[str, Any]
_MACHINE = ("cpu", "cores", "usable", "memory", "system", "kernel", "load")
_PROGRAM = "sudoku-models"
_WRITTEN = frozenset({"--dir", "--out", "--report", "--against"})


def origin(provenance: Fields) -> dict[str, Any]:
    """Return the items to show, by heading: strings, numbers, lists and mappings.

    Known entries of a journal (sessions, hosts, plan) are arranged; unknown ones are passed on as they are.
    """
    sessions = _sessions(provenance)
    if not sessions:
        return dict(provenance)
    shown = {
        "started": _once(session.get("started") for session in sessions),
        "machine": _machines(provenance),
        "versions": _once(session.get("versions") for session in sessions),
        "commit": _once(session.get("commit") for session in sessions),
        "limits and order": _plan(provenance.get("plan", {})),
        "runs": _progress(provenance, len(sessions)),
        "instances": f"{len(provenance.get('instances', ())):,}, each with its SHA-256 in the list of puzzles",
        "digest": provenance.get("digest"),
    }
    return {heading: value for heading, value in shown.items() if value not in (None, [], {})}


def command(provenance: Fields) -> str:
    """Return the command that repeats the run as a line for a shell; empty if it is not known."""
    sessions = _sessions(provenance)
    given = sessions[0].get("command") if sessions else provenance.get("command")
    if isinstance(given, str) or not given:
        return given or ""
    words = [str(word) for word in given]
    name = words[0].replace("\\", "/").rpartition("/")[2]
    if not name.startswith(_PROGRAM) and "sudoku_models/cli" not in words[0].replace("\\", "/"):
        return ""
    return shlex.join([_PROGRAM, *_repeated(words[1:])])


def _repeated(words: Sequence[str]) -> Iterator[str]:
    """Yield a command's words without the files that it wrote, which exist already, and those it compared with."""
    skip = False
    for word in words:
        wrote = word.partition("=")[0] in _WRITTEN
        if not skip and not wrote:
            yield word
        skip = wrote and "=" not in word


def started(provenance: Fields) -> str:
    """Return when the run began, in ISO 8601; empty if it is not known."""
    sessions = _sessions(provenance)
    return str((sessions[0] if sessions else provenance).get("started") or "")


def versions(provenance: Fields) -> Fields:
    """Return the versions of the packages by name."""
    sessions = _sessions(provenance)
    found = (sessions[-1] if sessions else provenance).get("versions")
    return found if isinstance(found, Mapping) else {}


def machine(provenance: Fields) -> dict[str, Any]:
    """Return what determines the speed of a run, as far as it is known: processor, cores, memory, version of Python."""
    sessions = _sessions(provenance)
    described = sessions[-1].get("machine", {}) if sessions else provenance
    found = {key: described[key] for key in ("cpu", "cores", "memory") if key in described}
    python = versions(provenance).get("python")
    return found | ({"Python": python} if python else {})


def _sessions(provenance: Fields) -> Sequence[Fields]:
    found = provenance.get("sessions")
    return [entry for entry in found if isinstance(entry, Mapping)] if isinstance(found, (list, tuple)) else []


def _machines(provenance: Fields) -> Any:
    hosts = provenance.get("hosts") or {s.get("host", ""): s.get("machine", {}) for s in _sessions(provenance)}
    found = [_described(host) for host in hosts.values()]
    return found[0] if len(found) == 1 else [f"{name}: {host}" for name, host in zip(hosts, found, strict=True)]


def _described(host: Fields) -> dict[str, Any]:
    found = {key: host[key] for key in _MACHINE if host.get(key) is not None}
    if "memory" in found:
        found["memory"] = f"{found['memory'] / (1 << 30):.1f} GiB"
    if "load" in found:
        found["load"] = f"{found['load']:.2f} at the start"
    return found


def _plan(plan: Fields) -> dict[str, Any]:
    units = {"time_limit": "s", "cpu_limit": "s", "memory_limit": "bytes"}
    left_out = ("backends", "goal")
    shown = {name: value for name, value in plan.items() if name not in left_out and value is not None}
    return {
        name.replace("_", " "): ", ".join(map(str, value)) if isinstance(value, list) else _unit(value, units.get(name))
        for name, value in shown.items()
    }


def _unit(value: object, unit: str | None) -> str:
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return f"{text} {unit}" if unit else text


def _progress(provenance: Fields, sessions: int) -> str:
    planned = f" of {provenance['planned']:,} planned" if "planned" in provenance else ""
    text = f"{provenance.get('done', 0):,}{planned}"
    return text if sessions == 1 else f"{text}, in {sessions} sessions"


def _once(values: Iterable[Any]) -> Any:
    """Return the distinct values; a single one as it is."""
    found: list[Any] = []
    for value in values:
        if value is not None and value not in found:
            found.append(value)
    return found[0] if len(found) == 1 else found
