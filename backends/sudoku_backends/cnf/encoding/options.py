"""The options of the encoding, shared by the SAT backends."""

from __future__ import annotations

from dataclasses import dataclass, field

from sudoku_models.errors import BadOption

HOUSE = ("extended", "efficient", "minimal")
AT_MOST_ONE = ("pairwise", "sequential", "commander", "product", "bimander")
PROPAGATE = ("auto", "none", "singles", "locked")
REDUCTION = ("givens", "none")


@dataclass(frozen=True)
class EncodingOptions:
    """How a model becomes clauses.

    ``house``: ``minimal`` says that every variable has a value and every house holds each value at most once;
    ``efficient`` adds that a variable has at most one value, ``extended`` that every house holds every value.
    ``amo`` is the encoding of at-most-one (lists of up to four candidates are always pairwise: nothing is smaller).
    ``propagate`` removes candidates before the encoding by singles, or singles and locked candidates. ``auto`` is
    ``singles`` on boards up to 10 x 10 and ``locked`` on others. Kernels do it where there can be machine code; else
    numpy, on boards of 1,000 cells or more not always to the end, or long integers. The record notes what was done.
    ``reduction=none`` keeps every candidate and adds the givens as unit clauses: the textbook's formula, for
    comparisons.
    """

    house: str = field(default="extended", metadata={"choices": HOUSE})
    amo: str = field(default="pairwise", metadata={"choices": AT_MOST_ONE})
    propagate: str = field(default="auto", metadata={"choices": PROPAGATE, "comparing": "none"})
    reduction: str = field(default="givens", metadata={"choices": REDUCTION})

    def __post_init__(self) -> None:
        for name, choices in (("house", HOUSE), ("amo", AT_MOST_ONE), ("propagate", PROPAGATE)):
            _one_of(name, getattr(self, name), choices)
        _one_of("reduction", self.reduction, REDUCTION)
        if self.reduction == "none" and self.propagate in ("singles", "locked"):
            raise BadOption(f"propagate={self.propagate} removes candidates, which reduction=none forbids")


def _one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise BadOption(f"{name}={value}: one of {', '.join(choices)} is expected")
