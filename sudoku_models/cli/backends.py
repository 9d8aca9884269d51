"""``sudoku-models backends`` and ``plan``: what is installed, what each accepts, and how it handles a model."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any, Literal

from ..display import Column, TextTable
from ..engine import auto, select
from ..engine import plan as plan_of
from ..engine.combined import Combined
from ..engine.contract import Feature
from ..engine.registry import Listing, Selection, listings, option_text
from ..errors import Unsupported
from ..exports import exports_of
from ..puzzle import Puzzle
from .codes import Code, UsageError
from .inputs import Positive, SourceOptions, chosen
from .parser import command
from .terminal import Tally, output, say

SCHEMA = "sudoku-models/backends/1"


@command("Compare", "backends --format json")
def backends(markdown: bool = False, format: Literal["text", "json"] = "text") -> Code:
    """List the backends: which are installed, what each accepts and offers, and how to install the others.

    Output:
    --markdown  Write the table in Markdown.
    --format -f  How the list is written.
    """
    if markdown and format == "json":
        raise UsageError("--markdown and --format json do not go together")
    found = list(listings())
    with output(None) as write:
        if format == "json":
            fields = list(map(_fields, found))
            write(json.dumps({"schema": SCHEMA, "backends": fields}, indent=2) + "\n")
        elif markdown:
            write(markdown_table(found))
        else:
            _show(found)
    return Code.SOLVED


def markdown_table(found: list[Listing]) -> str:
    """Return the table shown in the README; it does not depend on what is installed."""
    headings = ("backend", "constraints", "features", "options", "installed by")
    rows = []
    for listing in found:
        if listing.backend:
            declared = _declared(listing)
            texts = "<br>".join(f"`{text}`" for text in declared["options"])
            installed = f"`{listing.install}`" if listing.install else "always there"
            kinds, features = (", ".join(declared[name]) for name in ("constraints", "features"))
            rows.append((f"`{listing.name}`", kinds, features, texts, installed))
    return TextTable(tuple(Column(heading, number=False) for heading in headings), tuple(rows)).markdown()


def _declared(listing: Listing) -> dict[str, list[str]]:
    if listing.backend is None:
        return {}
    capabilities = listing.backend.capabilities
    return {
        "constraints": sorted(kind.__name__ for kind in capabilities.kinds),
        "features": [str(feature) for feature in Feature if feature in capabilities.features],
        "options": list(_options(listing.backend.Options)),
        "exports": sorted(exports_of(listing.backend)),
    }


def _options(options: Any) -> Iterator[str]:
    """Describe each option as name=choices, the default first."""
    default = options()
    for field in dataclasses.fields(options):
        if "engine" in field.metadata:  # parameters by the engine's own names
            continue
        value = getattr(default, field.name)
        choices = field.metadata.get("choices") or ((True, False) if isinstance(value, bool) else (value,))
        ordered = (value, *(choice for choice in choices if choice != value))
        yield f"{field.name}={'|'.join(map(option_text, ordered))}"


def _fields(listing: Listing) -> dict[str, Any]:
    start = {"name": listing.name, "installed": not listing.problem, "problem": listing.problem}
    return {**start, "install": listing.install, **_declared(listing)} if listing.backend else start


def _show(found: list[Listing]) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    for listing in found:
        state = f"not usable: {listing.problem}" if listing.problem else "installed"
        console.print(f"{listing.name}: {state}", style="bold" if not listing.problem else "yellow", markup=False)
        for name, text in _lines(listing):
            console.print(_hanging(name, text))
    if any(listing.problem and listing.install for listing in found):
        say("to install a missing backend, run the command shown beside it")


def _lines(listing: Listing) -> Iterator[tuple[str, str]]:
    if listing.problem and listing.install:
        yield "install", listing.install
    for heading, texts in _declared(listing).items():
        if texts:
            yield heading, ("  " if heading == "options" else ", ").join(texts)


def _hanging(name: str, text: str) -> Any:
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(width=13)
    grid.add_column(overflow="fold")
    grid.add_row(Text(f"  {name}", style="dim"), Text(text))
    return grid


@command("Compare", "plan puzzle.txt --backend pycosat")
def plan(
    source: SourceOptions, *, backend: str | None = None, number: Positive | None = None, out: str | None = None
) -> Code:
    """Show how a backend handles the model of one puzzle: the rewrites, and what it derives.

    The model is that of the empty board, as in solving: backends receive the givens separately.

    --backend -b NAME[:KEY=VALUE,...]  The backend whose plan is printed. [default: the backends that auto tries in
        turn]
    Input:
    --number NUMBER  The number of the puzzle, if there are several; 1 is the first.
    """
    tally = Tally()
    entry = chosen(source, number, tally)
    if entry is None or entry.puzzle is None:
        return tally.code
    with output(out) as write:
        for line in _plan_lines(entry.puzzle, backend):
            write(f"{line}\n")
    return Code.SOLVED


def _plan_lines(puzzle: Puzzle, backend: str | None) -> Iterator[str]:
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
    if isinstance(selection.backend, Combined):
        for member in selection.options:
            yield from _members(member)
    else:
        yield selection
