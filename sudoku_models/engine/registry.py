"""Find backends by name: through entry points, loaded on demand, with their options parsed and checked."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, reduce
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

from ..dataclass import dataclass
from ..errors import BackendMissing, BadOption, Unsupported, meant
from .contract import Backend, Capabilities, Feature

GROUP = "sudoku_models.backends"
"""The entry points under which packages register backends."""

PREFERENCES, ON_HOUSES = "sudoku_models.auto", "sudoku_models.auto.houses"
"""The entry points whose names are a backend's preference and its name, such as ``10-native``; those of the second
group count for models with houses alone. Numbers are in names so that no adapter is loaded only to read its number.
"""

PATIENCE = 5_000_000
"""How often an engine with patience may look at a constraint, for each solution, before it gives up: half a second."""

COMBINED = ("portfolio", "relay")
"""Backends made of others: side by side, or in turn."""


@dataclass(frozen=True)
class Selection:
    """A backend with its options, as chosen by a specification such as ``pycosat:house=minimal``."""

    backend: Backend
    options: Any

    def __post_init__(self) -> None:
        for option in dataclasses.fields(self.options):
            if "choices" in option.metadata:
                _check_choice(self.backend.name, option, getattr(self.options, option.name))

    @cached_property
    def capabilities(self) -> Capabilities:
        """What the backend can do with these options."""
        return self.backend.capabilities_with(self.options)

    @cached_property
    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults; the members of a combined backend are written out."""
        if self.backend.name in COMBINED:
            return {"members": str(self.options)}
        default = type(self.options)()
        pairs = ((f.name, getattr(self.options, f.name)) for f in dataclasses.fields(self.options))
        return {name: value for name, value in pairs if value != getattr(default, name)}

    @cached_property
    def key(self) -> str:
        """The key of this backend with these options in this process; equal for equal selections."""
        return f"{self.backend.name} {id(self.backend)} {self.options!r}"

    def __str__(self) -> str:
        if self.backend.name in COMBINED:
            return f"{self.backend.name}:{self.options}"
        engine, pairs = _engine_field(self.options), list(self.changed.items())
        named = [pair for key, value in pairs for pair in (value if key == engine else [(key, value)])]
        options = ",".join(f"{key}={option_text(value)}" for key, value in named)
        return f"{self.backend.name}:{options}" if options else self.backend.name


BackendLike = str | Backend | Selection
"""A specification ``name[:key=value,...]``, a backend, or a selection."""


@dataclass(frozen=True)
class Listing:
    """A registered backend; ``backend`` is None when it cannot be loaded, with the reason in ``problem``."""

    name: str
    backend: Backend | None
    problem: str
    install: str


def select(spec: BackendLike) -> Selection:
    """Return the backend and the options of a specification.

    Raises BadOption, with the choices, for an unknown backend, option or value; BackendMissing, with the command that
    installs it, if its engine is not installed.
    """
    if isinstance(spec, Selection):
        return spec
    if not isinstance(spec, str):
        if not hasattr(spec, "Options"):
            raise TypeError(f"{spec!r} is not a backend: its name (name:key=value,...) or a backend itself is expected")
        return Selection(spec, spec.Options())
    return _select_text(spec)


def with_log(spec: str) -> str:
    """Return a specification with the options that make the engine log its search; Unsupported if it has none."""
    log = "" if spec == "auto" else select(spec).capabilities.log
    if not log:
        able = [found.name for found in listings() if found.backend and found.backend.capabilities.log]
        raise Unsupported(f"{spec} has no log of its search to show; {', '.join(able)} have one")
    return spec if log in spec else f"{spec}{',' if ':' in spec else ':'}{log}"


def select_for_comparing(spec: BackendLike) -> Selection:
    """Like ``select``, but an option that is not given has the value ``comparing`` of its metadata.

    Raises the same errors. An option that does an engine's work for it is useful for solving; a comparison of engines
    must request it explicitly.
    """
    selection = select(spec)
    if not isinstance(spec, str):
        return selection
    stated = {part.partition("=")[0].strip() for part in spec.partition(":")[2].split(",")}
    fields = dataclasses.fields(selection.backend.Options)
    changes = {f.name: f.metadata["comparing"] for f in fields if "comparing" in f.metadata and f.name not in stated}
    if not changes:
        return selection
    options: Any = selection.options
    return Selection(selection.backend, dataclasses.replace(options, **changes))


def names() -> list[str]:
    """Return the names of all registered backends."""
    return sorted(_entry_points())


@lru_cache(maxsize=2)
def ranked(houses: bool = False) -> tuple[str, ...]:
    """Return the backends with a preference, installed or not, in the order in which ``auto`` asks them.

    ``houses``: in the order for models of houses alone.
    """
    numbers = _preferences(PREFERENCES) | (_preferences(ON_HOUSES) if houses else {})
    return tuple(sorted(numbers.keys() & _entry_points().keys(), key=lambda name: (numbers[name], name)))


