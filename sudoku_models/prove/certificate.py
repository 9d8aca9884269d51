"""What is certified: a problem as stated, a claim about it; and the certificate, with known solutions and a proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from ..model import Domain, Model
from ..puzzle import Puzzle, Shape
from .drat import Step
from .formula import Formula
from .lrat import ProofLine, are_literals

FEW = 20
"""If there are more values than this and they have gaps, only some are listed."""


class Claim(StrEnum):
    """The claims of certificates."""

    UNIQUE = "unique"  # there is one solution
    UNSATISFIABLE = "unsatisfiable"  # there is no solution
    COUNT = "count"  # there are exactly the solutions that are listed
    OPTIMAL = "optimal"  # no solution is better than the one that is listed


@dataclass(frozen=True)
class Statement:
    """A problem as it is certified: the model, its narrowed variables, and the puzzle whose model it is, if any.

    Solutions that differ only in variables outside ``keep`` count as one: solutions of a puzzle differ in cells,
    solutions of a model in any variable.
    """

    model: Model
    domains: Mapping[str, Domain]
    puzzle: Puzzle | None = None

    @classmethod
    def of(cls, problem: Puzzle | Model) -> Statement:
        """State a puzzle or a model."""
        if isinstance(problem, Model):
            return cls(problem, {})
        return cls(problem.structure, problem.domains, problem)

    def same(self, other: Statement) -> bool:
        """Return whether another statement is of the same problem: the same solutions, distinguished in the same
        way.
        """
        alike = self.model == other.model and self.keep == other.keep
        return alike and dict(self.domains) == dict(other.domains)

    @property
    def keep(self) -> tuple[str, ...]:
        """The variables that distinguish solutions."""
        return self.model.names if self.puzzle is None else self.puzzle.names


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
    formula: Formula = field(repr=False)
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


def in_words(puzzle: Puzzle) -> str:
    """Return everything that a puzzle states beyond its givens: cells, values, houses, candidates, rules by name."""
    shape, cells = puzzle.shape, len(puzzle.candidates)
    parts = [f"{shape.height} x {shape.width} cells", f"values {_values(shape.values)}", _regions(shape)]
    if not shape.lines:
        parts.append("rows and columns may repeat a value")
    if cells:
        parts.append(f"{amount(cells, 'cell')} with candidates of {'its' if cells == 1 else 'their'} own")
    return ", ".join([*parts, _rules(puzzle)])


def model_in_words(model: Model) -> str:
    """Return the size of a model, and whether it has an objective."""
    sizes = f"{amount(len(model.names), 'variable')}, {amount(len(model.constraints), 'constraint')}"
    return sizes if model.objective is None else f"{sizes}, an objective to {model.objective.sense}"


def _values(values: Sequence[int]) -> str:
    if len(values) > 1 and list(values) == list(range(values[0], values[-1] + 1)):
        return f"{values[0]} to {values[-1]}"
    return " ".join(map(str, values[:FEW])) + (" ..." if len(values) > FEW else "")


def _regions(shape: Shape) -> str:
    if not shape.regions:
        return "no boxes"
    height, width = shape.box or (1, 1)
    corners = [r * shape.width + c for r in range(0, shape.height, height) for c in range(0, shape.width, width)]
    inside = [r * shape.width + c for r in range(height) for c in range(width)]
    if shape.box and set(shape.regions) == {tuple(corner + k for k in inside) for corner in corners}:
        return f"boxes of {height} x {width}"
    return f"{amount(len(shape.regions), 'region')} of its own"


def _rules(puzzle: Puzzle) -> str:
    named = Counter(type(rule).__name__ for rule in puzzle.rules)
    listed = [f"{number} {name}" if number > 1 else name for name, number in named.items()]
    return f"{amount(len(puzzle.rules), 'rule')} ({', '.join(listed)})" if listed else "no rules"
