"""All solutions by a solver that finds one: the space is split behind each, and what is known in a part forbidden."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING

from sudoku_models.engine.contract import Request, Solution
from sudoku_models.model import Domain, Model, narrowed_domains

from .program import ZeroOneProgram, closed

if TYPE_CHECKING:
    from .engine import LoadedProgram

Part = tuple[Mapping[str, Domain], list[Solution]]
"""A part of the space, and the solutions in it that are known."""


class ProgramEnumeration:
    """The solutions of a program, one for each choice of the kept variables.

    Behind each solution the part where it was found is split by the values of a kept variable, so that few known ones
    are left in each part: every row that forbids one makes the program harder.
    """

    def __init__(self, model: Model, program: ZeroOneProgram, solver: LoadedProgram, request: Request) -> None:
        self.model, self.program, self.solver = model, program, solver
        self.domains = narrowed_domains(model.domains, request.domains)
        self.kept = model.names if request.keep is None else tuple(dict.fromkeys(request.keep))
        self.column = {pair: number for number, pair in enumerate(program.columns)}

    def solutions(self) -> Generator[Solution, None, None]:
        """Yield every solution."""
        waiting: list[Part] = [(self.domains, [])]
        while waiting:
            domains, known = waiting.pop()
            self.solver.begin(closed(self.program, domains))
            for solution in known:
                self._forbid(solution)
            values = self.solver.solve()
            if values is not None:
                known.append(self.program.read(values, self.model))
                yield known[-1]
                waiting += self._split(domains, known)

    def _split(self, domains: Mapping[str, Domain], known: list[Solution]) -> Iterator[Part]:
        """Yield the parts by the values of the kept variable with the fewest; none when all are decided."""
        open_ones = [name for name in self.kept if len(domains[name]) > 1]
        if open_ones:
            name = min(open_ones, key=lambda x: len(domains[x]))
            at = self.model.index[name]
            for value in domains[name]:
                yield {**domains, name: (value,)}, [s for s in known if s[at] == value]

    def _forbid(self, solution: Solution) -> None:
        values = dict(zip(self.model.names, solution, strict=True))
        self.solver.forbid([self.column[name, values[name]] for name in self.kept])
