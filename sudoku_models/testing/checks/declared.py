"""What a backend declares: features, kinds, options, and maps between the model's variables and its engine's terms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...engine.contract import Feature
from ...engine.registry import names, parse_options
from ...engine.road import prepare
from ...errors import BadOption, Unsupported
from ...model import AllDifferent, Constraint, InDomain, Model, Variable, brute_force
from ..subject import Kind, NotApplicable, Subject, check, raises, require


@check()
def undeclared_features(subject: Subject) -> None:
    """A request for a feature that the backend does not declare raises Unsupported."""
    model, _ = subject.small()
    for feature, request in (
        (Feature.ENUMERATE, {"limit": 2}),
        (Feature.ENUMERATE, {"limit": None}),
        (Feature.SEED, {"seed": 1}),
        (Feature.WORKERS, {"workers": 2}),
        (Feature.TRACE, {"trace": lambda _: False}),
    ):
        if not subject.has(feature):
            raises(Unsupported, f"{subject.selection}, {feature}", partial(subject.first, model, **request))
        else:
            require(subject.first(model, **request)[0], f"{feature} is declared, {request} finds nothing")


@check()
def undeclared_constraints(subject: Subject) -> None:
    """A kind of constraint without rewrites raises Unsupported, naming the kind."""
    x = Variable("x", (1, 2))
    said = raises(Unsupported, "an unknown kind", lambda: subject.first(Model([x], [_Unheard("x")])))
    require("_Unheard" in said, f"the message does not name the constraint: {said}")


@dataclasses.dataclass(frozen=True)
class _Unheard(Constraint):
    """A kind that neither a backend nor a rewrite knows; it always holds."""

    x: str

    def variables(self) -> tuple[str, ...]:
        return (self.x,)

    def holds(self, values: Any) -> bool:
        return True


Constraint.kinds.pop("_Unheard", None)


def _one_value_left() -> list[Model]:
    return [Model([Variable("x", (1, 2, 3))], [InDomain("x", (1, 3))])]


@check(on=_one_value_left)
def declared_kinds(subject: Subject) -> None:
    """Each declared constraint is accepted as it is, without a rewrite."""
    kinds = subject.selection.capabilities.kinds
    require(kinds, "no kind of constraint is declared")
    if InDomain in kinds:
        subject.agrees(_one_value_left()[0])


@check()
def unknown_options(subject: Subject) -> None:
    """Unknown options and values raise BadOption, which lists the known ones."""
    backend = subject.selection.backend
    fields = [field for field in dataclasses.fields(backend.Options) if "engine" not in field.metadata]
    _refused(backend, "no_such_option=1", [field.name for field in fields])
    _refused(backend, "no_such_option", [])
    for field in fields:
        choices = [str(choice) for choice in field.metadata.get("choices", ())]
        _refused(backend, f"{field.name}=no such value", [c.lower() if c in ("True", "False") else c for c in choices])
        good = choices[0] if choices else str(field.default).lower()
        _refused(backend, f"{field.name}={good},{field.name}={good}", [])


def _refused(backend: Any, text: str, expected: list[str]) -> None:
    said = raises(BadOption, f"{backend.name}:{text}", lambda: parse_options(backend, text))
    missing = [word for word in expected if word not in said]
    require(not missing, f"{backend.name}:{text}: the message does not name {missing}: {said}")


@check()
def described(subject: Subject) -> None:
    """Name, specification and install command are declared; the specification selects the same backend again."""
    backend = subject.selection.backend
    require(backend.name and " " not in backend.name, f"{backend.name!r} is not a name")
    capabilities = backend.capabilities_with(backend.Options())
    require(capabilities.kinds == backend.capabilities.kinds, "capabilities differ from those with default options")
    needs = (*capabilities.requires, *capabilities.programs)
    require(not needs or capabilities.install, "an engine is required, but how to install it is not declared")
    require(hash(backend.Options()) == hash(backend.Options()), "options have no hash")
    if backend.name in names():
        again = Subject.of(str(subject.selection)).selection
        require(again == subject.selection, f"{subject.selection} is read back as {again}")


Pair = tuple[str, int]
"""A variable's name and a value."""

FEW = 16
"""The most candidates of a model to try; of a larger one some are taken, evenly spaced."""


