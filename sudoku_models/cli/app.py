"""The program as typer runs it, with the requested commands as they were declared."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .codes import HELP, Code
from .commands import GROUPS, command
from .declarations import hint_for_typer
from .terminal import set_verbose


class _Commands(TyperGroup):
    """The commands. If a file name is given instead of a command, the message says how to solve the file."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is None and Path(args[0]).is_file():
            ctx.fail(f"{args[0]!r} is a file, not a command; to solve it: sudoku-models solve {args[0]}")
        return super().resolve_command(ctx, args)


def program(*names: str) -> typer.Typer:
    """Return the program with the named commands, or with all commands if none is named."""
    app = typer.Typer(
        name="sudoku-models",
        cls=_Commands,
        help="State a Sudoku once, as a constraint model, and solve it with any of several backends.",
        epilog=HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for group, commands in GROUPS.items():
        for name, (_, example) in commands.items():
            if not names or name in names:
                epilog = f"Example: sudoku-models {example}\n\n{HELP}"
                app.command(name=name, epilog=epilog, rich_help_panel=group)(_for_typer(command(name)))
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"sudoku-models {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    set_verbose(False)


def _for_typer(asked: Callable[..., Code]) -> Callable[..., None]:
    """Return a command that ends as typer expects, with its parameters declared for typer."""

    @wraps(asked)
    def run(**values: Any) -> None:
        raise typer.Exit(asked(**values))

    shown = signature(asked)
    parameters = [one.replace(annotation=hint_for_typer(one.annotation)) for one in shown.parameters.values()]
    run.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
