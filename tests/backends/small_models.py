"""Small models for tests: a hypothesis strategy of models and requests, and models with known counts."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from sudoku_models.model import Domain, Model
from sudoku_models.model import variables as variables_of
from sudoku_models.puzzle import Shape

Domains = Mapping[str, Domain]


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


def line_domains(shape: Shape, line: str) -> Domains:
    return {name: (int(c),) for name, c in zip(shape.names, line, strict=True) if c not in ".0"}


PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
