"""The engine's own model in the user's hands: maps from variables to its terms, and from its answers to values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...engine.road import prepare
from ...errors import Unsupported
from ...model import AllDifferent, InDomain, Model, Variable, brute_force
from ..gap import Kind, NotApplicable
from ..subject import Subject, require
from .conformance_check import checks
from .limits import small

Pair = tuple[str, int]
"""A variable's name and a value."""

FEW = 16
"""The most candidates of a model to try; of a larger one some are taken, evenly spaced."""


def maps_or_reasons(subject: Subject) -> None:
    """The maps of a compiled form are the same for equal models, or refused with the reason.

    Unknown names are reported. A form without maps (``CompiledBase`` refuses them) is not tested.
    """
    model, _ = small(subject)
    again = Model(model.variables, model.constraints)
    one, two = (_compiled(subject, m) for m in (model, again))
    x = model.names[0]
    for name, known, unknown in (
        ("variable", (x,), [("nowhere",)]),
        ("literal", (x, model.domains[x][0]), [("nowhere", 1), (x, 99)]),
    ):
        if not hasattr(one, name):
            continue
        found = [repr(_or_reason(subject, f"{name}{known}", lambda c=c: getattr(c, name)(*known))) for c in (one, two)]  # type: ignore[misc]  # noqa: B023
        require(found[0] == found[1], f"{name}{known} is not twice the same: {found}")
        for wrong in unknown if found[0] != "None" else ():
            _names_what_is_unknown(lambda: getattr(one, name)(*wrong), f"{name}{wrong}")  # noqa: B023


def maps_lead_both_ways(subject: Subject) -> None:
    """The engine's answers to its own model decode to solutions; a literal is true exactly if its variable has the
    value.
    """
    model, _ = small(subject)
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


def maps_of_what_is_decided(subject: Subject) -> None:
    """If constraints alone determine a value, its literal is correct too, or refused with the reason."""
    xs = [Variable("x", (1, 2, 3)), Variable("y", (2,)), Variable("z", (0, 1))]
    model = subject.takes(Model(xs, [InDomain("x", (1, 2)), AllDifferent(xs[:2])]))
    native = _Native.of(subject, model)
    native.asked()
    truth = [dict(zip(model.names, row, strict=True)) for row in brute_force(model)]
    for x, value in subject.part([(name, value) for name in model.names for value in model.domains[name]]):
        if native.has(x, value):
            found = {row[x] == value for row in truth}
            native.asked(true=[(x, value)], possible=True in found)
            native.asked(false=[(x, value)], possible=False in found)


@dataclass(frozen=True)
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


def _names_what_is_unknown(ask: Callable[[], Any], what: str) -> None:
    try:
        found = ask()
    except KeyError as error:
        require("nowhere" in str(error) or "99" in str(error), f"{what}: {error} does not say what is unknown")
    else:
        raise AssertionError(f"{what} gives {found}: KeyError is expected")


CHECKS = checks(maps_or_reasons, maps_lead_both_ways, maps_of_what_is_decided)
