"""The one parser of the command line: how commands declare their options, and how words become their values.

A command is a function. The names, types and defaults of its options are those of its parameters; their flags and help
stand in its docstring, behind its description, one after the other::

    Limits:
    --time-limit -t SECONDS  Give up after this number of seconds. [default: none]

A heading names a group of options in the help. ``<name> FILE  ...`` describes an argument. A parameter whose type is a
dataclass stands for one parameter for each of its fields, so that commands share options; what neither docstring
describes is described in ``COMMON``.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cached_property
from importlib import import_module
from inspect import Parameter as Signed
from inspect import getdoc, signature
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ..dataclass import dataclass
from ..errors import SudokuModelsError, meant
from .codes import Code

PROGRAM = "sudoku-models"
NEEDED = object()
"""The default of a parameter that must be given."""

COMMON = """
<files> [FILE]...  Files of puzzles, plain, gzip or zstd; or a puzzle as a link or text; - is standard input.
    [default: -]
--backend -b NAME[:KEY=VALUE,...]  The backend, with its options; auto chooses one. The command backends lists them all.
--assume-unique  Allow steps that assume a unique solution; each of them says so.
--seed -s NUMBER  The seed of all random choices; the same seed gives the same output.
--workers -w NUMBER  The number of threads; the output does not depend on it.
--number -n NUMBER  The number of puzzles or boards to make.
--verbose -v  Report on standard error how each answer was found.
Input:
--side NUMBER  The number of rows of the board.
Limits:
--time-limit SECONDS  Give up on a puzzle after this number of seconds.
--memory-limit SIZE  Give up on a puzzle if its engine's process takes more memory than this, such as 500M or 2G.
--jobs -j NUMBER  The number of puzzles solved at the same time, each in a separate process.
Output:
--out --output -o FILE  Write to this file instead of standard output; the file is replaced once everything is done.
--to -t FORMAT  The output format of boards. [default: that of the file's ending, or line; with rules that a line cannot
    hold, that in which the board was read, iss or json]
"""
"""The options that commands have in common."""


class WrongWords(SudokuModelsError):
    """Raised for words that a command does not understand."""


class Given(frozenset[str]):
    """The names of the parameters that stand on the command line; a command may ask for them."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a command: how it is described, the type of one value and what reads it, and its default.

    ``names`` are its flags (none: an argument), ``metavar`` is the name of its value, ``group`` that of the options
    around it. What reads a value raises ValueError for a text that the option does not accept.
    """

    name: str
    names: tuple[str, ...]
    metavar: str = ""
    help: str = ""
    group: str = "Options"
    kind: Any = bool
    default: Any = False
    read_value: Callable[[str], Any] | None = None
    many: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it accepts; empty if it takes other values."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @cached_property
    def flags(self) -> Mapping[str, bool]:
        """The names of an option, with the value that each stands for if it takes none."""
        return {flag: not place for name in self.names for place, flag in enumerate(name.split("/"))}

    @property
    def is_argument(self) -> bool:
        """Return whether it has no flags."""
        return not self.names

    @property
    def title(self) -> str:
        """The name in messages."""
        return f"argument {self.metavar}" if self.is_argument else f"option {' or '.join(self.flags)}"

    def read(self, text: str) -> Any:
        """Return the value of a text; raise WrongWords if it is none."""
        try:
            if self.choices and text not in self.choices:
                raise ValueError(f"{text!r}: one of {', '.join(self.choices)} is expected{meant(text, self.choices)}")
            reader = self.read_value or (whole() if self.kind is int else str if self.choices else self.kind)
            return reader(text)
        except ValueError as error:
            raise WrongWords(f"{self.title}: {error}") from None


def whole(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """Return what reads a whole number within bounds."""
    wanted = "a whole number" + ("" if least is None else f" of at least {least}" if most is None else "")
    wanted += "" if most is None else f" from {least} to {most}"

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
            raise ValueError(f"{text[:40]!r}: {wanted} is expected")
        number = int(text)
        if (least is not None and number < least) or (most is not None and number > most):
            raise ValueError(f"{text}: {wanted} is expected")
        return number

    return read


_LINE = re.compile(r"(?P<names>(?:-|<)\S+(?: -\S+)*)(?: (?P<metavar>\S+(?: \S+)*))?  (?P<help>.*)")


def described(doc: str) -> tuple[str, dict[str, Parameter]]:
    """Return the description in a docstring, and its options by the names of their parameters."""
    text, found, group, last = list[str](), dict[str, Parameter](), "Options", ""
    for line in doc.splitlines():
        if re.fullmatch(r"[A-Z]\w+:", line):
            group = line[:-1]
        elif match := _LINE.fullmatch(line):
            names, metavar = match["names"].split(), match["metavar"] or ""
            last = names[0].strip("<>-").split("/")[0].replace("-", "_")
            flags = () if names[0][0] == "<" else tuple(names)
            found[last] = Parameter(last, flags, metavar, match["help"], group)
        elif found and line.startswith(" "):
            found[last] = replace(found[last], help=f"{found[last].help} {line.strip()}")
        else:
            text.append(line)
    return "\n".join(text).strip(), found


class Command:
    """A command: a function with described parameters, its group in the help, and an example."""

    def __init__(self, function: Callable[..., Code], group: str, example: str) -> None:
        if group not in GROUPS:  # the help would leave it out
            raise ValueError(f"{group!r} is not a group of commands: one of {', '.join(GROUPS)} is expected")
        self.function, self.group, self.example = function, group, example
        self.name = function.__name__.strip("_").replace("_", "-")

    @property
    def text(self) -> str:
        """The description in the help."""
        return described(getdoc(self.function) or "")[0]

    @property
    def usage(self) -> str:
        """The usage in the help and in messages."""
        places = [
            f"{one.metavar}{'...' if one.many and '...' not in one.metavar else ''}"
            for one in self.parameters
            if one.is_argument
        ]
        return " ".join([f"Usage: {PROGRAM} {self.name} [OPTIONS]", *places])

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The parameters in the order of the help; those of a dataclass stand in its place."""
        words = {**described(COMMON)[1], **described(getdoc(self.function) or "")[1]}
        found = [one for signed in self._signed for one in _parameters(*signed, words)]
        return [*found, *_parameters("verbose", bool, False, words)]

    @cached_property
    def _signed(self) -> list[tuple[str, Any, Any]]:
        """The parameters of the function: name, type, default."""
        hints = get_type_hints(self.function, include_extras=True)
        signed = signature(self.function).parameters.items()
        return [(name, hints[name], NEEDED if one.default is Signed.empty else one.default) for name, one in signed]

    def __call__(self, values: Mapping[str, Any], given: Given) -> Code:
        """Run the command with a value for each parameter."""
        arguments: dict[str, Any] = {}
        for name, hint, _ in self._signed:
            if is_dataclass(hint):
                arguments[name] = hint(**{field.name: values[field.name.strip("_")] for field in fields(hint)})  # type: ignore[operator]
            else:
                arguments[name] = given if hint is Given else values[name.strip("_")]
        return self.function(**arguments)


