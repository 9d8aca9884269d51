"""Refuters: engines that prove a formula unsatisfiable and write down the proof, found by entry point.

Group ``sudoku_models.refuters``. Whoever uses a proof checks it; nothing is trusted here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import BackendMissing, BadOption, LimitReached, meant
from .budget import Budget, OutOfTime
from .check import guarded
from .registry import entries_of, lacking

GROUP = "sudoku_models.refuters"

PREFERRED = ("cdcl", "glucose4", "cadical153")
"""The refuters for ``auto``: the first installed one is used."""

SECOND = ("cadical", "glucose4", "cadical153")
"""The refuters that ``auto`` tries if the preferred one takes long: the first installed one is used."""

FIRST = 10.0
"""Seconds that ``auto`` gives the preferred refuter if there is another one; at most a third of the limit."""


@dataclass(frozen=True)
class Cnf:
    """A formula: ``numbers`` are literals, with a 0 at the end of each clause; the first variables matter most."""

    numbers: array[int]
    clauses: int
    variables: int


@dataclass(frozen=True)
class Lemma:
    """A clause that follows from those before it; the last one of a refutation is empty.

    ``hints`` are the numbers of the clauses that become unit, one after another, when the lemma is assumed false; the
    last of them is violated (as in LRAT). The clauses of the formula are numbered from 1, ``number`` is the lemma's
    own. Without hints, the engine does not give the derivation.
    """

    number: int
    clause: tuple[int, ...]
    hints: tuple[int, ...] = ()


class Refuter(Protocol):
    """An engine that writes proofs.

    It may have more: ``with_options(text)``; ``derived``, see below; ``shared(cnf)``, for formulas that begin with the
    clauses of ``cnf``: ``refute(numbers, clock)`` of what it returns takes the further clauses (literals, a 0 after
    each) and returns a proof in numbers, or None. Such a proof is a numpy array of int32 in LRAT order: for each lemma
    its number, its literals, 0, its hints, 0; the last lemma is empty.
    """

    @property
    def requires(self) -> tuple[str, ...]:
        """The modules that the engine needs."""

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs that the engine needs on the path."""

    @property
    def install(self) -> str:
        """The command that installs the engine."""

    def refute(self, cnf: Cnf, clock: Budget) -> Sequence[Lemma] | None:
        """Return lemmas that end with the empty clause; None if the formula is satisfiable.

        Raises OutOfTime if the clock expires first.
        """


def refute(cnf: Cnf, refuter: str = "auto", time_limit: float | None = None) -> tuple[str, Sequence[Lemma] | None]:
    """Return the refuter's name and the lemmas that refute a formula, or None if it is satisfiable.

    ``auto`` gives the preferred refuter ``FIRST`` seconds, or a third of the time, and then tries another one that is
    installed. Raises BadOption for an unknown refuter, BackendMissing if its engine is not installed, LimitReached
    after ``time_limit`` seconds, BackendFailed if the engine raised.
    """
    first = chosen(refuter)[0]
    other = next((name for name in installed(SECOND) if name != first), None) if refuter == "auto" else None
    if other is None:
        return _refuted(cnf, refuter, time_limit)
    clock = Budget(time_limit).start()
    try:
        return _refuted(cnf, refuter, FIRST if time_limit is None else min(FIRST, time_limit / 3))
    except LimitReached:
        return _refuted(cnf, other, clock.left)


def _refuted(cnf: Cnf, refuter: str, time_limit: float | None) -> tuple[str, Sequence[Lemma] | None]:
    name, engine = chosen(refuter)
    try:
        return name, guarded(name, engine.refute, cnf, Budget(time_limit).start())
    except OutOfTime:
        raise LimitReached(f"{name} found no refutation within {time_limit} s", None) from None


def derived(cnf: Cnf, clauses: Sequence[Sequence[int]], time_limit: float | None, *, every: bool = False) -> Any:
    """Return a proof in numbers (see ``Refuter``) with hints for the clauses of a proof without hints.

    None if no engine for this is installed, or if the clauses that follow by propagation are not a refutation; with
    ``every`` also if one of them does not follow. LimitReached after ``time_limit`` seconds.
    """
    entries = entries_of(GROUP)
    able: Iterator[Any] = (entries[name].load() for name in installed(entries))
    engine = next((engine for engine in able if hasattr(engine, "derived")), None)
    try:
        return None if engine is None else engine.derived(cnf, clauses, Budget(time_limit).start(), every)
    except OutOfTime:
        raise LimitReached(f"the proof was not read within {time_limit} s", None) from None


def chosen(refuter: str) -> tuple[str, Refuter]:
    """Return the name and the engine of a refuter; for ``auto`` the first preferred one that is installed.

    Options follow a colon: ``dimacs:program=NAME ARGUMENTS``.
    """
    entries = entries_of(GROUP)
    if refuter == "auto":
        refuter = next(installed(PREFERRED), "")
        if not refuter:
            raise BackendMissing("certificates need an engine that writes proofs: pip install 'sudoku-models[fast]'")
    name, colon, options = refuter.partition(":")
    if name not in entries:
        raise BadOption(f"there is no refuter {name!r}: {', '.join(sorted(entries))} are known{meant(name, entries)}")
    engine: Any = entries[name].load()
    if colon:
        if not hasattr(engine, "with_options"):
            raise BadOption(f"the refuter {name} has no options: {options}")
        engine = engine.with_options(options)
    if absent := lacking(engine.requires, engine.programs):
        raise BackendMissing(f"{refuter} needs {', '.join(absent)}: {engine.install}")
    return refuter, engine


def installed(names: Iterable[str]) -> Iterator[str]:
    """Yield the refuters among these whose engines are installed."""
    for name in names:
        engine = entries_of(GROUP)[name].load() if name in entries_of(GROUP) else None
        if engine and not lacking(engine.requires, engine.programs):
            yield name
