"""The commands as one group, which helps who names a file in the place of a command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.core import TyperGroup


class Commands(TyperGroup):
    """The commands; for the name of a file in the place of one, the message says how to solve it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names; a usage error where there is none."""
        if self.get_command(ctx, args[0]) is None and Path(args[0]).is_file():
            ctx.fail(f"{args[0]!r} is a file and no command; to solve it: sudoku-models solve {args[0]}")
        return super().resolve_command(ctx, args)
