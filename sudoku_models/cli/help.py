"""The help of the program and of each command, with tables in boxes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .codes import HELP, Code
from .commands import GROUPS, HOMES, command
from .parser import NEEDED, Command, Parameter, Words

if TYPE_CHECKING:
    from rich.text import Text

PROGRAM = "sudoku-models"
ABOUT = "State a Sudoku once, as a constraint model, and solve it with any of several backends."
ASKED = ("--help", "-h")
OPTIONS = [
    Parameter(flag.strip("-").replace("-", "_"), bool, Words((flag,), "", text), False)
    for flag, text in {
        "--version": "Print the version and exit.",
        "--install-completion": "Let your shell (bash, zsh, fish) complete commands.",
        "--show-completion": "Print the script for your shell that does so.",
    }.items()
]
"""The options of the program itself."""

_HELP = Parameter("help", bool, Words(ASKED, "", "Show this message and exit."), False)


def usage(asked: Command | None) -> str:
    """Return the usage of a command, or of the program."""
    if asked is None:
        return f"Usage: {PROGRAM} [OPTIONS] COMMAND [ARGS]..."
    places = [
        f"{one.words.metavar}{'...' if one.many and '...' not in one.words.metavar else ''}"
        for one in asked.parameters
        if one.is_argument
    ]
    return " ".join([f"Usage: {PROGRAM} {asked.name} [OPTIONS]", *places])


def show_program(code: Code = Code.SOLVED) -> Code:
    """Print the help of the program: its commands in groups. Return an exit code."""
    found = [command(name) for name in HOMES]
    panels: dict[str, list[tuple[str | Text, ...]]] = {"Options": list(map(_option, (*OPTIONS, _HELP)))}
    for group in GROUPS:
        panels[group] = [(_name(one.name), _summary(one.text)) for one in found if one.group == group]
    _show(usage(None), ABOUT, panels, ())
    return code


def show_command(asked: Command) -> Code:
    """Print the help of a command; return the exit code."""
    panels: dict[str, list[tuple[str | Text, ...]]] = {}
    for one in (*asked.parameters, _HELP):
        cells = (_name(one.words.metavar), _described(one)) if one.is_argument else _option(one)
        panels.setdefault("Arguments" if one.is_argument else one.words.group, []).append(cells)
    order = ("Arguments", "Options", *sorted(panels.keys() - {"Arguments", "Options"}, key=list(panels).index))
    _show(usage(asked), asked.text, {name: panels[name] for name in order if name in panels}, [asked.example])
    return Code.SOLVED


def _summary(text: str) -> str:
    """Return the first paragraph of a description."""
    return " ".join(text.partition("\n\n")[0].split())


def _option(one: Parameter) -> tuple[str | Text, ...]:
    """Return the cells of an option: its long names, its short ones, its value and its description."""
    from rich.text import Text

    long = ", ".join(word for word in one.words.flags if word.startswith("--"))
    short = ", ".join(word for word in one.words.flags if not word.startswith("--"))
    value = one.words.metavar or (f"<{'|'.join(one.choices)}>" if one.choices else "")
    return _name(long), Text(short, "bold green"), Text(value, "bold yellow"), _described(one)


def _name(text: str) -> Text:
    from rich.text import Text

    return Text(text, "bold cyan")


def _described(one: Parameter) -> Text:
    """Return the description of a parameter, with its default."""
    from rich.text import Text

    about, _, shown = one.words.help.partition(" [default: ")
    if not shown and one.default not in (None, NEEDED) and one.kind is not bool:
        shown = f"{one.default}]"
    text = Text(about)
    if shown:
        text.append(f" [default: {shown}", "dim")
    if one.default is NEEDED:
        text.append(" [required]", "dim red")
    return text


def _show(first: str, text: str, panels: dict[str, Any], examples: Sequence[str]) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    console = Console(highlight=False)
    console.print()
    console.print(Padding(Text(first, "bold"), (0, 1)))
    for part in _paragraphs(text):
        console.print(Padding(Text(part), (1, 1, 0, 1)))
    console.print()
    for name, rows in panels.items():
        console.print(Panel(_grid(rows), title=name, title_align="left", border_style="dim"))
    for part in (*(f"Example: {PROGRAM} {example}" for example in examples), HELP):
        console.print(Padding(Text(part), (1, 1, 0, 1)))
    console.print()


def _paragraphs(text: str) -> Iterator[str]:
    for part in text.split("\n\n"):
        yield " ".join(part.split())


def _grid(rows: Iterable[Sequence[Any]]) -> Any:
    """Return rows as a table without lines; a column without any text is left out."""
    from rich.table import Table

    listed = list(rows)
    kept = [at for at in range(len(listed[0])) if any(str(row[at]) for row in listed)]
    grid = Table.grid(padding=(0, 2, 0, 0))
    for at in kept:
        grid.add_column(no_wrap=at < 2 and at != kept[-1], overflow="fold", ratio=1 if at == kept[-1] else None)
    for row in listed:
        grid.add_row(*(row[at] for at in kept))
    return grid