def _preferences(group: str) -> dict[str, int]:
    named = (entry.split("-", 1) for entry in entries_of(group))
    return {name: int(number) for number, name in named}


def is_patient(name: str) -> bool:
    """Return whether a backend gives up after an amount of work that its option ``patience`` states."""
    with suppress(BackendMissing, BadOption):
        backend = load(name)
        return Feature.PATIENCE in backend.capabilities.features and hasattr(backend.Options, "patience")
    return False


def declaring(name: str, needs: frozenset[Feature], patience: int) -> Selection:
    """Return an installed backend, with ``patience`` if it has that; Unsupported if it does not declare features."""
    options = f"patience={patience}" if is_patient(name) else load(name).capabilities.chosen_with
    selection = select(f"{name}:{options}" if options else name)
    if undeclared := needs - selection.capabilities.features:
        raise Unsupported(f"it does not declare {', '.join(sorted(undeclared))}")
    if not selection.capabilities.preferred:
        raise Unsupported("it would be slow here")
    return selection


def installed(names: Iterable[str], needs: frozenset[Feature] = frozenset()) -> Iterator[Selection]:
    """Yield the given backends that are installed and declare the features; what has patience, with patience."""
    for name in names:
        with suppress(BackendMissing, BadOption, Unsupported):
            yield declaring(name, needs, PATIENCE)


def is_ours(selection: Selection) -> bool:
    """Return whether a backend belongs to this package: others might print something or exit the program."""
    return type(selection.backend).__module__.startswith(("sudoku_backends.", "sudoku_models."))


def listings() -> Iterator[Listing]:
    """List every registered backend, including those that cannot be loaded."""
    for name in names():
        try:
            backend = load(name)
        except BackendMissing as error:
            yield Listing(name, None, str(error), "")
            continue
        absent = missing(backend)
        problem = f"{', '.join(absent)} is not installed" if absent else ""
        yield Listing(name, backend, problem, install_command(backend))


def load(name: str) -> Backend:
    """Import the adapter of a registered backend; its engine may still be missing."""
    entry = _entry_points().get(name)
    if entry is None:
        near = next((f"; {spec} runs that program" for spec in _running(name)), "") or meant(name, names())
        raise BadOption(f"there is no backend {name!r}: {', '.join(names())} are known{near}")
    try:
        backend: Backend = entry.load()
    except ImportError as error:
        raise BackendMissing(f"the backend {name} cannot be loaded: {error}") from error
    return backend


def _running(program: str) -> Iterator[str]:
    """Yield the backends with an option that runs this program: one named in the option's metadata."""
    for listing in listings():
        for option in dataclasses.fields(listing.backend.Options) if listing.backend else ():
            if program in option.metadata.get("programs", ()):
                yield f"{listing.name}:{option.name}={program}"


def missing(backend: Backend, options: Any = None) -> list[str]:
    """Return the modules and programs that a backend's engine needs and that are not installed.

    ``options`` may need another program than the default options do.
    """
    needs = backend.capabilities_with(backend.Options() if options is None else options)
    return lacking(needs.requires, needs.programs)


def lacking(modules: Iterable[str], programs: Sequence[str] = ()) -> list[str]:
    """Return which modules, and which programs on the path, are not installed."""
    absent = [module for module in modules if find_spec(module) is None]
    if not programs:
        return absent
    from shutil import which

    return absent + [f"the program {program}" for program in programs if which(program) is None]


def install_command(backend: Backend) -> str:
    """Return the command that installs a backend's engine; empty when it needs none."""
    needs = backend.capabilities
    return f"pip install '{needs.install}'" if needs.install and not needs.programs else needs.install


@lru_cache(maxsize=256)
def _select_text(spec: str) -> Selection:
    name, _, options = spec.partition(":")
    if name.strip() in COMBINED:
        from .combined import PORTFOLIO, RELAY

        return {"portfolio": PORTFOLIO, "relay": RELAY}[name.strip()].of(options)
    backend = load(name.strip())
    chosen = parse_options(backend, options)
    if absent := missing(backend, chosen):
        raise BackendMissing(f"{name} needs {', '.join(absent)}: {install_command(backend)}")
    return Selection(backend, chosen)


def _entry_points() -> dict[str, Registered]:
    return entries_of(GROUP)


