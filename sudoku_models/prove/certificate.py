"""A certificate: a problem as text, a claim about it, the known solutions, a formula and its refutation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .drat import Step
from .formula import FlatFormula
from .lrat import ProofLine, are_literals
from .statement import Claim, Statement


def amount(number: int, noun: str) -> str:
    """Return a number with its noun, such as "3 clauses"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@dataclass(frozen=True)
class Certificate:
    """A claim with its proof.

    ``solutions`` have a value for each variable of the model, in its order. ``formula`` is satisfiable only if the
    claim is false; ``proof`` refutes it. ``refuter`` names the engine that wrote the proof. A proof without hints
    (DRAT) is in ``drat``, and ``proof`` is empty then. ValueError for a clause in it with 0 or with anything but whole
    numbers.
    """

    statement: Statement
    claim: Claim
    solutions: tuple[tuple[int, ...], ...]
    formula: FlatFormula = field(repr=False)
    proof: tuple[ProofLine, ...] = field(repr=False)
    refuter: str = ""
    drat: tuple[Step, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        wrong = next((clause for _, clause in self.drat or () if not are_literals(clause)), None)
        if wrong is not None:
            raise ValueError(f"a clause of the proof has {str(wrong)[:80]}: whole numbers other than 0 are expected")

    @property
    def lemmas(self) -> int:
        """The number of lemmas in the proof."""
        if self.drat is not None:
            return sum(added for added, _ in self.drat)
        return sum(line.deleted is None for line in self.proof)

    @property
    def steps(self) -> Sequence[Step]:
        """The proof without hints.

        Deletions by number are left out; ``certify`` writes none. A proof by unit propagation remains a proof without
        them; one with lemmas by resolution on a literal may need them.
        """
        if self.drat is not None:
            return self.drat
        return [(True, line.clause) for line in self.proof if line.deleted is None]

    @cached_property
    def objective(self) -> int | None:
        """The value of the objective in the best solution; None for the other claims."""
        model = self.statement.model
        if self.claim is not Claim.OPTIMAL or model.objective is None or not self.solutions:
            return None
        return model.objective.value(dict(zip(model.names, self.solutions[0], strict=True)))

    def __repr__(self) -> str:
        return f"<Certificate: {self}>"

    def _repr_html_(self) -> str:
        return f"<div>{self}</div>"

    def __str__(self) -> str:
        words = {
            Claim.UNIQUE: "one solution",
            Claim.UNSATISFIABLE: "no solution",
            Claim.COUNT: amount(len(self.solutions), "solution"),
            Claim.OPTIMAL: f"no solution better than {self.objective}",
        }
        sizes = f"{amount(self.formula.clauses, 'clause')}, {amount(self.lemmas, 'lemma')} by {self.refuter}"
        return f"{words[self.claim]} ({sizes})"
