"""Groups of options that several commands share: a parameter of a command is a dataclass of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, get_type_hints

from .codes import Code
from .options import (
    Alphabet,
    Backend,
    Boxes,
    Column,
    Files,
    Guess,
    InputFormat,
    Jobs,
    MemoryLimit,
    ModelFile,
    Seed,
    ShardOf,
    Strict,
    TimeLimit,
    Verbose,
    Workers,
)
from .terminal import set_verbose

if TYPE_CHECKING:
    from .effort import Effort
    from .inputs import Input, Source


@dataclass(frozen=True)
class SourceOptions:
    """Where puzzles come from and how they are read."""

    files: Files = None
    input_format: InputFormat = None
    alphabet: Alphabet = None
    boxes: Boxes = None
    strict: Strict = False
    guess: Guess = False

    def input(self) -> Input:
        """Return the input that reads them."""
        from .inputs import Input

        chosen = {field.name: getattr(self, field.name) for field in fields(Input) if hasattr(self, field.name)}
        return Input(**{**chosen, "files": self.files or ["-"]})


@dataclass(frozen=True)
class Tabular(SourceOptions):
    """A source that may be a table."""

    column: Column = None


@dataclass(frozen=True)
class Sharded(Tabular):
    """A source that may be answered in parts."""

    shard: ShardOf = None


@dataclass(frozen=True)
class PuzzlesOrModel(Sharded):
    """A source that may be a table, or a model in place of puzzles."""

    model: ModelFile = None

    def source(self) -> Source:
        """Return the input; raise UsageError for puzzles together with a model, and for a model that cannot be read."""
        if self.model is None:
            return self.input()
        from .effort import refuse
        from .inputs import ModelInput
        from .models import model_in

        refuse(self.shard is None, "--model and --shard cannot be combined: a model is one row")
        refuse(not self.input().stated, "--model cannot be combined with files of puzzles")
        return ModelInput(self.model, model_in(self.model))


@dataclass(frozen=True)
class ChosenBackend:
    """The backend, its limits, and the number of puzzles solved at the same time."""

    backend: Backend = "auto"
    time_limit: TimeLimit = None
    memory_limit: MemoryLimit = None
    seed: Seed = 0
    workers: Workers = 1
    jobs: Jobs = 1

    def choice(self) -> Effort:
        """Return the choice in the form that batches use."""
        from .effort import Effort

        return Effort(**{field.name: getattr(self, field.name) for field in fields(self)})


def grouped(command: Callable[..., Code]) -> Callable[..., Code]:
    """Make a command that takes each field of its dataclasses as a separate option."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}

    @wraps(command)
    def run(**values: Any) -> Code:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return command(**values)

    shown = signature(command)
    parameters = [one for parameter in shown.parameters.values() for one in _options(parameter, hints)]
    run.__signature__ = shown.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def with_verbose(command: Callable[..., Code]) -> Callable[..., Code]:
    """Make a command that also takes ``--verbose``, and sets up the log before anything else."""

    @wraps(command)
    def run(*, verbose: bool, **values: Any) -> Code:
        set_verbose(verbose)
        return command(**values)

    shown = signature(command)
    last = Parameter("verbose", Parameter.KEYWORD_ONLY, default=False, annotation=Verbose)
    run.__signature__ = shown.replace(parameters=[*shown.parameters.values(), last])  # type: ignore[attr-defined]
    return run


def _options(parameter: Parameter, hints: dict[str, Any]) -> Iterator[Parameter]:
    """Yield the parameter as a keyword; for a dataclass, yield one parameter for each field instead."""
    hint = hints[parameter.name]
    if not is_dataclass(hint):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hint)
        return
    types = get_type_hints(hint, include_extras=True)
    for field in fields(hint):
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=types[field.name])
