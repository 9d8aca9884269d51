"""The help of the program and of each command, with tables in boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ..formats import FORMATS
from .codes import HELP, Code
from .parser import ASKED, GROUPS, HOMES, NEEDED, OPTIONS, PROGRAM, USAGE, Command, Parameter, command_named

ABOUT = "State a Sudoku once, as a constraint model, and solve it with any of several backends."
_HELP = Parameter("help", ASKED, "", "Show this message and exit.")

READABLE = [name for name, kind in FORMATS.items() if kind.reads]
WRITABLE = [name for name, kind in FORMATS.items() if kind.writes]
"""The formats that stand for {readable} and {writable} in the help."""

Cells = tuple[str | Text, ...]


def show_program(code: Code = Code.SOLVED) -> Code:
    """Print the help of the program: its commands in groups. Return an exit code."""
    found = list(map(command_named, HOMES))
    panels: dict[str, list[Cells]] = {"Options": list(map(_option, (*OPTIONS, _HELP)))}
    for group in GROUPS:  # of each command the first paragraph
        panels[group] = [
            (_name(one.name), " ".join(one.text.partition("\n\n")[0].split())) for one in found if one.group == group
        ]
    _show(USAGE, ABOUT, panels, ())
    return code


def show_command(asked: Command) -> Code:
    """Print the help of a command; return the exit code."""
    panels: dict[str, list[Cells]] = {"Arguments": [], "Options": []}
    for one in (*asked.parameters, _HELP):
        cells = (_name(one.metavar), _described(one)) if one.is_argument else _option(one)
        panels.setdefault("Arguments" if one.is_argument else one.group, []).append(cells)
    _show(asked.usage, asked.text, panels, [f"Example: {PROGRAM} {asked.example}"])
    return Code.SOLVED


def _option(one: Parameter) -> Cells:
    """Return the cells of an option: its long names, its short ones, its value and its description."""
    long = ", ".join(word for word in one.names if word.startswith("--"))
    short = ", ".join(word for word in one.names if not word.startswith("--"))
    value = one.metavar or (f"<{'|'.join(one.choices)}>" if one.choices else "")
    return _name(long), Text(short, "bold green"), Text(value, "bold yellow"), _described(one)


def _name(text: str) -> Text:
    return Text(text, "bold cyan")


def _described(one: Parameter) -> Text:
    """Return the description of a parameter, with its default and the formats that it stands for."""
    about = one.help
    for place, names in {"{readable}": READABLE, "{writable}": WRITABLE}.items():
        about = about.replace(place, f"{', '.join(names[:-1])} or {names[-1]}")
    about, _, shown = about.partition(" [default: ")
    if not shown and one.default not in (None, NEEDED) and one.kind is not bool:
        shown = f"{one.default}]"
    text = Text(about)
    if shown:
        text.append(f" [default: {shown}", "dim")
    if one.default is NEEDED:
        text.append(" [required]", "dim red")
    return text


def _show(first: str, text: str, panels: dict[str, list[Cells]], examples: Sequence[str]) -> None:
    console = Console(highlight=False)
    console.print()
    console.print(Padding(Text(first, "bold"), (0, 1)))
    for part in text.split("\n\n"):
        console.print(Padding(Text(" ".join(part.split())), (1, 1, 0, 1)))
    console.print()
    for name, rows in panels.items():
        if rows:
            console.print(Panel(_grid(rows), title=name, title_align="left", border_style="dim"))
    for part in (*examples, HELP):
        console.print(Padding(Text(part), (1, 1, 0, 1)))
    console.print()


def _grid(rows: Iterable[Sequence[Any]]) -> Table:
    """Return rows as a table without lines; a column without any text is left out."""
    listed = list(rows)
    kept = [at for at in range(len(listed[0])) if any(str(row[at]) for row in listed)]
    grid = Table.grid(padding=(0, 2, 0, 0))
    for at in kept:
        grid.add_column(no_wrap=at < 2 and at != kept[-1], overflow="fold", ratio=1 if at == kept[-1] else None)
    for row in listed:
        grid.add_row(*(row[at] for at in kept))
    return grid
