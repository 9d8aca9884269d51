"""Strategies of hypothesis: constraints, models, and questions to them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ..model import Constraint, Domain, Model
from .generators import GENERATORS, random_domains, random_model


@st.composite
def models(draw: st.DrawFn, among: Sequence[type[Constraint]] | None = None, most: int = 5) -> Model:
    """Models of one to ``most`` variables and up to six constraints of the kinds ``among`` (default: all)."""
    choices = sorted(among or GENERATORS, key=lambda kind: kind.__name__)
    variables, constraints = draw(st.integers(1, most)), draw(st.integers(0, 6))
    rng = draw(st.randoms(use_true_random=False))
    return random_model(rng, choices, variables, constraints)


@st.composite
def questions(
    draw: st.DrawFn, among: Sequence[type[Constraint]] | None = None
) -> tuple[Model, dict[str, Domain], tuple[str, ...] | None]:
    """A model, domains that narrow it, and the names of the variables to keep (None: all)."""
    model = draw(models(among))
    domains = random_domains(draw(st.randoms(use_true_random=False)), model)
    keep = draw(st.none() | st.sets(st.sampled_from(model.names), min_size=1).map(sorted).map(tuple))
    return model, domains, keep
