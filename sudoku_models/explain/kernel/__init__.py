"""The ladder's loops as kernels, compiled or as plain Python: what single atoms remove, and trials.

``layout`` defines the arrays, ``revising`` makes one atom consistent, ``rounds`` makes trials,
``stages`` finds the cheapest stages one after the other.
"""

from . import revising, rounds, stages  # noqa: F401  # the kernels enter KERNELS
