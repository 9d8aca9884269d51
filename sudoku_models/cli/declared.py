"""How commands declare their options and arguments; typer reads the declarations where it is needed.

That is: for help, for mistakes, and for what ``quick`` does not read. Loading typer takes longer than most puzzles.
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
    """A value that an option does not take; the message says what is expected."""


class Option:
    """An option by its names; ``how`` are the keywords that ``typer.Option`` takes."""

    def __init__(self, *names: str, **how: Any) -> None:
        self.names, self.how = names, how

    def for_typer(self) -> ParameterInfo:
        """Return it as typer declares it."""
        import typer

        found: ParameterInfo = typer.Option(*self.names, **_with_parser(self.how))
        return found


class Argument:
    """Words without a name; ``how`` are the keywords that ``typer.Argument`` takes."""

    def __init__(self, **how: Any) -> None:
        self.how = how

    def for_typer(self) -> ParameterInfo:
        """Return it as typer declares it."""
        import typer

        found: ParameterInfo = typer.Argument(**self.how)
        return found


def hint_for_typer(hint: Any) -> Any:
    """Return the hint of a parameter with typer's declaration in it."""
    kind, declared = parts(hint)
    if declared is None:
        return hint
    choices = _choices(kind)
    if choices is not None and isinstance(declared, Option):
        listed = f"<{'|'.join(choices)}>"
        declared = Option(*declared.names, **{"metavar": listed, "parser": partial(chosen, choices), **declared.how})
    return Annotated[kind, declared.for_typer()]


def chosen(choices: type[StrEnum], text: str) -> StrEnum:
    """Read one of several words; BadValue with the one that may be meant. A default comes here as it is."""
    if text in list(choices):
        return choices(text)
    raise BadValue(f"{text!r}: one of {', '.join(choices)} is expected{meant(text, choices)}")


def _choices(kind: Any) -> type[StrEnum] | None:
    """Return the words that a parameter takes, one of them or None; None where it takes other things."""
    found = [one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, StrEnum)]
    return found[0] if found else None


def parts(hint: Any) -> tuple[Any, Option | Argument | None]:
    """Return the type of a parameter and its declaration; None where it has none."""
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, declared = get_args(hint)
    return kind, declared


def _with_parser(how: dict[str, Any]) -> dict[str, Any]:
    return {**how, "parser": _for_typer(how["parser"])} if "parser" in how else how


def _for_typer(parser: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a function that reads a value and raises what typer shows."""

    @wraps(parser)
    def read(text: str) -> Any:
        """Read a value; typer.BadParameter with the message of a BadValue."""
        import typer

        try:
            return parser(text)
        except BadValue as error:
            raise typer.BadParameter(str(error)) from None

    return read
