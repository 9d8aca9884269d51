"""Strategies of hypothesis: models of any kinds of constraints."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from sudoku_models.model import Constraint, Model
from sudoku_models.testing.generators import GENERATORS, random_model


@st.composite
def models(draw: st.DrawFn, among: Sequence[type[Constraint]] | None = None, most: int = 5) -> Model:
    """Models of one to ``most`` variables and up to six constraints of the kinds ``among`` (default: all)."""
    choices = sorted(among or GENERATORS, key=lambda kind: kind.__name__)
    variables, constraints = draw(st.integers(1, most)), draw(st.integers(0, 6))
    rng = draw(st.randoms(use_true_random=False))
    return random_model(rng, choices, variables, constraints)
