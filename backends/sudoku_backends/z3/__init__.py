"""The backend ``z3``: a Boolean for each value of each variable, sums and all-different as pseudo-Boolean constraints.

Measured on 9x9 boards, first solution and proof of uniqueness: integers with Distinct 200 ms and more, bit vectors 60,
Booleans 12.
"""

from .backend import BACKEND, Z3

__all__ = ["BACKEND", "Z3"]