@check()
def maps_or_reasons(subject: Subject) -> None:
    """The maps of a compiled form are the same for equal models, or refused with the reason.

    Unknown names are reported. A form without maps (``CompiledBase`` refuses them) is not tested.
    """
    model, _ = subject.small()
    again = Model(model.variables, model.constraints)
    one, two = (_compiled(subject, m) for m in (model, again))
    x = model.names[0]
    for name, known, unknown in (
        ("variable", (x,), [("nowhere",)]),
        ("literal", (x, model.domains[x][0]), [("nowhere", 1), (x, 99)]),
    ):
        if not hasattr(one, name):
            continue
        maps = [getattr(compiled, name) for compiled in (one, two)]
        found = [repr(_or_reason(subject, f"{name}{known}", partial(ask, *known))) for ask in maps]
        require(found[0] == found[1], f"{name}{known} is not twice the same: {found}")
        for wrong in unknown if found[0] != "None" else ():
            said = raises(KeyError, f"{name}{wrong}", partial(maps[0], *wrong))
            require("nowhere" in said or "99" in said, f"{name}{wrong}: {said} does not say what is unknown")


@check()
def maps_lead_both_ways(subject: Subject) -> None:
    """The engine's answers to its own model decode to solutions; a literal is true exactly if its variable has the
    value.
    """
    model, _ = subject.small()
    native = _Native.of(subject, model)
    native.asked()
    x = model.names[0]
    if not native.has(x, model.domains[x][0]):
        return
    pairs = [(name, value) for name in model.names for value in model.domains[name]]
    for pair in subject.part(pairs[:: max(1, len(pairs) // FEW)]):
        native.asked(true=[pair])
        native.asked(false=[pair])
    values = [pair for pair in pairs if pair[0] == x]
    native.asked(true=values[:2], possible=False)
    native.asked(false=values, possible=False)


def _decided() -> list[Model]:
    xs = [Variable("x", (1, 2, 3)), Variable("y", (2,)), Variable("z", (0, 1))]
    return [Model(xs, [InDomain("x", (1, 2)), AllDifferent(xs[:2])])]


@check(on=_decided)
def maps_of_what_is_decided(subject: Subject) -> None:
    """If constraints alone determine a value, its literal is correct too, or refused with the reason."""
    (model,) = _decided()
    native = _Native.of(subject, model)
    native.asked()
    truth = [dict(zip(model.names, row, strict=True)) for row in brute_force(model)]
    for x, value in subject.part([(name, value) for name in model.names for value in model.domains[name]]):
        if native.has(x, value):
            found = {row[x] == value for row in truth}
            native.asked(true=[(x, value)], possible=True in found)
            native.asked(false=[(x, value)], possible=False in found)


@dataclasses.dataclass(frozen=True)
class _Native:
    """A compiled model and a function that asks its engine about copies of the native one."""

    subject: Subject
    model: Model
    compiled: Any
    solve: Callable[[Any, Sequence[Any], Sequence[Any]], Any]

    @classmethod
    def of(cls, subject: Subject, model: Model) -> _Native:
        """Compile a model; NotApplicable if the suite does not know how to ask the engine."""
        if subject.solve_native is None:
            raise NotApplicable(Kind.FEATURE, "solve_native, which asks the engine itself, is not defined")
        return cls(subject, model, _compiled(subject, model), subject.solve_native)

    def has(self, x: str, value: int) -> bool:
        """Return whether there is a literal for a value; AssertionError if it is refused without a reason."""
        return _or_reason(self.subject, f"literal{x, value}", lambda: self.compiled.literal(x, value)) is not None

    def asked(self, true: Sequence[Pair] = (), false: Sequence[Pair] = (), possible: bool = True) -> None:
        """Ask for an answer in which some literals are true and others false, and check the decoded values."""
        label = f"{self.subject.selection}, native, with {list(true)}, without {list(false)}: "
        wanted, unwanted = ([self.compiled.literal(*pair) for pair in pairs] for pairs in (true, false))
        answer = self.solve(self.compiled.native, wanted, unwanted)
        require((answer is not None) == possible, f"{label}the engine answers {answer}")
        values = {} if answer is None else _or_reason(self.subject, "decode", lambda: self.compiled.decode(answer))
        if values:
            require(values.keys() >= set(self.model.names), f"{label}{values} lacks a variable")
            held = all(values[x] == v for x, v in true) and all(values[x] != v for x, v in false)
            require(held and self.model.holds(values), f"{label}{values} is no such solution")
        self.subject.ran += 1


def _compiled(subject: Subject, model: Model) -> Any:
    return prepare(model, subject.selection).compiled


def _or_reason(subject: Subject, what: str, ask: Callable[[], Any]) -> Any:
    """Return the result of a map, None if it is refused with a reason; AssertionError for any other error."""
    try:
        return ask()
    except Unsupported as refusal:
        require(len(str(refusal)) > 10, f"{subject.selection}: {what} is refused without a reason")
        return None
    except Exception as error:
        raise AssertionError(f"{subject.selection}: {what} raises {error!r}: Unsupported is expected") from error
