"""Small models for tests: a hypothesis strategy of models and requests, and models with known counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from sudoku_models.model import OPERATORS, AllDifferent, Compare, Constraint, Domain, InDomain, Linear, Model, Table
from sudoku_models.model import brute_force as every_solution
from sudoku_models.model import variables as variables_of
from sudoku_models.model.expression import Variable
from sudoku_models.puzzle import Shape

VALUE = st.integers(-3, 4)
OPERATOR = st.sampled_from(list(OPERATORS))
Domains = Mapping[str, Domain]


def constraints(names: list[str]) -> st.SearchStrategy[Constraint]:
    name = st.sampled_from(names)
    some = st.lists(name, max_size=3)
    return st.one_of(
        st.builds(InDomain, name, st.lists(VALUE, max_size=4)),
        st.builds(AllDifferent, st.lists(name, unique=True)),
        st.builds(Compare, name, OPERATOR, name, st.integers(-2, 2)),
        some.flatmap(lambda xs: linears(xs)),
        some.flatmap(lambda xs: tables(xs)),
    )


def linears(xs: list[str]) -> st.SearchStrategy[Linear]:
    coeffs = st.lists(st.sampled_from([1, 1, 1, -1, 2, -3, 0]), min_size=len(xs), max_size=len(xs))
    return st.builds(Linear, coeffs, st.just(xs), OPERATOR, st.integers(-5, 6))


def tables(xs: list[str]) -> st.SearchStrategy[Table]:
    return st.builds(Table, st.just(xs), st.lists(st.tuples(*[VALUE for _ in xs]), max_size=12), st.booleans())


@st.composite
def questions(draw: st.DrawFn) -> tuple[Model, Domains]:
    """A model of up to five variables and a narrowing of some of their domains."""
    names = [f"x{i}" for i in range(draw(st.integers(0, 5)))]
    made = [Variable(name, draw(st.lists(VALUE, max_size=4))) for name in names]
    stated = draw(st.lists(constraints(names), max_size=4)) if names else []
    narrow = draw(st.dictionaries(st.sampled_from(names), st.lists(VALUE, unique=True))) if names else {}
    return Model(made, stated), {name: tuple(sorted(values)) for name, values in narrow.items()}


@st.composite
def boards(draw: st.DrawFn) -> tuple[Model, Domains]:
    """A small square of houses, perhaps with values that are not 1 to n, and pencil marks."""
    size = draw(st.sampled_from([1, 2, 3, 4, 4]))
    values = draw(st.lists(st.integers(-5, 20), min_size=size, max_size=size, unique=True).map(sorted))
    shape = draw(st.sampled_from([Shape.latin(size), *([Shape.square(4), JIGSAW] if size == 4 else [])]))
    model = Model(variables_of(shape.names, values), shape.constraints())
    marks = st.lists(st.sampled_from(values), unique=True, min_size=1).map(sorted).map(tuple)
    return model, draw(st.dictionaries(st.sampled_from(shape.names), marks, min_size=size * size // 3))


JIGSAW = Shape.irregular("aaab acbb ccbd cddd")


def pigeonhole(pigeons: int, holes: int) -> Model:
    names = [f"p{i}" for i in range(pigeons)]
    return Model(variables_of(names, range(holes)), [AllDifferent(names)])


def expected(model: Model, domains: Domains) -> list[tuple[int, ...]]:
    return list(every_solution(model.narrowed(domains)))


def line_domains(shape: Shape, line: str) -> Domains:
    return {name: (int(c),) for name, c in zip(shape.names, line, strict=True) if c not in ".0"}


def shared_puzzles(data: Path, name: str, count: int) -> list[Domains]:
    lines = [x for x in (data / "classic" / name).read_text().splitlines() if not x.startswith("#")]
    return [line_domains(Shape.square(9), line[:81]) for line in lines[:count]]


PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
KNOWN = {
    "pigeonhole": (pigeonhole(4, 3), 0),
    "permutations": (pigeonhole(4, 4), 24),
    "4x4": (Shape.square(4).model, 288),
    "latin 4x4": (Shape.latin(4).model, 576),
    "no variables": (Model(), 1),
    "no variables, a false constraint": (Model([], [Linear([], [], "==", 1)]), 0),
    "one variable": (Model([Variable("x", (3, 5))]), 2),
    "an empty domain": (Model([Variable("x", (1, 2)), Variable("y", ())]), 0),
}
