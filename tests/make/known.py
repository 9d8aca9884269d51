"""Exact figures about 9 x 9 grids, known from elsewhere."""

SYMMETRIES = 2 * 6**8 * 362_880
"""The number of symmetries of the cells, and of names of the digits."""

CLASSES_OF_ORDER = {
    1: 5_472_170_387, 2: 548_449, 3: 7_336, 4: 2_826, 6: 1_257, 8: 29, 9: 42, 12: 92, 18: 85, 27: 2, 36: 15, 54: 11,
    72: 2, 108: 3, 162: 1, 648: 1,
}  # fmt: skip
"""The number of classes of grids up to symmetry for each order of the automorphism group (Russell and Jarvis 2006).

Together they are 5,472,730,538. A class has as many grids as there are symmetries, divided by the order.
"""

MOST_REGULAR = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The grid with 648 automorphisms."""
