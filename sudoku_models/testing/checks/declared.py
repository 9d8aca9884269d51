"""(e) Undeclared features are refused, and declared ones are present."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...engine.contract import Feature
from ...engine.registry import names, parse_options
from ...errors import BadOption, Unsupported
from ...model import Constraint, InDomain, Model, Variable
from ..gap import Kind, NotApplicable
from ..subject import Subject, require
from .conformance_check import checks
from .limits import small


def raises(subject: Subject, error: type[Exception], what: str, model: Model, **request: Any) -> Exception:
    """Return the error that a request raises; AssertionError if it raises nothing."""
    try:
        with subject.run(model, **request) as found:
            next(found, None)
    except error as raised:
        require(str(raised), f"{what}: {error.__name__} without a message")
        return raised
    raise AssertionError(f"{what}: {subject.selection} does not raise {error.__name__}")


def undeclared_features(subject: Subject) -> None:
    """A request for a feature that the backend does not declare raises Unsupported."""
    model, _ = small(subject)
    for feature, request in (
        (Feature.ENUMERATE, {"limit": 2}),
        (Feature.ENUMERATE, {"limit": None}),
        (Feature.SEED, {"seed": 1}),
        (Feature.WORKERS, {"workers": 2}),
        (Feature.TRACE, {"trace": lambda _: False}),
    ):
        if not subject.has(feature):
            raises(subject, Unsupported, str(feature), model, **request)
        else:
            require(subject.first(model, **request)[0], f"{feature} is declared, {request} finds nothing")


def undeclared_constraints(subject: Subject) -> None:
    """A kind of constraint without rewrites raises Unsupported, naming the kind."""
    x = Variable("x", (1, 2))
    raised = raises(subject, Unsupported, "an unknown kind", Model([x], [_Unheard("x")]))
    require("_Unheard" in str(raised), f"the message does not name the constraint: {raised}")


@dataclasses.dataclass(frozen=True)
class _Unheard(Constraint):
    """A kind that neither a backend nor a rewrite knows; it always holds."""

    x: str

    def variables(self) -> tuple[str, ...]:
        return (self.x,)

    def holds(self, values: Any) -> bool:
        return True


Constraint.kinds.pop("_Unheard", None)


def declared_kinds(subject: Subject) -> None:
    """Each declared constraint is accepted as it is, without a rewrite."""
    capabilities = subject.selection.capabilities
    x = Variable("x", (1, 2, 3))
    model = Model([x], [InDomain(x, (1, 3))])
    if capabilities.refuses_model(model):
        raise NotApplicable(Kind.FAMILY, f"{subject.selection}: {capabilities.refuses_model(model)}")
    require(capabilities.kinds, "no kind of constraint is declared")
    if InDomain in capabilities.kinds:
        subject.agrees(model)


def unknown_options(subject: Subject) -> None:
    """Unknown options and values raise BadOption, which lists the known ones."""
    backend = subject.selection.backend
    fields = dataclasses.fields(backend.Options)
    _refused(backend, "no_such_option=1", [field.name for field in fields])
    _refused(backend, "no_such_option", [])
    for field in fields:
        choices = [str(choice) for choice in field.metadata.get("choices", ())]
        _refused(backend, f"{field.name}=no such value", [c.lower() if c in ("True", "False") else c for c in choices])
        good = choices[0] if choices else str(field.default).lower()
        _refused(backend, f"{field.name}={good},{field.name}={good}", [])


def _refused(backend: Any, text: str, expected: list[str]) -> None:
    try:
        parse_options(backend, text)
    except BadOption as error:
        missing = [word for word in expected if word not in str(error)]
        require(not missing, f"{backend.name}:{text}: the message does not tell {missing}: {error}")
    else:
        raise AssertionError(f"{backend.name}:{text} is taken")


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


CHECKS = checks(undeclared_features, undeclared_constraints, declared_kinds, unknown_options, described)