def parse_options(backend: Backend, text: str) -> Any:
    """Parse ``key=value,key=value`` as the backend's options; BadOption, with the choices, for an unknown one."""
    fields = {field.name: field for field in dataclasses.fields(backend.Options)}
    engine, found = _engine_field(backend.Options), dict[str, Any]()
    fields.pop(engine or "", None)
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = part.partition("=")
        if engine and equals and key not in fields:
            if key in dict(found.get(engine, ())):
                raise BadOption(f"{backend.name}: the option {key} appears twice")
            found[engine] = (*found.get(engine, ()), (key, value))  # the options check that the engine has it
            continue
        if key not in fields or not equals:
            known = ", ".join(fields) or "none"
            near = meant(key, set(fields) - {key})
            raise BadOption(
                f"{backend.name}: {part!r} is not an option (key=value is expected, the keys are: {known}){near}"
            )
        if key in found:
            raise BadOption(f"{backend.name}: the option {key} appears twice")
        found[key] = _value(backend.name, fields[key], value)
    try:
        return backend.Options(**found)
    except BadOption as error:  # it may not name the backend
        raise BadOption(f"{backend.name}: {str(error).removeprefix(f'{backend.name}: ')}") from None


def _engine_field(options: Any) -> str | None:
    """Return the option that holds parameters of the engine by name, as pairs of texts; None if there is none."""
    return next((field.name for field in dataclasses.fields(options) if "engine" in field.metadata), None)


def _value(name: str, field: dataclasses.Field[Any], text: str) -> Any:
    choices = field.metadata.get("choices", ())
    if choices:
        found = next((choice for choice in choices if option_text(choice) == text), text)
        return _check_choice(name, field, found)
    kind: Any = str if field.default is None else type(field.default)
    try:
        return _TRUTH[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        wanted = _WANTED.get(kind, f"a value of type {kind.__name__}")
        near = meant(text, ("true", "false")) if kind is bool else ""
        raise BadOption(f"{name}: {field.name}={text}: {wanted} is expected{near}") from None


_TRUTH = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False, "on": True, "off": False}
_WANTED: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number"}


def _check_choice(name: str, field: dataclasses.Field[Any], value: Any) -> Any:
    """Return the value of an option; BadOption if the value is not one of its choices."""
    choices = field.metadata.get("choices", ())
    if choices and value not in choices:
        known = ", ".join(map(option_text, choices))
        near = meant(option_text(value), map(option_text, choices))
        raise BadOption(f"{name}: {field.name}={option_text(value)} is not known: {known}{near}")
    return value


def option_text(value: Any) -> str:
    """Return the value of an option as it stands in a specification."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- entry points of installed packages

_KINDS = (".dist-info", ".egg-info")


@dataclass(frozen=True)
class Registered:
    """A name that a package registers, and the object it refers to, as ``module:attribute``."""

    name: str
    value: str

    def load(self) -> Any:
        """Import the module and return the object; ImportError if that fails, AttributeError if it is missing."""
        return self._object

    @cached_property
    def _object(self) -> Any:
        module, _, attributes = self.value.partition("[")[0].strip().partition(":")
        return reduce(getattr, filter(None, attributes.strip().split(".")), import_module(module.strip()))


def entries_of(group: str) -> dict[str, Registered]:
    """Return the entries that the installed packages register in a group, by name."""
    return _registered().get(group, {})


@lru_cache(maxsize=1)
def _registered() -> dict[str, dict[str, Registered]]:
    """Return the entries in all groups, by group and by name.

    They are read from files, since ``importlib.metadata`` takes longer to load than that; it is asked where a package
    is not in a plain folder.
    """
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    texts = None if any(hasattr(finder, "find_distributions") for finder in others) else _texts()
    found: dict[str, dict[str, Registered]] = {}
    for group, entry in _asked_of_metadata() if texts is None else chain.from_iterable(map(_listed, texts)):
        found.setdefault(group, {})[entry.name] = entry
    return found


def _asked_of_metadata() -> Iterator[tuple[str, Registered]]:
    from importlib import metadata

    points = metadata.entry_points()
    for group in points.groups:
        yield from ((group, Registered(entry.name, entry.value)) for entry in points.select(group=group))


def _texts() -> list[str] | None:
    """Return the files with entries, for each package the first on the path; None if one is not in a plain folder."""
    found: dict[str, str] = {}
    for path in sys.path:
        try:
            folders = sorted(entry.path for entry in os.scandir(path or ".") if entry.name.endswith(_KINDS))
        except FileNotFoundError:
            continue
        except OSError:
            return None
        if path.endswith(".egg"):
            return None
        for folder in folders:
            package = Path(folder).stem.partition("-")[0].lower().replace("_", "-")
            if package not in found:
                found[package] = _text(folder)
    return list(found.values())


def _text(folder: str) -> str:
    try:
        return Path(folder, "entry_points.txt").read_text(encoding="utf-8")
    except OSError:
        return ""


def _listed(text: str) -> Iterator[tuple[str, Registered]]:
    """Yield the entries in such a file, each with its group."""
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            yield group, Registered(name.strip(), value.strip())
