"""The ladder's loops as compiled kernels: what single atoms remove, and trials.

``layout`` defines the arrays, ``revising`` makes one atom consistent (``remembering``: with a cache), ``rounds``
makes trials, ``stages`` finds the cheapest stages one after the other. The plain classes of
``sudoku_models.explain.atoms`` and the plain ladder find the same.
"""

from . import revising, rounds, stages  # noqa: F401  # the kernels enter KERNELS
