"""The planner against a search of all paths: the same least cost, and no path only if there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import inf
from operator import itemgetter
from random import Random

import pytest

from sudoku_models import lowering
from sudoku_models.errors import Unsupported
from sudoku_models.lowering import Rewrite, Scratch, lower, planner
from sudoku_models.lowering.rewrite import Cost
from sudoku_models.model import AllDifferent, Constraint, Count, Domain, Linear, MinMax, Model, NValue, Variable

XS = tuple(f"x{i}" for i in range(3))
MODEL = Model([Variable(x, range(3)) for x in XS], ())
STATED: tuple[Constraint, ...] = (
    AllDifferent(XS),
    Count(XS, (1,), "<", 3),
    Linear((1, 2, 1), XS, "<=", 4),
    MinMax(XS, 0, 2),
    NValue(XS, "==", 2),
)
SHARING = {"forbidden tuples to sums", "Or of domains to a sum", "Or by literals"}
"""Rewrites that use what earlier ones made, so that a path costs less after another one."""

Accepts = Callable[[Constraint], str | None]
Domains = Mapping[str, Domain]
Kinds = frozenset[type[Constraint]]


def priced(rng: Random) -> tuple[Rewrite, ...]:
    """The rewrites, each with a price for each variable of a constraint to which it applies."""
    known = [rewrite for rewrite in lowering.REWRITES if rewrite.name not in SHARING]
    return tuple(replace(rewrite, cost=_price(rewrite, rng.choice((1, 2, 3, 5, 8, 13, 21)))) for rewrite in known)


def _price(rewrite: Rewrite, price: int) -> Cost:
    return lambda c, domains: None if rewrite.cost(c, domains) is None else price * len(c.scope)


def accepting(rng: Random, kinds: Kinds) -> Accepts:
    """Some kinds, each with some numbers of variables alone."""
    sizes = {kind: {n for n in range(6) if rng.random() < 0.7} for kind in kinds}
    return lambda c: None if len(c.scope) in sizes.get(type(c), ()) else "not this one"


class AllPaths:
    """Costs by trying every rewrite of every constraint; nothing is remembered, and nothing is left out."""

    def __init__(self, rewrites: tuple[Rewrite, ...], kinds: Kinds, accepts: Accepts) -> None:
        self.rewrites, self.accepts, self.reached = rewrites, accepts, kinds
        for _ in rewrites:
            self.reached |= {rewrite.source for rewrite in rewrites if rewrite.targets <= self.reached}

    def cost(self, c: Constraint, domains: Domains, passed: Kinds = frozenset(), greedy: bool = False) -> float:
        """The least cost; or, ``greedy``, that of the path which always takes the step that costs least by itself."""
        if self.accepts(c) is None:
            return 0.0
        passed |= {type(c)}
        steps = sorted(self.steps(c, domains, passed), key=itemgetter(0))
        costs = (own + self.beyond(rewrite, c, domains, passed, greedy) for own, rewrite in steps)
        return next(costs, inf) if greedy else min(costs, default=inf)

    def steps(self, c: Constraint, domains: Domains, passed: Kinds) -> Iterator[tuple[float, Rewrite]]:
        for rewrite in self.rewrites:
            if rewrite.source is type(c) and rewrite.targets <= self.reached:
                own = rewrite.cost(c, domains)
                if own is not None and (rewrite.unfolds or not rewrite.targets & passed):
                    yield own, rewrite

    def beyond(self, rewrite: Rewrite, c: Constraint, domains: Domains, passed: Kinds, greedy: bool) -> float:
        """The cost of what a rewrite makes."""
        scratch = Scratch(dict(domains), accepts=self.accepts)
        made = rewrite.apply(c, scratch)
        return sum(self.cost(one, scratch.domains, frozenset() if rewrite.unfolds else passed, greedy) for one in made)


def planned(stated: Constraint, kinds: Kinds, accepts: Accepts) -> float:
    try:
        found = lower(MODEL.with_(stated), kinds, accepts)
    except Unsupported:
        return inf
    assert all(accepts(c) is None for c in found.model.constraints)
    return sum(branch.cost for branch in found.tree.found.values())


def test_the_cost_is_the_least_of_all_paths_where_a_greedy_planner_pays_more_or_finds_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, reached, misled, stuck = Random("paths"), 0, 0, 0
    for stated in STATED * 150:
        monkeypatch.setattr(planner, "REWRITES", rewrites := priced(rng))
        kinds = frozenset(rng.sample(sorted(Constraint.kinds.values(), key=str), 6))
        accepts = accepting(rng, kinds)
        paths = AllPaths(rewrites, kinds, accepts)
        least, greedy = paths.cost(stated, MODEL.domains), paths.cost(stated, MODEL.domains, greedy=True)
        assert planned(stated, kinds, accepts) == least
        reached += least < inf
        misled += least < greedy < inf
        stuck += least < greedy == inf
    assert (reached > 200, misled > 3, stuck > 25) == (True, True, True)
