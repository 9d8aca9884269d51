"""The public surface is what ``surface.txt`` says: nothing that users call goes or changes by accident.

A change on purpose is written down with ``python -m tests.test_surface`` and named in the changelog.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from difflib import unified_diff
from enum import Enum
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sudoku_models.cli.codes import OF_REASONS, OF_STATUS, Code
from sudoku_models.cli.parser import HOMES, NEEDED, command_named
from sudoku_models.exports import FORMATS as EXPORTS
from sudoku_models.formats import FORMATS

ROOT = Path(__file__).parents[1]
KEPT = Path(__file__).with_name("surface.txt")
ANEW = "python -m tests.test_surface"
PACKAGES = (
    "",
    *("bulk", "collection", "compare", "compare.report", "compare.statistics", "display", "display.svg", "engine"),
    *("explain", "explain.classic", "exports", "formats", "grids", "lowering", "make", "model", "page", "prove"),
    *("puzzle", "puzzle.rules", "testing", "widget"),
)
"""The packages whose ``__all__`` is public, without the leading name."""
STATED = {"Rule", "Constraint"}
"""Bases of data that users state: of what derives from them the fields are public, the methods are the base's."""
UNSEEN = " (cannot be loaded here)"


def surface() -> Iterator[str]:
    """Yield the lines of the surface, in sections."""
    seen: set[str] = set()
    for package in PACKAGES:
        yield from _section(f"names in {_path(package)}", _named(_path(package), seen))
    yield from _section("names that the reference shows besides", _of_the_reference(seen))
    yield from _section("names that pages and notebooks import from elsewhere", _of_pages())
    for name in HOMES:
        yield from _section(f"sudoku-models {name}", _options(name))
    yield from _section("formats", map(_format, FORMATS.values()))
    yield from _section("exports", (f"{name}: {export.title}" for name, export in EXPORTS.items()))
    yield from _section("exit codes", (f"{code.value} {code.name}" for code in Code))
    yield from _section("exit codes of statuses", (f"{status}: {int(code)}" for status, code in OF_STATUS.items()))
    yield from _section("exit codes of reasons", (f"{reason}: {int(code)}" for reason, code in OF_REASONS.items()))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shipped = project["entry-points"]["sudoku_models.backends"].items()
    yield from _section("backends", chain.from_iterable(_backend(*entry) for entry in shipped))
    yield from _section("extras", sorted(project["optional-dependencies"]))


def _path(package: str) -> str:
    return ".".join(filter(None, ("sudoku_models", package)))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"[{title}]"
    yield from lines
    yield ""


def _named(module: str, seen: set[str]) -> Iterator[str]:
    for name in sorted(_listed(module)):
        seen.add(name)
        yield from _lines(name, lambda name=name: getattr(import_module(module), name))


def _listed(module: str) -> list[str]:
    """Return the ``__all__`` of a package as its text says: what it imports may lack an optional package."""
    text = ROOT.joinpath(*module.split("."), "__init__.py").read_text("utf-8")
    found = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return next(ast.literal_eval(node.value) for node in found if ast.unparse(node.targets[0]) == "__all__")


def _of_the_reference(seen: set[str]) -> Iterator[str]:
    shown = {
        found
        for page in (ROOT / "docs" / "reference").glob("*.md")
        for found in re.findall(r"^::: (\S+)\.(\w+)$", page.read_text("utf-8"), re.MULTILINE)
    }
    for name, home in sorted((name, home) for home, name in shown if name not in seen):
        yield from _lines(name, lambda home=home, name=name: _found(home, name))


def _found(home: str, name: str) -> Any:
    there = import_module(home)
    return getattr(there, name) if hasattr(there, name) else import_module(f"{home}.{name}")


def _of_pages() -> list[str]:
    public = {_path(package) for package in PACKAGES}
    return sorted({f"{home}: {name}" for home, name in _imports() if home not in public})


