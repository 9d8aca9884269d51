"""The one parser of the command line: how commands declare their options, and how words become their values.

A command is a function. Each of its parameters is annotated with its type and an ``Option`` or ``Argument``; a
parameter whose type is a dataclass stands for one parameter for each of its fields, so that commands share options.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cached_property
from inspect import Parameter as Signed
from inspect import getdoc, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from ..errors import SudokuModelsError, meant
from .codes import Code

NEEDED = object()
"""The default of a parameter that must be given."""


class BadValue(ValueError):
    """Raised for a value that an option does not accept; the message says what is expected."""


class WrongWords(SudokuModelsError):
    """Raised for words that a command does not understand."""


@dataclass(frozen=True)
class Option:
    """An option with its names, by default that of its parameter; ``--a/--no-a`` is a flag with a negative form.

    ``parser`` reads a value; without it, the type of the parameter does, with ``min`` as the smallest and ``max`` as
    the largest number. ``metavar`` is shown for the value, ``show_default`` for the default, and ``panel`` is a group
    of options in the help.
    """

    names: tuple[str, ...] = ()
    help: str = ""
    metavar: str | None = None
    parser: Callable[[str], Any] | None = None
    min: int | None = None
    max: int | None = None
    show_default: str | None = None
    panel: str = "Options"

    def __init__(self, *names: str, **how: Any) -> None:
        for name, value in {"names": names, **how}.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Argument:
    """A positional argument."""

    metavar: str
    help: str
    show_default: str | None = None


class Given(frozenset[str]):
    """The names of the parameters that stand on the command line; a command may ask for them."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: its type without None, its declaration, and its default."""

    name: str
    kind: Any
    declared: Option | Argument
    default: Any

    @property
    def many(self) -> bool:
        """Return whether it takes several values."""
        return get_origin(self.kind) is list

    @property
    def of(self) -> Any:
        """The type of one value."""
        return get_args(self.kind)[0] if self.many else self.kind

    @property
    def choices(self) -> list[str]:
        """The words that it accepts; empty if it takes other values."""
        return list(self.kind) if isinstance(self.kind, type) and issubclass(self.kind, StrEnum) else []

    @cached_property
    def flags(self) -> Mapping[str, bool]:
        """The names of an option, with the value that each stands for if it takes none."""
        if isinstance(self.declared, Argument):
            return {}
        names = self.declared.names or (f"--{self.name.replace('_', '-')}",)
        return {flag: not place for name in names for place, flag in enumerate(name.split("/"))}

    @property
    def title(self) -> str:
        """The name in messages."""
        if isinstance(self.declared, Argument):
            return f"argument {self.declared.metavar}"
        return f"option {' or '.join(self.flags)}"

    def read(self, text: str) -> Any:
        """Return the value of a text; raise WrongWords if it is none."""
        assert isinstance(self.declared, Option | Argument)
        parser = getattr(self.declared, "parser", None)
        try:
            return parser(text) if parser else self._typed(text)
        except BadValue as error:
            raise WrongWords(f"{self.title}: {error}") from None

    def _typed(self, text: str) -> Any:
        if self.choices:
            if text not in self.choices:
                raise BadValue(f"{text!r}: one of {', '.join(self.choices)} is expected{meant(text, self.choices)}")
            return self.kind(text)
        return self._number(text) if self.of is int else self.of(text)

    def _number(self, text: str) -> int:
        least, most = (getattr(self.declared, name, None) for name in ("min", "max"))
        digits = text.removeprefix("-")
        wanted = "a whole number" + ("" if least is None else f" of at least {least}" if most is None else "")
        wanted += "" if most is None else f" from {least} to {most}"
        if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
            raise BadValue(f"{text[:40]!r}: {wanted} is expected")
        number = int(text)
        if (least is not None and number < least) or (most is not None and number > most):
            raise BadValue(f"{text}: {wanted} is expected")
        return number


VERBOSE = Parameter(
    "verbose", bool, Option("--verbose", "-v", help="Report on standard error how each answer was found."), False
)
"""The option that every command has."""


