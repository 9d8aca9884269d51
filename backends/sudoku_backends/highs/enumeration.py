"""All solutions by a solver that finds one: those found are forbidden, and the space is split when they are many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sudoku_models.engine.contract import Request, Solution
from sudoku_models.model import Domain, Model, narrowed_domains

from .program import Program, closed

if TYPE_CHECKING:
    from .engine import Solver

CHUNK = 6
"""Solutions forbidden by rows before the space is split: each such row makes the program harder."""


class Enumeration:
    """The solutions of a program, one for each choice of the kept variables.

    After ``CHUNK`` solutions the space is split by the values of a kept variable; in each part those known to lie in
    it are forbidden anew.
    """

    def __init__(self, model: Model, program: Program, solver: Solver, request: Request) -> None:
        self.model, self.program, self.solver = model, program, solver
        self.domains = narrowed_domains(model.domains, request.domains)
        self.kept = model.names if request.keep is None else request.keep
        self.column = {pair: number for number, pair in enumerate(program.columns)}

    def solutions(self) -> Iterator[Solution]:
        """Yield every solution."""
        yield from self._part(self.domains, [])

    def _part(self, domains: Mapping[str, Domain], known: list[Solution]) -> Iterator[Solution]:
        self.solver.begin(closed(self.program, domains))
        for solution in known:
            self._forbid(solution)
        found = known[:]
        while len(found) < len(known) + CHUNK:
            values = self.solver.solve()
            if values is None:
                return
            found.append(self.program.read(values, self.model))
            yield found[-1]
            self._forbid(found[-1])
        yield from self._split(domains, found)

    def _split(self, domains: Mapping[str, Domain], found: list[Solution]) -> Iterator[Solution]:
        open_ones = [name for name in self.kept if len(domains[name]) > 1]
        if not open_ones:
            return
        name = min(open_ones, key=lambda x: len(domains[x]))
        at = self.model.index[name]
        for value in domains[name]:
            yield from self._part({**domains, name: (value,)}, [s for s in found if s[at] == value])

    def _forbid(self, solution: Solution) -> None:
        values = dict(zip(self.model.names, solution, strict=True))
        self.solver.forbid([self.column[name, values[name]] for name in dict.fromkeys(self.kept)])