def _imports() -> Iterator[tuple[str, str]]:
    pages = chain([ROOT / "README.md"], (ROOT / "docs").glob("**/*.md"))
    texts = [
        code for page in pages for code in re.findall(r"```python.*?\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    ]
    for book in (ROOT / "notebooks").glob("*.ipynb"):
        texts += ["".join(cell["source"]) for cell in json.loads(book.read_text("utf-8"))["cells"]]
    for statement in re.findall(
        r"^ *(from sudoku_models[\w.]* import (?:\([^)]*\)|.*))", "\n".join(texts), re.MULTILINE
    ):
        for found in ast.walk(ast.parse(statement)):
            if isinstance(found, ast.ImportFrom):
                yield from ((str(found.module), alias.name) for alias in found.names)


def _lines(name: str, get: Callable[[], Any]) -> Iterator[str]:
    try:
        found = get()
    except ImportError:
        yield name + UNSEEN
        return
    if not isinstance(found, type):
        yield _one(name, found)
        return
    yield name if issubclass(found, Enum) else f"{name}{_constructor(found)}"
    if not any(base.__name__ in STATED for base in found.__mro__[1:]):
        yield from (f"    {line}" for line in sorted(_members(found)))


def _one(name: str, found: Any) -> str:
    if inspect.isroutine(found):
        return f"{name}{_signature(found)}"
    if isinstance(found, Mapping):
        return f"{name}: {', '.join(sorted(map(_text, found)))}"
    if inspect.ismodule(found):
        return (
            f"{name}: {', '.join(one for one, value in sorted(vars(found).items()) if _defined_in(found, one, value))}"
        )
    return f"{name} = {_text(found)}" if isinstance(found, str | int | float | tuple) else name


def _defined_in(module: ModuleType, name: str, value: Any) -> bool:
    return name[0] != "_" and callable(value) and getattr(value, "__module__", None) == module.__name__


def _constructor(kind: type) -> str:
    own = [base for base in kind.__mro__ if _ours(base) and {"__init__", "__new__"} & vars(base).keys()]
    made = own and any(_ours(vars(own[0]).get(name)) for name in ("__init__", "__new__"))
    return _signature(kind) if made or is_dataclass(kind) else ""


def _ours(thing: Any) -> bool:
    """Whether a class or function is of this project; functions that dataclasses make are of the class's module."""
    return str(getattr(thing, "__module__", "")).startswith(("sudoku_", "tests."))


def _members(kind: type) -> Iterator[str]:
    mine = [base for base in kind.__mro__ if _ours(base)]
    named = {name for base in mine for name in (*vars(base), *inspect.get_annotations(base)) if name[0] != "_"}
    for name in named:
        found = inspect.getattr_static(kind, name, None)
        if isinstance(found, Enum):
            yield f"{name} = {found.value!r}"
        elif inspect.isroutine(inner := getattr(found, "__func__", found)) and callable(inner):
            yield f"{name}{_signature(inner)}"
        else:
            yield name


def _signature(found: Callable[..., Any]) -> str:
    """Return the parameters with their defaults; types are left to the type checker."""
    try:
        signature = inspect.signature(found)
    except ValueError:
        return "(...)"
    bare = [one.replace(annotation=one.empty, default=_default(one)) for one in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


class _Shown(str):
    """A text whose ``repr`` is the text."""

    def __repr__(self) -> str:
        return str(self)


def _default(parameter: inspect.Parameter) -> Any:
    return parameter.empty if parameter.default is parameter.empty else _Shown(_text(parameter.default))


def _text(value: Any) -> str:
    """Return a value as text that is the same in every process and version of Python."""
    if isinstance(value, Enum):
        return repr(value.value)
    if inspect.isroutine(value) or isinstance(value, type):
        return str(value.__name__)
    if isinstance(value, frozenset | set):
        return f"{{{', '.join(sorted(map(_text, value)))}}}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_text, value))})"
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _options(name: str) -> Iterator[str]:
    for parameter in command_named(name).parameters:
        default = "" if parameter.default is NEEDED else f" = {_text(parameter.default)}"
        if parameter.is_argument:
            yield f"{parameter.name.upper()}{default}"
        else:
            names = "/".join(parameter.names)
            choices = f" <{'|'.join(parameter.choices)}>" if parameter.choices else ""
            yield f"{names}{choices}{default}"


def _format(form: Any) -> str:
    ways = " and ".join(way for way, there in (("read", form.reads), ("written", form.writes)) if there)
    holds = f"; holds {', '.join(sorted(form.holds))}" if form.holds else ""
    return f"{form.name}: {ways}; {' '.join(form.extensions) or 'no suffix'}{holds}"


def _backend(name: str, place: str) -> Iterator[str]:
    module, _, attribute = place.partition(":")
    backend = getattr(import_module(module), attribute)  # loads without its engine
    yield f"{name}: {', '.join(sorted(map(str, backend.capabilities.features)))}"
    for field in fields(backend.Options):
        choices = field.metadata.get("choices")
        yield f"    {field.name}={_text(field.default)}{f' of {_text(tuple(choices))}' if choices else ''}"


def differences(kept: list[str], found: list[str]) -> list[str]:
    """Return what differs, without the names that lack an optional package here and all that belongs to them."""
    unseen = {line.removesuffix(UNSEEN) for line in found if line.endswith(UNSEEN)}
    compared = unified_diff(list(_without(unseen, kept)), list(_without(unseen, found)), n=0, lineterm="")
    return [line for line in compared if not line.startswith(("---", "+++", "@@"))]


def _without(unseen: set[str], lines: list[str]) -> Iterator[str]:
    left_out = False
    for line in lines:
        left_out = left_out if line.startswith("    ") else re.split(r"[(: ]", line)[0] in unseen
        if not left_out:
            yield line


def test_import_of_the_package_reaches_all_packages_in_it() -> None:
    reached = ", ".join(f"sm.{package}" for package in PACKAGES if package and "." not in package)
    subprocess.run([sys.executable, "-c", f"import sudoku_models as sm; {reached}"], check=True)


def test_the_surface_is_the_one_that_was_written_down() -> None:
    # In a process of its own: rules that other tests define have places too.
    found = subprocess.run([sys.executable, "-m", "tests.test_surface", "-"], cwd=KEPT.parents[1], capture_output=True)
    assert not found.returncode, found.stderr.decode()
    changed = differences(KEPT.read_text("utf-8").splitlines(), found.stdout.decode("utf-8").splitlines())
    how = f"if that is on purpose: {ANEW}, and say it in the changelog"
    assert not changed, "\n".join([f"the public surface differs (- was, + is); {how}", *changed])


def test_a_name_that_goes_or_changes_is_seen() -> None:
    kept = KEPT.read_text("utf-8").splitlines()
    solve = next(line for line in kept if line.startswith("solve("))
    other = [line.replace("backend=", "engine=") if line == solve else line for line in kept if line != "SOLVED"]
    assert differences(kept, other) == [f"-{solve}", f"+{solve.replace('backend=', 'engine=')}"]
    assert differences(kept, [f"solve{UNSEEN}" if line == solve else line for line in kept]) == []


@pytest.mark.parametrize(
    "package", ["", "bulk", "compare", "explain", "formats", "make", "prove", "puzzle.rules", "testing"]
)
def test_completion_finds_the_public_names_of_a_package(package: str) -> None:
    module = import_module(f"sudoku_models.{package}".rstrip("."))
    assert set(module.__all__) <= set(dir(module))


if __name__ == "__main__":
    written = "\n".join(surface()) + "\n"
    if "-" in sys.argv:
        sys.stdout.buffer.write(written.encode("utf-8"))
    else:
        KEPT.write_text(written, encoding="utf-8")
