"""Make puzzles: solution grids, puzzles with one solution, least forms, minimal sets of clues.

>>> from sudoku_models.make import generate
>>> [puzzle.clues for puzzle in generate(1, clues=30, minimal=False, seed=1)]
[30]

Loops are compiled if llvmlite is installed (extra ``fast``), and otherwise run as plain Python with the same results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import on_first_use

if TYPE_CHECKING:
    from .arrays import Forms, augment, canonical_arrays, credit_arrays, verify_arrays
    from .datasets import Dataset, dataset
    from .fewest import CluesNeeded, Completed, clues_needed, complete, unavoidable
    from .generating import Generated, Nearest, generate
    from .kinds import PLACES
    from .minimising import Minimised, Smallest, minimise, redundant
    from .neighbours import Search, search
    from .rows import canonical_into, minimise_into, traces_into
    from .solution_grids import grids, jigsaw
    from .statistics import MinimalStatistics, Share, minimal_statistics
    from .symmetry import SYMMETRIES, Canonical, Transformation, automorphisms, canonical, morph, same
    from .tables import Loaded, load
    from .traces import Trace, trace, vocabulary

__all__ = [
    "PLACES", "SYMMETRIES", "Canonical", "CluesNeeded", "Completed", "Dataset", "Forms", "Generated", "Loaded",
    "MinimalStatistics", "Minimised", "Nearest", "Search", "Share", "Smallest", "Trace", "Transformation", "augment",
    "automorphisms", "canonical", "canonical_arrays", "canonical_into", "clues_needed", "complete", "credit_arrays",
    "dataset", "generate", "grids", "jigsaw", "load", "minimal_statistics", "minimise", "minimise_into", "morph",
    "redundant", "same", "search", "trace", "traces_into", "unavoidable", "verify_arrays", "vocabulary",
]  # fmt: skip

__getattr__, __dir__ = on_first_use(__name__, __all__, {
    "arrays": "Forms augment canonical_arrays credit_arrays verify_arrays",
    "datasets": "Dataset dataset",
    "fewest": "CluesNeeded Completed clues_needed complete unavoidable",
    "generating": "Generated Nearest generate",
    "solution_grids": "grids jigsaw",
    "kinds": "PLACES",
    "minimising": "Minimised Smallest minimise redundant",
    "neighbours": "Search search",
    "rows": "canonical_into minimise_into traces_into",
    "statistics": "MinimalStatistics Share minimal_statistics",
    "symmetry": "SYMMETRIES Canonical Transformation automorphisms canonical morph same",
    "tables": "Loaded load",
    "traces": "Trace trace vocabulary",
})  # fmt: skip