class Command:
    """A command: a function with declared parameters, its group in the help, and an example."""

    def __init__(self, function: Callable[..., Code], group: str, example: str) -> None:
        self.function, self.group, self.example = function, group, example
        self.name = function.__name__.replace("_", "-")

    @property
    def text(self) -> str:
        """The description in the help."""
        return getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters in the order of the help; those of a dataclass stand in its place."""
        return [*(one for found in self._signed() for one in _parameters(*found)), VERBOSE]

    def _signed(self) -> Iterator[tuple[str, Any, Any]]:
        hints = get_type_hints(self.function, include_extras=True)
        for name, shown in signature(self.function).parameters.items():
            yield name, hints[name], NEEDED if shown.default is Signed.empty else shown.default

    def __call__(self, values: Mapping[str, Any], given: Given) -> Code:
        """Run the command with a value for each parameter."""
        arguments: dict[str, Any] = {}
        for name, hint, _ in self._signed():
            if is_dataclass(hint):
                arguments[name] = hint(**{field.name: values[field.name] for field in fields(hint)})  # type: ignore[operator]
            else:
                arguments[name] = given if hint is Given else values[name]
        return self.function(**arguments)


def _parameters(name: str, hint: Any, default: Any) -> Iterator[Parameter]:
    """Yield the parameters that a parameter of a function stands for."""
    if is_dataclass(hint):
        types = get_type_hints(hint, include_extras=True)
        for field in fields(hint):
            yield from _parameters(field.name, types[field.name], NEEDED if field.default is MISSING else field.default)
    elif get_origin(hint) is Annotated:
        kind, declared = get_args(hint)
        (only,) = [one for one in get_args(kind) if one is not NoneType] if NoneType in get_args(kind) else [kind]
        yield Parameter(name, only, declared, default)


def command(group: str, example: str) -> Callable[[Callable[..., Code]], Command]:
    """Declare a function as a command of a group, with an example of its use (without the name of the program)."""
    return lambda function: Command(function, group, example)


def values_of(parameters: Sequence[Parameter], words: Sequence[str]) -> tuple[dict[str, Any], Given]:
    """Return a value for each parameter, and the names of those given; raise WrongWords for words that do not fit.

    An option's value is the next word, or follows ``=`` (a long name) or the letter itself (``-n2``); letters without
    values may stand together. After ``--`` there are only arguments.
    """
    flags = {flag: one for one in parameters for flag in one.flags}
    found: dict[str, Any] = {}
    arguments: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            arguments += left
        elif word == "-" or not word.startswith("-"):
            arguments += _expanded(word)
        elif word.startswith("--"):
            _long(word, flags, found, left)
        else:
            _short(word, flags, found, left)
    _put_arguments(parameters, arguments, found)
    for one in parameters:
        if one.name not in found and one.default is NEEDED:
            raise WrongWords(f"{one.title} is missing")
    return {one.name: found.get(one.name, one.default) for one in parameters}, Given(found)


def _long(word: str, flags: Mapping[str, Parameter], found: dict[str, Any], left: Iterator[str]) -> None:
    """Enter a word such as ``--limit``, perhaps with its value as in ``--limit=2``."""
    flag, sign, text = word.partition("=")
    if flag not in flags:
        raise WrongWords(f"No such option: {flag}{meant(flag, flags)}")
    _enter(flag, flags[flag], text if sign else None, found, left)


def _short(word: str, flags: Mapping[str, Parameter], found: dict[str, Any], left: Iterator[str]) -> None:
    """Enter the letters of a word such as ``-u``, ``-uv`` or ``-n2``."""
    for at in range(1, len(word)):
        flag, rest = f"-{word[at]}", word[at + 1 :]
        if flag not in flags:
            raise WrongWords(f"No such option: {flag}")
        if flags[flag].kind is not bool:
            _enter(flag, flags[flag], rest or None, found, left)
            return
        _enter(flag, flags[flag], None, found, left)


def _enter(flag: str, one: Parameter, text: str | None, found: dict[str, Any], left: Iterator[str]) -> None:
    if one.kind is bool:
        if text is not None:
            raise WrongWords(f"option {flag} takes no value")
        found[one.name] = one.flags[flag]
        return
    text = next(left, None) if text is None else text
    if text is None:
        raise WrongWords(f"option {flag} needs a value")
    value = one.read(text)
    found[one.name] = [*found.get(one.name, ()), value] if one.many else value


def _put_arguments(parameters: Sequence[Parameter], words: list[str], found: dict[str, Any]) -> None:
    """Enter positional arguments; one that takes several gets all that are left."""
    for one in parameters:
        if isinstance(one.declared, Argument) and words:
            taken, words = (words, []) if one.many else (words[:1], words[1:])
            values = [one.read(word) for word in taken]
            found[one.name] = values if one.many else values[0]
    if words:
        raise WrongWords(f"unexpected words: {' '.join(words)}")


def _expanded(word: str) -> list[str]:
    """Return the files that a pattern names on Windows, where no shell does so; any other word as it is."""
    if os.name != "nt" or Path(word).exists():
        return [word]
    return glob.glob(word) or [word]  # noqa: PTH207 -- of absolute patterns too
