"""What is known of the solvers of PySAT."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SatSolver:
    """What is known of a solver of PySAT. ``name`` is its name there.

    ``releases``: other threads can run while it solves, if an interrupt is announced to it. ``punctual``: it stops at
    once at a bound of conflicts; otherwise only where it restarts, which may be a second later. ``proves``: it writes a
    proof.
    """

    name: str
    releases: bool
    punctual: bool
    proves: bool


SOLVERS = {
    "minisat22": SatSolver("minisat22", releases=True, punctual=True, proves=False),
    "glucose4": SatSolver("glucose4", releases=True, punctual=False, proves=True),
    "cadical153": SatSolver("cadical153", releases=False, punctual=True, proves=True),
}
