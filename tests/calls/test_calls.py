"""Calls in Python, each with what comes of it: a file for each part of the library, for answers and refusals alike.

A line ``>>>`` (with further ones, ``...``) is a statement, followed by what it prints, its value included (``|``), and
by what it raises (``!``). A title ends with the packages that its section needs, in brackets; ``patch`` is pytest's.
"""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sudoku_models.puzzle.rules import Rule, known_rules

from ..golden import head, hold, sections
from ..planting import planted_throughout

__all__ = ["planted_throughout"]

CALL = re.compile(r"(?m)^(>>> .*(?:\n\.\.\. .*)*)(?:\n[|!].*)*$")


@pytest.mark.usefixtures("planted_throughout")
@pytest.mark.parametrize(("path", "section"), sections("calls"))
def test_a_call_comes_to_what_is_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path, section: str
) -> None:
    for package in re.findall(r"\[(\w+)\]", section.splitlines()[0]):
        if find_spec(package) is None:
            pytest.skip(f"not applicable (feature): {package} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Rule, "kinds", known_rules())  # without those that sections define
    names: dict[str, Any] = {"__name__": __name__, "patch": monkeypatch}
    assert played(head(path), names) == head(path)  # a head prints nothing, and raises nothing
    hold(path, section, played(section, names))


def played(text: str, names: dict[str, Any]) -> str:
    """Carry out the statements of a text, and return it with what comes of them now."""
    return CALL.sub(lambda call: "\n".join([call[1], *come(re.sub(r"(?m)^(>>>|\.\.\.) ", "", call[1]), names)]), text)


def come(statement: str, names: dict[str, Any]) -> list[str]:
    """Return the lines of what a statement prints and raises."""
    raised: list[str] = []
    with redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(statement + "\n", "<call>", "single"), names)
        except (NameError, SyntaxError, AssertionError):
            raise  # these are mistakes of the text
        except Exception as error:
            raised = [f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())]
    said = [("|", printed.getvalue()), *(("!", text) for text in raised)]
    return [f"{sign} {line}".rstrip() for sign, text in said for line in text.splitlines()]
