"""Make puzzles: solution grids, puzzles with one solution, least forms, minimal sets of clues.

>>> from sudoku_models.make import generate
>>> [puzzle.clues for puzzle in generate(1, clues=30, minimal=False, seed=1)]
[30]

Loops are compiled if numba is installed (extra ``fast``), and otherwise run as plain Python with the same results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..lazy import imported

if TYPE_CHECKING:
    from .datasets import Dataset, dataset
    from .form_arrays import Forms, augment, canonical_arrays, credit_arrays, verify_arrays
    from .generated import Generated, Nearest
    from .generating import generate
    from .jigsaws import jigsaw
    from .loading_tables import Loaded, load
    from .many_made import canonical_into, minimise_into, traces_into
    from .minimising import Minimised, Smallest, minimise, redundant
    from .patterns import SYMMETRIES
    from .rule_places import PLACES
    from .searching import Search, search
    from .solution_grids import grids
    from .starting import Completed, complete
    from .statistics import MinimalStatistics, Share, minimal_statistics
    from .symmetry import Canonical, automorphisms, canonical, morph, same
    from .traces import Trace, trace, vocabulary
    from .transformation import Transformation
    from .unavoidable_sets import CluesNeeded, clues_needed, unavoidable

_HOMES = {
    "Canonical": "symmetry",
    "Completed": "starting",
    "Search": "searching",
    "complete": "starting",
    "search": "searching",
    "CluesNeeded": "unavoidable_sets",
    "Dataset": "datasets",
    "Loaded": "loading_tables",
    "dataset": "datasets",
    "load": "loading_tables",
    "Forms": "form_arrays",
    "Generated": "generated",
    "Nearest": "generated",
    "MinimalStatistics": "statistics",
    "Minimised": "minimising",
    "Share": "statistics",
    "PLACES": "rule_places",
    "SYMMETRIES": "patterns",
    "Smallest": "minimising",
    "Trace": "traces",
    "trace": "traces",
    "vocabulary": "traces",
    "Transformation": "transformation",
    "augment": "form_arrays",
    "automorphisms": "symmetry",
    "canonical": "symmetry",
    "canonical_arrays": "form_arrays",
    "canonical_into": "many_made",
    "minimise_into": "many_made",
    "traces_into": "many_made",
    "jigsaw": "jigsaws",
    "credit_arrays": "form_arrays",
    "generate": "generating",
    "grids": "solution_grids",
    "clues_needed": "unavoidable_sets",
    "minimal_statistics": "statistics",
    "minimise": "minimising",
    "unavoidable": "unavoidable_sets",
    "morph": "symmetry",
    "redundant": "minimising",
    "same": "symmetry",
    "verify_arrays": "form_arrays",
}

__all__ = [
    "PLACES",
    "SYMMETRIES",
    "Canonical",
    "CluesNeeded",
    "Completed",
    "Dataset",
    "Forms",
    "Generated",
    "Loaded",
    "MinimalStatistics",
    "Minimised",
    "Nearest",
    "Search",
    "Share",
    "Smallest",
    "Trace",
    "Transformation",
    "augment",
    "automorphisms",
    "canonical",
    "canonical_arrays",
    "canonical_into",
    "clues_needed",
    "complete",
    "credit_arrays",
    "dataset",
    "generate",
    "grids",
    "jigsaw",
    "load",
    "minimal_statistics",
    "minimise",
    "minimise_into",
    "morph",
    "redundant",
    "same",
    "search",
    "trace",
    "traces_into",
    "unavoidable",
    "verify_arrays",
    "vocabulary",
]


def __getattr__(name: str) -> Any:
    return imported(__name__, _HOMES, name)
