"""The ladder's loops as kernels, which are compiled: what single atoms remove, and trials.

``layout`` says where things lie, ``revising`` makes one atom consistent (``remembering``: once),
``choices`` is level 1.k, ``rounds`` are the
trials. The plain classes of ``sudoku_models.explain.atoms`` and the plain ladder find the same.
"""

from . import choices, revising, rounds  # noqa: F401  # the kernels enter KERNELS
