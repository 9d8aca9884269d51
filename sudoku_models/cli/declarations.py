"""How commands declare their options and arguments; typer reads the declarations when it is needed.

Typer is needed for help, for mistakes, and for command lines that ``plain_commands`` cannot read. Loading it takes
longer than solving most puzzles.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial, wraps
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

from ..errors import meant

if TYPE_CHECKING:
    from typer.models import ParameterInfo


class BadValue(ValueError):
    """Raised for a value that an option does not accept; the message says what is expected."""


class Option:
    """An option with its names; ``how`` holds keyword arguments for ``typer.Option``."""

    def __init__(self, *names: str, **how: Any) -> None:
        self.names, self.how = names, how

    def for_typer(self) -> ParameterInfo:
        """Return it as typer declares it."""
        import typer

        found: ParameterInfo = typer.Option(*self.names, **_with_parser(self.how))
        return found


class Argument:
    """A positional argument; ``how`` holds keyword arguments for ``typer.Argument``."""

    def __init__(self, **how: Any) -> None:
        self.how = how

    def for_typer(self) -> ParameterInfo:
        """Return it as typer declares it."""
        import typer

        found: ParameterInfo = typer.Argument(**self.how)
        return found


def hint_for_typer(hint: Any) -> Any:
    """Return the type hint of a parameter, with typer's declaration in it."""
    kind, declared = parts(hint)
    if declared is None:
        return hint
    choices = _choices(kind)
    if choices is not None and isinstance(declared, Option):
        listed = f"<{'|'.join(choices)}>"
        declared = Option(*declared.names, **{"metavar": listed, "parser": partial(chosen, choices), **declared.how})
    return Annotated[kind, declared.for_typer()]


def chosen(choices: type[StrEnum], text: str) -> StrEnum:
    """Parse one of several words; raise BadValue, naming a similar word, for any other. Defaults pass through too."""
    if text in list(choices):
        return choices(text)
    raise BadValue(f"{text!r}: one of {', '.join(choices)} is expected{meant(text, choices)}")


def _choices(kind: Any) -> type[StrEnum] | None:
    """Return the words that a parameter accepts, or None if it accepts other values."""
    found = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, StrEnum)]
    return found[0] if found else None


def parts(hint: Any) -> tuple[Any, Option | Argument | None]:
    """Return the type of a parameter and its declaration, or None if it has no declaration."""
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, declared = get_args(hint)
    return kind, declared


def _with_parser(how: dict[str, Any]) -> dict[str, Any]:
    return {**how, "parser": _for_typer(how["parser"])} if "parser" in how else how


def _for_typer(parser: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a function that parses a value and raises errors that typer can show."""

    @wraps(parser)
    def read(text: str) -> Any:
        """Parse a value; turn a BadValue into a typer.BadParameter."""
        import typer

        try:
            return parser(text)
        except BadValue as error:
            raise typer.BadParameter(str(error)) from None

    return read
