"""``sudoku-models plan``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ..engine import auto, select
from ..engine import plan as plan_of
from ..engine.combined import Combined
from ..engine.registry import Selection
from ..errors import Unsupported
from ..puzzle import Puzzle
from .codes import Code
from .export import Number, chosen
from .options import Out, SourceOptions
from .outputs import output
from .parser import Option, command
from .terminal import Tally

Planner = Annotated[
    str | None,
    Option(
        "--backend",
        "-b",
        metavar="NAME[:KEY=VALUE,...]",
        help="The backend whose plan is printed.",
        show_default="the backends that auto tries in turn",
    ),
]


@command("Compare", "plan puzzle.txt --backend pycosat")
def plan(source: SourceOptions, backend: Planner = None, number: Number = None, out: Out = None) -> Code:
    """Show how a backend handles the model of one puzzle: the rewrites, and what it derives.

    The model is that of the empty board, as in solving: backends receive the givens separately.
    """
    tally = Tally()
    entry = chosen(source.input(), number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    with output(out) as write:
        for line in _lines(entry.puzzle, backend):
            write(f"{line}\n")
    return Code.SOLVED


def _lines(puzzle: Puzzle, backend: str | None) -> Iterator[str]:
    if backend is None:
        choice = auto.choose(puzzle.structure)
        selection = choice.selection
        yield f"# {choice.reason}"
    else:
        selection = select(backend)
    members = tuple(_members(selection))
    for member in members:
        yield f"{member}:"
        try:
            yield from (f"  {line}" for line in str(plan_of(puzzle.structure, member)).splitlines())
        except Unsupported as error:
            if len(members) == 1:
                raise
            yield f"  {error}"


def _members(selection: Selection) -> Iterator[Selection]:
    """Yield the backends of a selection."""
    if isinstance(selection.backend, Combined):
        for member in selection.options:
            yield from _members(member)
    else:
        yield selection
