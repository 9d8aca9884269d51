"""(b) Edge cases: empty models, unusual domains, repeated names, constraints that always or never hold."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import OPERATORS, AllDifferent, Compare, Domain, InDomain, Linear, Model, Table, Variable
from ..subject import Subject
from .conformance_check import checks

Question = tuple[Model, dict[str, Domain]]


def odd_models(subject: Subject) -> None:
    """Models without constraints, without variables, with empty, negative, large or scattered domains."""
    _ask(subject, _models())


def odd_constraints(subject: Subject) -> None:
    """Constraints over few or repeated variables, and those that always or never hold."""
    _ask(subject, ((model, {}) for model in _constraints()))


def every_operator(subject: Subject) -> None:
    """Each operator at each bound around the critical ones: none is ignored, none is off by one."""
    x, y = Variable("x", range(1, 4)), Variable("y", range(1, 4))
    models = [Model([x, y], [Compare(x, op, y, c)]) for op in OPERATORS for c in range(-3, 4)]
    models += [Model([x, y], [Linear((1, 2), (x, y), op, k)]) for op in OPERATORS for k in range(2, 11)]
    models += [Model([x], [Linear((-1,), (x,), op, k)]) for op in OPERATORS for k in range(-4, 1)]
    _ask(subject, ((model, {}) for model in subject.part(models)))


def odd_requests(subject: Subject) -> None:
    """Domains of a request that are empty, lie outside, or leave one value."""
    x, y = Variable("x", range(1, 4)), Variable("y", range(1, 4))
    for constraints in ([AllDifferent([x, y])], [Compare(x, "!=", y)], []):
        model = Model([x, y], constraints)
        narrow: list[dict[str, Domain]] = [
            {}, {"x": ()}, {"x": (7,)}, {"x": (0, 7)}, {"x": (2,)}, {"x": (2, 9)}, {"x": (1, 3)}, {"x": (1, 2, 3)},
            {"x": (2,), "y": (2,)}, {"x": (1, 2), "y": (2,)}, {"x": (1, 2), "y": (1, 2)}, {"x": (2,), "y": ()},
        ]  # fmt: skip
        _ask(subject, ((model, domains) for domains in narrow))


def _ask(subject: Subject, questions: Iterator[Question]) -> None:
    asked = list(questions)
    domains = {id(model): [d for m, d in asked if m is model] for model, _ in asked}
    models = {id(model): model for model, _ in asked}
    for model in subject.taken(models.values()):
        for narrow in domains[id(model)]:
            subject.agrees(model, narrow)


def _models() -> Iterator[Question]:
    x, y = Variable("x", range(1, 4)), Variable("y", (5,))
    yield Model(), {}
    yield Model([x]), {}
    yield Model([y]), {}
    yield Model([x, y]), {}
    yield Model([x, y]), {"x": (2, 3)}
    yield Model([x, Variable("none", ())]), {}
    yield Model([Variable("none", ())]), {"none": (1,)}
    negative = [Variable("a", (-5, -1)), Variable("b", (-5, 0, 3))]
    yield Model(negative, [AllDifferent(negative)]), {}
    large = [Variable("a", (-1_000_000, 1)), Variable("b", (1, 1_000_000))]
    yield Model(large, [Compare("a", "<", "b")]), {}
    yield Model(large, [AllDifferent(large)]), {"a": (1,)}
    odd = [Variable("an odd name", (0, 1)), Variable('with "quotes"', (0, 1)), Variable("α", (0, 1))]
    yield Model(odd, [AllDifferent(odd[:2]), AllDifferent(odd[1:])]), {'with "quotes"': (1,)}


def _constraints() -> Iterator[Model]:
    x, y, z = (Variable(name, range(1, 4)) for name in "xyz")
    for op in OPERATORS:
        yield Model([x, y], [Compare(x, op, x)])
        yield Model([x, y], [Compare(x, op, x, 1)])
        yield Model([x, y], [Linear((), (), op, 0)])
        yield Model([x, y], [Linear((0, 0), (x, y), op, 1)])
        yield Model([x, y], [Linear((1, 1), (x, x), op, 4)])
        yield Model([x, y], [Linear((1, -1), (x, x), op, 0)])
        yield Model([x, y, z], [Linear((2, 1, -1), (x, y, x), op, 4)])
        yield Model([x, y, z], [Linear((2, -3, 1), (x, y, z), op, 0)])
    yield Model([x], [AllDifferent([])])
    yield Model([x], [AllDifferent([x])])
    yield Model([x, y], [AllDifferent([x, y]), AllDifferent([x, y])])
    for allowed in (True, False):
        yield Model([x, y], [Table([], [], allowed)])
        yield Model([x, y], [Table([], [()], allowed)])
        yield Model([x, y], [Table([x, y], [], allowed)])
        yield Model([x, y], [Table([x], [(2,), (9,)], allowed)])
        yield Model([x, y], [Table([x, x], [(1, 1), (1, 2)], allowed)])
        yield Model([x, y], [Table([y, x], [(1, 2), (3, 3), (9, 1)], allowed)])
        yield Model([x], [Table([x], [(1,), (2,), (3,)], allowed)])
    yield Model([x], [InDomain(x, ())])
    yield Model([x], [InDomain(x, (0, 2, 9))])


CHECKS = checks(odd_models, odd_constraints, every_operator, odd_requests)
