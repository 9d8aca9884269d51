"""Long search for disagreements: random models, all installed engines, and certificates that are checked.

    python -m tests.testing.long_search --minutes 60 [--seed N] [--backend SPEC]...

A case is a tiny random model of any kinds of constraints; brute force knows its solutions. In each case one engine
(they take turns, with each of their options) has to agree with brute force, and one refuter (in turns, too) has to
prove what is true: that there is no solution, one, just those that there are, or none better; the certificate has to
pass the check, with hints and without, and every independent checker that is installed. Of a model with several
solutions it must not prove that there is one. Each disagreement is printed with the command that repeats it alone; a
table ends the run, a line for each engine, for each claim of each refuter and for each checker, and the exit code is 1
when there was a disagreement.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle

from sudoku_models.engine.refutation import installed
from sudoku_models.engine.registry import select
from sudoku_models.errors import Unsupported
from sudoku_models.testing.subject import Subject

from .fuzz import Fault, fault_of, question, smaller, specs, turns
from .proving import proved


@dataclass
class TruthTable:
    """What was asked of whom: cases that were compared, cases that were declined, disagreements."""

    compared: Counter[str] = field(default_factory=Counter)
    declined: Counter[str] = field(default_factory=Counter)
    disagreed: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        names = sorted({*self.compared, *self.declined})
        width = max(map(len, [*names, "engine or refuter"]))
        lines = [f"{'engine or refuter':{width}}  {'cases':>8}  {'declined':>8}  disagreements"]
        for name in names:
            disagreed = self.disagreed[name]
            lines.append(f"{name:{width}}  {self.compared[name]:8}  {self.declined[name]:8}  {disagreed:13}")
        totals = (self.compared.total(), self.declined.total(), self.disagreed.total())
        return "\n".join([*lines, f"{'all':{width}}  {totals[0]:8}  {totals[1]:8}  {totals[2]:13}"])


class Truth:
    """Asks case after case. ``specs`` are engines, ``refuters`` names; ``table`` adds up what came of it."""

    def __init__(self, seed: int, specs: Sequence[str], refuters: Sequence[str]) -> None:
        self.seed, self.table = seed, TruthTable()
        self._subjects = {selection: Subject(selection) for selection in map(select, specs)}
        self._engines = turns(list(self._subjects))
        self._refuters = cycle(refuters)
        self._proves = bool(refuters)

    def run(self, numbers: Iterator[int], go_on: Callable[[], bool]) -> Iterator[str]:
        """Ask the cases of these numbers as long as wanted; yield what to print of each disagreement."""
        for number in numbers:
            if not go_on():
                return
            if self._subjects:
                yield from self._engine(number)
            if self._proves:
                yield from self._refuter(number, next(self._refuters))

    def _engine(self, number: int) -> Iterator[str]:
        selection = next(self._engines)
        subject, spec = self._subjects[selection], str(selection)
        model, domains = question(self.seed, number)
        try:
            finding = fault_of(subject, model, domains)
        except Unsupported:
            self.table.declined[spec] += 1
            return
        self.table.compared[spec] += 1
        if finding is not None:
            self.table.disagreed[spec] += 1
            yield f"{Fault(number, spec, *smaller(subject, model, domains), finding)}{self._again(number, spec)}"

    def _refuter(self, number: int, refuter: str) -> Iterator[str]:
        model, domains = question(self.seed, number)
        stated = model.narrowed(domains)
        for asked in proved(stated, refuter):
            name = f"certificates of {refuter}: {asked.what}"
            if asked.declined:
                self.table.declined[name] += 1
                continue
            self.table.compared[name] += 1
            if asked.doubt:
                self.table.disagreed[name] += 1
                yield f"case {number}, {name}: {asked.doubt}\n{stated}\n{self._again(number, refuter=refuter)}"

    def _again(self, number: int, spec: str = "", refuter: str = "") -> str:
        which = f"--backend '{spec}'" if spec else f"--refuter {refuter}"
        return f"again: python -m tests.testing.long_search --seed {self.seed} --case {number} {which}\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    chosen = _parsed(arguments)
    alone = chosen.backend or chosen.refuter  # what is named is asked, and nothing else
    engines = chosen.backend or ([] if alone else specs())
    truth = Truth(chosen.seed, engines, chosen.refuter or ([] if alone else installed()))
    began = time.monotonic()
    print(f"seed {chosen.seed}, engines with their options: {len(engines)}, {chosen.minutes:g} minutes", flush=True)
    numbers = count() if chosen.case is None else iter([chosen.case])
    for report in truth.run(numbers, lambda: time.monotonic() - began < 60 * chosen.minutes):
        print(report, flush=True)
    print(truth.table)
    print(f"seed {chosen.seed}: {truth.table.disagreed.total()} disagreements in {time.monotonic() - began:.0f} s")
    sys.exit(1 if truth.table.disagreed else 0)


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.testing.long_search", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long new cases are begun")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="by default another one each time")
    parser.add_argument("--case", type=int, help="the number of one case to run alone")
    parser.add_argument("--backend", action="append", help="an engine with its options; by default all that are there")
    parser.add_argument("--refuter", action="append", help="a refuter; by default all that are there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
