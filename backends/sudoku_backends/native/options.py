"""The options of the backend ``native``, and what they may leave out."""

from __future__ import annotations

from dataclasses import dataclass, field

from sudoku_models.errors import BadOption

REDUCTIONS = (
    "group-sizes", "shared-peers", "joined-relations", "counts-together", "different-letters", "house-sums",
    "value-sets",
)  # fmt: skip
"""The names of what is derived from several constraints together; see ``network.reductions``."""

REASONING = {
    "locked": 1, "common-peers": 2, "cliques": 4, "reached-sums": 8, "hidden": 16, "sleep": 32, "restarts": 64,
    "probing": 128,
}  # fmt: skip
"""The reasoning that the kernel can leave out, with its SKIP_ bits: values locked in part of a house, common peers of
required values, sums over groups of different cells, sums reached exactly, the last place of a value, letting reasoning
that removes nothing sleep, restarting a search that finds nothing, and then trying every value once."""


@dataclass(frozen=True)
class NativeOptions:
    """``without``: the reductions and reasoning to leave out, joined by ``+``, to measure what each is worth.

    ``several``: what to do if there are several solutions: find them, or give up (``pass``), so that another engine
    chooses which comes first. ``patience``: the number of times that the search may examine a constraint before it
    gives up; each solution found allows the same number again. A search with patience 0, or with a thousand
    solutions found, goes on to the end.
    """

    without: str = ""
    patience: int = 0
    several: str = field(default="find", metadata={"choices": ("find", "pass"), "gives_up": ("pass",)})

    def __post_init__(self) -> None:
        if self.patience < 0:
            raise BadOption(f"native: patience={self.patience} is negative: 0 (no end) or more is expected")
        known = (*REDUCTIONS, *REASONING)
        unknown = sorted(self.names - set(known))
        if unknown:
            raise BadOption(
                f"native: without={unknown[0]} is not a reduction that can be left out: {', '.join(known)} are known"
            )

    @property
    def names(self) -> frozenset[str]:
        """The names of what is left out."""
        return frozenset(filter(None, self.without.split("+")))

    @property
    def skipped(self) -> int:
        """The reasoning that is left out, as bits."""
        return sum(bit for name, bit in REASONING.items() if name in self.names) if self.without else 0
