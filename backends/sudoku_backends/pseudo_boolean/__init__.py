"""The backends ``exact`` and ``opb``: solvers of sums of 0-1 variables, in the form that the export ``opb`` writes.

``exact`` is Exact by its Python package, ``opb`` any program of the pseudo-Boolean competitions. Both ask one engine
repeatedly, each time with one more row, which forbids what was found or asks for better.
"""
