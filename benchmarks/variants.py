"""Variant puzzles with one solution: from the stated model to the proof, with all engines in one run.

``python benchmarks/variants.py FILE`` reads lines of JSON with ``name`` and ``constraints``; each engine proves each
puzzle unique, in turn, and each time is the best of some runs, in CPU time of the process. ``alone`` is what ``auto``
would take if none were to go on for another: cp-sat, or pycosat for houses. Reading the text is timed apart. ``--many``
also asks how many boards of one structure an engine proves unique in a second, and of how many it finds the
candidates; ``--counts`` how many solutions of some open puzzles are counted in a second, in blocks and one by one;
``--threads`` how much sooner two workers are done than one, with uniqueness checks and with a count, by the clock,
beside two processes that do each the whole: what two cores can give at that moment. Where they gave 1.5 to 1.9 times as
much, two workers did 1.5 to 1.85 times as many uniqueness checks in the CPU time of one (41,000 to 53,000 a second a
thread without the check of solutions, 24,000 to 29,000 with it). In a shared count they took 1.0 of the CPU time of one
beyond a million solutions, 1.3 with some hundred thousand, and were 1.2 to 2.1 times as fast by the clock.

``--parts`` says where the time goes from the text on: ``text`` is reading it, ``stating`` from rules to a model,
``build`` lowering and compiling, ``search`` the engine at work (what it states for each run too), ``rest`` all else:
the choice of an engine, the check of the solution, its judge, the answer. ``first`` is the first meeting with a puzzle
in a process that has met others, ``again`` the best of those that follow: nothing is kept but what an engine remembers.

``--outside`` adds programs, that of another engine or an earlier version of this one: see ``outside.py``. ``--base``
names the engine that the ratios are to.

``--reductions`` proves with ``native`` alone, all of its reductions on, then each left out, in turn.

``--plans`` proves nothing: it prints what the models come to for each engine (variables, constraints, the cost of their
rewrites) and the CPU time of lowering. Of 94 puzzles cp-sat gets 135,388 constraints and highs 155,164, as many as when
a plan took the first step that looked best; pycosat gets 40,184 variables and 181,449 constraints where it had 37,236
and 175,008, with 6 % fewer literals and values in tables. It proves the 15 puzzles that differ in 0.2 to 1.2 times the
CPU time, most of them in half. Lowering takes as long as it did: .94 of the time for cp-sat, 1.0 for highs, .95 for
pycosat (the median of three runs in turn with the planner before, best of five each).

Of 94 variants ``native`` builds the median one in .46 ms of CPU time (lowering .05, the network .39) and the ninetieth
percentile in 1.8, on a processor on which ``bitset`` answers 3.1 million boards of 17 clues a second: the median is the
time of 1,400 of these. Reading and stating take .55 ms. No part of building stands out any more: it is some hundred
constraints of a dozen kinds, each visited once. The 2,010 relations of an anti-taxicab board take 5.7 ms, eighteen
x-sums 4.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from outside import Outside, add_option
from rates import many, report_counts, report_threads
from reductions import report_reductions

from sudoku_models import Puzzle, solve
from sudoku_models.engine import auto
from sudoku_models.engine.contract import Request
from sudoku_models.engine.prepared import planned
from sudoku_models.engine.registry import Selection, select
from sudoku_models.engine.road import run
from sudoku_models.errors import SudokuModelsError
from sudoku_models.model import Model
from sudoku_models.puzzle import puzzle as puzzle_module

SIZES = ("variables", "constraints")

SLOWEST = 5
"""Puzzles with the highest ratios, which are named."""


@dataclass
class Times:
    """Milliseconds of one engine, by puzzle; unproved puzzles, with the reason."""

    proved: dict[str, float] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def fresh(model: Model) -> Model:
    """Return an equal model on which nothing is compiled yet."""
    return Model(model.variables, model.constraints, model.objective)


def chosen(model: Model, engine: str) -> Selection:
    """Return a backend: that of a specification, or of ``auto``."""
    return auto.choose(model).selection if engine == "auto" else select(engine)


def prove(puzzle: Puzzle, engine: str, limit: float) -> tuple[float, str]:
    """Return milliseconds from a fresh model to the proof that a puzzle has one solution, and what went wrong."""
    model = fresh(puzzle.structure)
    started = time.process_time()
    try:
        selection = chosen(model, engine)
        with run(model, selection, Request(puzzle.domains, 2, time_limit=limit)) as found:
            number = sum(1 for _ in found)
            outcome = found.outcome
    except SudokuModelsError as error:
        return 0.0, str(error)
    took = time.process_time() - started
    if outcome.record.isolated:
        took = max(took, sum(phase.cpu for phase in outcome.record.phases.values()))
    return 1000 * took, "" if number == 1 and outcome.complete else f"{number} solutions, {outcome.reason}"


Engine: TypeAlias = str | Outside
"""An engine of ours by its specification, or a program."""


def asked_of(engine: Engine, text: str, puzzle: Puzzle, limit: float) -> tuple[float, str]:
    """Let an engine of ours, or a program, prove a puzzle."""
    return prove(puzzle, engine, limit) if isinstance(engine, str) else engine.prove(text, limit)


def measured(puzzles: dict[str, str], engines: list[Engine], limit: float, runs: int) -> dict[str, Times]:
    """Let every engine prove every puzzle, a text by its name, puzzle by puzzle."""
    found = {str(engine): Times() for engine in engines}
    for name, text in puzzles.items():
        puzzle = Puzzle.parse(text)
        for engine in engines:
            tries = [asked_of(engine, text, puzzle, limit)]
            while not tries[-1][1] and len(tries) < runs and tries[0][0] < 1000:
                tries.append(asked_of(engine, text, puzzle, limit))
            if tries[-1][1]:
                found[str(engine)].failed[name] = tries[-1][1]
            else:
                found[str(engine)].proved[name] = min(took for took, _ in tries)
    return found


def quantiles(values: list[float]) -> str:
    """Return quantiles as text."""
    if not values:
        return "none"
    return " / ".join(f"{np.quantile(values, q):.3g}" for q in (0.1, 0.25, 0.5, 0.75, 0.9, 1.0))


def report(found: dict[str, Times], base: str) -> None:
    """Print what each engine took, and its ratios to one of them on the puzzles that both proved."""
    base = base if base in found else next(iter(found))
    print("p10 / p25 / median / p75 / p90 / max of milliseconds, and of ratios")
    for engine, times in found.items():
        print(
            f"{engine:>12}: {len(times.proved)} proved, {len(times.failed)} not: {quantiles([*times.proved.values()])}"
        )
        proved = found[base].proved
        both = {name: took / proved[name] for name, took in times.proved.items() if name in proved}
        faster = sum(ratio < 1 for ratio in both.values())
        print(f"{'':>12}  to {base}: {quantiles([*both.values()])}; faster on {faster} of {len(both)}")
        for name in sorted(both, key=lambda name: -both[name])[:SLOWEST] if engine != base else ():
            print(f"{'':>12}  {both[name]:.3g} times, {times.proved[name]:.2f} ms: {name[:60]}")
        for name, why in times.failed.items():
            print(f"{'':>12}  not {name}: {why[:100]}")


PARTS = ("text", "stating", "build", "search", "rest", "all")
BUILD, SEARCH = ("lower", "compile"), ("encode", "run", "decode")

Parts = Mapping[str, float]


def parts_of(text: str, engine: str, limit: float) -> Parts | None:
    """Return milliseconds by part; None if a puzzle is not proved to have one solution within the time limit."""
    puzzle_module.board_of.cache_clear()
    puzzle_module.structure_of.cache_clear()
    started = time.process_time()
    puzzle = Puzzle.parse(text)
    read = time.process_time()
    puzzle.structure.memo.clear()  # that of a board without rules is kept with its shape
    stated = time.process_time()
    try:
        result = solve(puzzle, engine, unique=True, time_limit=limit)
    except SudokuModelsError:
        return None
    ended = time.process_time()
    if not result.unique:
        return None
    phases = {name: phase.cpu for name, phase in result.record.phases.items()}
    build, search = (sum(phases.get(name, 0.0) for name in names) for names in (BUILD, SEARCH))
    seconds = (read - started, stated - read, build, search, ended - stated - build - search, ended - started)
    return {name: 1000 * part for name, part in zip(PARTS, seconds, strict=True)}


def met(text: str, engine: str, limit: float, runs: int) -> tuple[Parts, Parts] | None:
    """Return the parts of a first meeting, and the best of each part in those that follow."""
    first = parts_of(text, engine, limit)
    if first is None:
        return None
    later = [found for _ in range(runs - 1 if first["all"] < 1000 else 0) if (found := parts_of(text, engine, limit))]
    return first, {name: min(found[name] for found in later or [first]) for name in PARTS}


def report_parts(texts: Iterable[str], engines: Iterable[str], limit: float, runs: int) -> None:
    """Print the median and the ninetieth percentile of each part, engine by engine, puzzle by puzzle in turn."""
    listed, names = list(texts), list(engines)
    found: dict[str, list[tuple[Parts, Parts]]] = {engine: [] for engine in names}
    for text in listed:
        for engine in names:
            pair = met(text, engine, limit, runs)
            if pair is not None:
                found[engine].append(pair)
    print(f"{'milliseconds, median / p90':<30}" + "".join(f"{part:>18}" for part in PARTS))
    for engine, pairs in found.items():
        for title, side in (("first", 0), ("again", 1)) if pairs else ():
            columns = [[pair[side][part] for pair in pairs] for part in PARTS]
            cells = [f"{np.median(column):.3f} / {np.quantile(column, 0.9):.3f}" for column in columns]
            print(f"{f'{engine} ({len(pairs)} of {len(listed)}), {title}':<30}" + "".join(f"{c:>18}" for c in cells))


def report_plans(models: list[Model], engines: list[str]) -> None:
    """Print what models are lowered to for each engine, and the CPU time of that."""
    for engine in engines:
        started, capabilities = time.process_time(), select(engine).capabilities
        plans = [planned(fresh(model), capabilities, engine) for model in models]
        seconds = time.process_time() - started
        variables, constraints = (sum(len(getattr(plan.model, part)) for plan in plans) for part in SIZES)
        cost = sum(branch.cost for plan in plans for branch in plan.tree.found.values())
        print(f"{engine:>18}: {variables:,} variables, {constraints:,} constraints, cost {cost:,.0f}, {seconds:.2f} s")
        sys.stdout.flush()


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--engines", default="auto,native")
    parser.add_argument("--base", default="alone")
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for each proof")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="puzzles whose names have this")
    parser.add_argument("--every", type=int, default=1, help="only every n-th puzzle of the file")
    parser.add_argument("--parts", action="store_true", help="print the parts of the way from the text alone")
    parser.add_argument("--counts", type=int, default=0, help="solutions of open puzzles to count")
    parser.add_argument("--threads", type=int, default=0, help="solutions of an open puzzle that two workers count")
    parser.add_argument("--many", type=int, default=0, help="boards of one structure")
    parser.add_argument("--plans", action="store_true", help="print what lowering comes to alone")
    parser.add_argument("--reductions", action="store_true", help="what each reduction of native is worth, alone")
    add_option(parser)
    return parser.parse_args()


def main() -> None:
    """Measure what the command line asks for."""
    asked = options()
    if asked.counts:
        report_counts(asked.counts)
    if asked.threads:
        report_threads(asked.threads)
    if asked.counts or asked.threads:
        return
    rows = [json.loads(line) for line in asked.file.read_text().splitlines()]
    rows = [row for row in rows if asked.only in row["name"]][:: asked.every]
    if asked.parts:
        report_parts([row["constraints"] for row in rows], asked.engines.split(","), asked.limit, asked.runs)
        return
    if asked.plans:
        report_plans([Puzzle.parse(row["constraints"]).model for row in rows], asked.engines.split(","))
        return
    texts = {row["name"]: row["constraints"] for row in rows}
    if asked.reductions:
        report_reductions([Puzzle.parse(text) for text in texts.values()], asked.runs)
        return
    started = time.process_time()
    models = [len(Puzzle.parse(text).structure.constraints) for text in texts.values()]
    print(f"{len(models)} puzzles read and stated: {1000 * (time.process_time() - started) / len(models):.2f} ms each")
    sys.stdout.flush()
    engines: list[Engine] = [*filter(None, asked.engines.split(",")), *asked.outside]
    report(measured(texts, engines, asked.limit, asked.runs), asked.base)
    for row in rows if asked.many else ():
        rate, unique, marked = many(row["constraints"], "native", asked.many)
        text = f"{unique} of {asked.many} unique; candidates of {marked:,.0f} boards a second"
        print(f"{row['name'][:40]:>40}: {rate:,.0f} boards a second, {text}")


if __name__ == "__main__":
    main()
