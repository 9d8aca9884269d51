"""The ladder's loops as compiled kernels: what single atoms remove, and trials.

``layout`` defines the arrays, ``revising`` makes one atom consistent (``remembering``: with a cache), ``choices``
implements level 1.k, ``rounds`` the trials. The plain classes of ``sudoku_models.explain.atoms`` and the plain ladder
find the same.
"""

from . import choices, revising, rounds  # noqa: F401  # the kernels enter KERNELS