def _parameters(name: str, hint: Any, default: Any, words: Mapping[str, Parameter]) -> Iterator[Parameter]:
    """Yield the parameters that a parameter of a function stands for."""
    if hint is Given:
        return
    if is_dataclass(hint):
        own = {**words}
        for kind in reversed(hint.__mro__[:-1]):  # type: ignore[union-attr]
            own |= described(getdoc(kind) or "")[1] if "__doc__" in vars(kind) else {}
        types = get_type_hints(hint, include_extras=True)
        for field in fields(hint):
            default = NEEDED if field.default is MISSING else field.default
            yield from _parameters(field.name, types[field.name], default, own)
        return
    name = name.strip("_")  # as in from_: a word of Python
    kind = next((one for one in get_args(hint) if one is not NoneType), hint) if NoneType in get_args(hint) else hint
    many = get_origin(kind) is list
    kind = get_args(kind)[0] if many else kind
    reader = None
    if get_origin(kind) is Annotated:
        kind, reader = get_args(kind)
    plain = words.get(name) or Parameter(name, (f"--{name.replace('_', '-')}",))
    yield replace(plain, kind=kind, default=default, read_value=reader, many=many)


USAGE = f"Usage: {PROGRAM} [OPTIONS] COMMAND [ARGS]..."
ASKED = ("--help", "-h")
OPTIONS = [
    Parameter(flag.strip("-").replace("-", "_"), (flag,), "", text)
    for flag, text in {
        "--version": "Print the version and exit.",
        "--install-completion": "Let your shell (bash, zsh, fish) complete commands.",
        "--show-completion": "Print the script for your shell that does so.",
    }.items()
]
"""The usage, and the options, of the program itself."""


def command(group: str, example: str) -> Callable[[Callable[..., Code]], Command]:
    """Declare a function as a command of a group, with an example of its use (without the name of the program)."""
    return lambda function: Command(function, group, example)


GROUPS = ("Solve", "Why", "Make", "Prove", "Compare", "Files")
"""The groups of the help, in its order."""

MODULES = {
    "solve": ("solve", "count", "candidates", "validate"),
    "why": ("explain", "hint", "path", "rate"),
    "generate": ("generate", "grids", "jigsaw", "statistics", "dataset", "set"),
    "boards": (
        *("complete", "minimise", "redundant", "unavoidable", "clues-needed", "search", "traces"),
        *("canonical", "automorphisms", "same", "morph", "augment", "verify"),
    ),
    "certify": ("certify", "check"),
    "compare": ("compare",),
    "backends": ("backends", "plan"),
    "files": ("convert", "export", "inspect", "page", "merge"),
}
"""The modules in which commands stand, in the order of the help."""

HOMES = {name: module for module, names in MODULES.items() for name in names}


def command_named(name: str) -> Command:
    """Return a command; its module is loaded when it is needed."""
    there = vars(import_module(f".{HOMES[name]}", __package__)).values()
    return next(one for one in there if isinstance(one, Command) and one.name == name)


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
        if one.is_argument and words:
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
