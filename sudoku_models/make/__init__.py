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
    from .arrays import Forms as Forms
    from .arrays import augment as augment
    from .arrays import canonical_arrays as canonical_arrays
    from .arrays import credit_arrays as credit_arrays
    from .arrays import verify_arrays as verify_arrays
    from .datasets import Dataset as Dataset
    from .datasets import dataset as dataset
    from .fewest import CluesNeeded as CluesNeeded
    from .fewest import Completed as Completed
    from .fewest import clues_needed as clues_needed
    from .fewest import complete as complete
    from .fewest import unavoidable as unavoidable
    from .generating import Generated as Generated
    from .generating import Nearest as Nearest
    from .generating import generate as generate
    from .minimising import Minimised as Minimised
    from .minimising import Smallest as Smallest
    from .minimising import minimise as minimise
    from .minimising import redundant as redundant
    from .neighbours import Search as Search
    from .neighbours import search as search
    from .places import PLACES as PLACES
    from .rows import canonical_into as canonical_into
    from .rows import minimise_into as minimise_into
    from .rows import traces_into as traces_into
    from .solution_grids import grids as grids
    from .solution_grids import jigsaw as jigsaw
    from .statistics import MinimalStatistics as MinimalStatistics
    from .statistics import Share as Share
    from .statistics import minimal_statistics as minimal_statistics
    from .symmetry import Canonical as Canonical
    from .symmetry import Transformation as Transformation
    from .symmetry import automorphisms as automorphisms
    from .symmetry import canonical as canonical
    from .symmetry import morph as morph
    from .symmetry import same as same
    from .tables import Loaded as Loaded
    from .tables import load as load
    from .traces import Trace as Trace
    from .traces import trace as trace
    from .traces import vocabulary as vocabulary
    from .wishes import SYMMETRIES as SYMMETRIES

_HOMES = {
    name: module
    for module, names in {
        "arrays": "Forms augment canonical_arrays credit_arrays verify_arrays",
        "datasets": "Dataset dataset",
        "fewest": "CluesNeeded Completed clues_needed complete unavoidable",
        "generating": "Generated Nearest generate",
        "solution_grids": "grids jigsaw",
        "minimising": "Minimised Smallest minimise redundant",
        "neighbours": "Search search",
        "places": "PLACES",
        "rows": "canonical_into minimise_into traces_into",
        "statistics": "MinimalStatistics Share minimal_statistics",
        "symmetry": "Canonical Transformation automorphisms canonical morph same",
        "tables": "Loaded load",
        "traces": "Trace trace vocabulary",
        "wishes": "SYMMETRIES",
    }.items()
    for name in names.split()
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    return imported(__name__, _HOMES, name)
