"""XCSP3 and OPB, read back by ``Model.read``, which shares no code with the writers, and solved by ``cp-sat``."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from sudoku_models import Model, solutions

from .maps import Found, Literals

_HEAD = re.compile(r"\* #variable= (\d+) #constraint= (\d+)\n")


def xcsp3(text: str, names: Sequence[str]) -> Found:
    """Return all solutions, or the improving ones when there is an objective."""
    root = ElementTree.fromstring(text)
    of = {one.get("note", one.attrib["id"]): one.attrib["id"] for one in root.find("variables") or ()}
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in of.values())
    assert (root.get("type") == "COP") == (root.find("objectives") is not None)
    return [tuple(values[of[name]] for name in names) for values in _solutions(text, ".xml")]


def opb(text: str, names: Sequence[str]) -> Found:
    """Return the same; which variable has which value is in comments."""
    head = _HEAD.match(text)
    model = _read(text, ".opb")
    assert head and (len(model.variables), len(model.constraints)) == (int(head[1]), int(head[2]))
    literals = Literals(line[1:] for line in text.splitlines() if re.match(r"\* \S.*=-?\d+ is (x\d+|decided)\Z", line))
    true = ([x for x, value in values.items() if value] for values in _solutions(text, ".opb"))
    return [literals.solution(found, names) for found in true]


def _read(text: str, end: str) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"one{end}")
        path.write_text(text, "utf-8")
        return Model.read(path)


def _solutions(text: str, end: str) -> Iterator[dict[str, int]]:
    for values in solutions(_read(text, end), "cp-sat"):
        yield dict(values)  # type: ignore[arg-type]
