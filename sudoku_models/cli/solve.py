"""``sudoku-models solve``, ``count``, ``candidates`` and ``validate``. Columns are in docs/command_line.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from ..bulk.questions import (
    BlockAnswers,
    Counting,
    Enumerating,
    Explaining,
    Marking,
    RowAnswer,
    Solving,
    Validating,
    Verb,
)
from ..bulk.rows import NINE, Block, listed
from ..errors import SudokuModelsError
from ..formats import Entry, write
from ..puzzle import Grid
from ..puzzle.drawing import marks_text
from ..verbs.results import AS_READ, WITHOUT_DRAWN, Candidates, Core, Result, Status, Validation
from .answers import Shown, answer, details_by, details_of_records, title_of, where_it_stands
from .codes import Code, code_of, refuse
from .inputs import ChosenBackend, Drawn, Positive, Seconds, Sharded, Written
from .parser import command
from .terminal import Tally, at_terminal, log, say


@command("Solve", "solve puzzles.txt --unique --out answers.csv")
def solve(
    source: Sharded,
    solver: ChosenBackend,
    *,
    limit: Positive = 1,
    unique: bool = False,
    log: bool = False,
    written: Drawn,
    certify: Path | None = None,
    proof_limit: Seconds | None = None,
) -> Code:
    """Solve puzzles and write each solution as soon as it is found.

    In the formats line and grid, a puzzle without a solution becomes a comment line (#); in the others, a record.

    --limit -n NUMBER  How many solutions of each puzzle to find.
    --unique -u  Report whether the solution is the only one.
    --log  Let the engine write its own log of the search to the error stream (backends such as cp-sat and highs).
    Output:
    --certify DIR  For each puzzle with one solution or none, also write DIR/NUMBER.zip: a proof that other programs can
        check.
    Limits:
    --proof-limit SECONDS  With --certify: the time limit for making each certificate, and for checking it.
        [default: as --time-limit]
    """
    several = limit > 1
    refuse(not (proof_limit and certify is None), "--proof-limit needs --certify: it limits the time of each proof")
    refuse(not (several and certify), "--certify and --limit cannot be combined: certificates prove uniqueness")
    unique = unique or certify is not None
    refuse(
        not (several and unique),
        "--unique and --limit cannot be combined: --limit already shows whether there are more",
    )
    refuse(not (several and solver.jobs > 1), "--jobs and --limit cannot be combined")
    solver = solver.logging() if log else solver
    solver.checked(limit if several else 2 if unique else 1)
    tally, done = Tally(), None
    if certify is not None:
        certify.mkdir(parents=True, exist_ok=True)
        done = partial(_certified, certify, proof_limit or solver.time_limit, tally)
    verb: Verb = Solving(solver.backend, solver.limits, unique, source.alphabet, jobs=solver.jobs)
    if several:
        verb = Enumerating(solver.backend, solver.limits, limit, source.alphabet)
    shown = Shown(verb, "solve", _lines, doing="solving", drawn=partial(_drawn, source.alphabet))
    return answer(source, shown, _on_terminal(written), tally, done)


def _on_terminal(written: Drawn) -> Drawn:
    """Draw boards on a terminal, unless a format was chosen."""
    return Drawn("grid", written.out) if written.format is None and at_terminal(written.out) else written


def _lines(block: Block, answers: BlockAnswers) -> Iterable[str]:
    """Return each solution with a remark on its uniqueness, or a comment, or "" for a row without an answer."""
    solutions, *why = map(listed, (answers.column(name) for name in _SHOWN))
    remarks = map(cache(_remark), *why)  # of thousands of rows most have the same
    if None not in solutions:
        return chain.from_iterable(zip(solutions, remarks, repeat("\n")))
    rows = enumerate(zip(solutions, remarks, *why, strict=True))
    return (f"{found}{remark}\n" if found else _comment(block, row, *known) for row, (found, remark, *known) in rows)


def _drawn(alphabet: str | None, block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Yield each solution as a drawn board under a title line, or a comment."""
    for row, (solution, status, unique, reason, nth) in enumerate(answers.lists(*_SHOWN, "nth")):
        name = title_of(block.entry(row))
        if solution is None:
            why = _no_solution(status, reason)
            yield f"# {name}: {why}\n" if why else ""
            continue
        found = answers.at(row).found
        grid = found if isinstance(found, Grid) else getattr(found, "grid", None)
        grid = grid or Grid(NINE, tuple(map(int, solution)))  # a classic board, answered in a batch
        which = "" if nth is None else f", solution {nth}"
        text = f"# {name}{which}{_remark(status, unique, reason).replace(' # ', ': ')}\n"
        yield text + "".join(write([grid], "grid", alphabet=alphabet))


_SHOWN = ("solution", "status", "unique", "reason")


def _remark(status: str, unique: bool | None, reason: str | None) -> str:
    """Return a remark on whether a solution is the only one, and whether rules were ignored."""
    if unique is None:
        remark = f" # uniqueness not settled: {reason}" if reason else ""
    else:
        remark = " # unique" if unique else " # not unique"
    why = status.removeprefix(Status.SOLVED)
    return f"{remark or ' #'}{why}" if why in (WITHOUT_DRAWN, AS_READ) else remark


def _comment(block: Block, row: int, status: str, _: bool | None, reason: str | None) -> str:
    why = _no_solution(status, reason)
    return f"# {why} ({where_it_stands(block.entry(row))})\n" if why else ""


_WITHOUT_SOLUTION = {
    str(Status.UNSATISFIABLE): "no solution",
    str(Status.UNSATISFIABLE_AS_READ): f"no solution{AS_READ}",
    str(Status.UNKNOWN): "unknown",
}


def _no_solution(status: str, reason: str | None) -> str:
    """Return why there is no solution, or "" for a row without an answer, which is reported elsewhere."""
    what = _WITHOUT_SOLUTION.get(status)
    return "" if what is None else f"{what}: {reason}" if reason else what


def _certified(folder: Path, time_limit: float | None, tally: Tally, entry: Entry, answer: RowAnswer) -> None:
    """Write the certificate of an answer into a folder, under the number of its puzzle, or report why there is none.

    ``time_limit`` (seconds) applies to making a certificate, and to checking it. A missing answer has already been
    reported.
    """
    from ..prove import Claim, ClaimFalse, certificate_of, check, save

    result, target = answer.found, folder / f"{entry.number}.zip"
    if not isinstance(result, Result):
        return
    if result.status.no_solution:
        claim, solutions = Claim.UNSATISFIABLE, tuple[tuple[int, ...], ...]()
    elif result.unique and result.solution is not None:
        claim, solutions = Claim.UNIQUE, (result.solution,)
    else:
        why = "there are several solutions" if result.unique is False else "the number of solutions is not settled"
        say(f"{entry.place}: no certificate: {why}")
        return
    assert entry.puzzle
    try:
        made = certificate_of(entry.puzzle, claim, solutions, time_limit=time_limit)
        checked = check(made, time_limit=time_limit)
        if checked:
            save(made, target)
            log.info("%s: %s, written to %s", entry.place, made, target)
        else:
            refused = f"{entry.place}: no certificate: the check refused it: {checked.problem}"
            tally.problem(refused, Code.DISAGREE)
    except ClaimFalse as error:
        tally.problem(f"{entry.place}: no certificate: the answer is wrong: {error}", Code.DISAGREE)
    except (SudokuModelsError, ValueError, OSError) as error:
        tally.problem(f"{entry.place}: no certificate: {error}", code_of(error))


@command("Solve", "count --limit 100 puzzles.txt")
def count(source: Sharded, solver: ChosenBackend, *, limit: Positive | None = None, written: Written) -> Code:
    """Count the solutions of each puzzle: print the number, or 'at least' a number if a limit was reached first.

    --limit -n NUMBER  Stop counting at this number, and print 'at least' if a puzzle may have more solutions.
    """
    solver.checked(None)
    verb = Counting(solver.backend, solver.limits, limit, jobs=solver.jobs)

    def lines(block: Block, answers: BlockAnswers) -> Iterator[str]:
        for value, exact in answers.lists("count", "exact"):
            yield "" if value is None else f"{'' if exact else 'at least '}{value}\n"

    return answer(source, Shown(verb, "count", lines, doing="counting"), written)


@command("Solve", "candidates puzzles.txt --format grid")
def candidates(source: Sharded, solver: ChosenBackend, written: Drawn) -> Code:
    """List for each cell the values that it takes in at least one solution.

    The format grid draws a board with these values in each cell; the format line has one position for every value of
    every cell, like the input format pencilmarks. In both, a puzzle without a solution becomes a comment line (#).
    """
    solver.checked()
    verb = Marking(solver.backend, solver.limits, jobs=solver.jobs)
    drawn = partial(_candidates_drawn, source.alphabet)
    shown = Shown(verb, "candidates", _candidates_lines, _candidates_details, "looking for candidates", drawn)
    return answer(source, shown, _on_terminal(written))


def _candidates_lines(block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Yield one position for every value of every cell, or a comment, or "" for a row without an answer."""
    for row, line in enumerate(listed(answers["candidates"])):
        why = _why(answers.at(row)) if line is None else ""
        comment = f"# {why} ({where_it_stands(block.entry(row))})\n" if why else ""
        yield comment if line is None else f"{line}\n"


def _candidates_drawn(alphabet: str | None, block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Draw the candidates under a title line; extra cells are listed below the board."""
    for row in range(len(block)):
        entry, answer = block.entry(row), answers.at(row)
        why, puzzle = _why(answer), entry.puzzle
        if puzzle is None or (why == "" and answer.values["candidates"] is None):
            yield ""
            continue
        found, names = _values(answer), puzzle.shape.names
        text = f"# {title_of(entry)}{why and ': ' + why}\n"
        if found:
            text += marks_text(puzzle.shape, [found[name] for name in names], alphabet, puzzle.grid.unused) + "\n"
        extra = (name for name in found if name not in set(names))
        yield text + "".join(f"# {name}: {' '.join(map(str, found[name]))}\n" for name in extra)


def _candidates_details(answers: BlockAnswers) -> dict[str, Any]:
    found: list[Any] = [_by_cell(line) for line in listed(answers["candidates"])]
    for row, alone in answers.alone.items():
        found[row] = dict(alone.found) if isinstance(alone.found, Candidates) else None
    return {"candidates": found, **details_of_records(answers)}


def _by_cell(line: str | None) -> dict[str, list[int]]:
    """Return the candidates of a classic board, answered in a batch, by cell name; empty lists without a solution."""
    return {name: _cell((line or "")[at : at + 9]) for name, at in zip(NINE.names, range(0, 729, 9), strict=True)}


@cache
def _cell(marks: str) -> list[int]:
    return [int(value) for value in marks if value != "."]


def _values(answer: RowAnswer) -> dict[str, Sequence[int]]:
    """Return the values of each cell by its name, or an empty mapping if no solution is known."""
    found = answer.found
    if isinstance(found, Candidates):
        return dict(found) if found.solvable else {}
    line = answer.values["candidates"]
    return {} if line is None else dict(_by_cell(line))


def _why(answer: RowAnswer) -> str:
    """Return the reason why candidates may be missing, or why there are none."""
    status, reason = answer.values["status"], answer.values["reason"]
    known = status == Status.UNKNOWN and getattr(answer.found, "solvable", None)
    return f"there may be more: {reason}" if known else _no_solution(status, reason)


@command("Solve", "validate --core puzzles.txt")
def validate(
    source: Sharded, *, core: bool = False, backend: str = "auto", time_limit: Seconds | None = None, written: Written
) -> Code:
    """Check whether each board is legal: no house holds a value twice. A board may be partly filled.

    --core  If there is no solution, name the givens, houses and rules that conflict.
    """
    refuse(
        core or (backend == "auto" and time_limit is None),
        "--backend and --time-limit need --core: without it nothing is solved",
    )
    verb: Verb = Validating()
    if core:
        choice = ChosenBackend(backend, time_limit).checked()
        verb = Explaining(choice.backend, choice.limits)
    details = partial(details_by, partial(_validation, core))
    return answer(source, Shown(verb, "validate", partial(_verdicts, core), details, "validating"), written)


def _verdicts(core: bool, block: Block, answers: BlockAnswers) -> Iterator[str]:
    """Yield the verdicts in words, or "" for a board that could not be read."""
    for clues, status, complete, reason in answers.lists("clues", "status", "complete", "reason"):
        verdict = "legal and complete" if complete else "legal"
        if clues is None:
            yield ""
        elif status == "illegal":
            yield f"illegal: {reason}\n"
        else:
            yield f"{verdict}, {reason or 'solvable'}\n" if core else f"{verdict}\n"


def _validation(core: bool, found: Any) -> dict[str, Any]:
    clashes = found.clashes if isinstance(found, Validation) else ()
    listed = [{"house": c.house, "value": c.value, "cells": list(c.cells)} for c in clashes]
    return {"clashes": listed, **({"core": list(found.parts) if isinstance(found, Core) else None} if core else {})}
