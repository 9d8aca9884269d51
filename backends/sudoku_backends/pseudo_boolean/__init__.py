"""The backends ``exact`` and ``opb``: solvers of sums of 0-1 variables, under the form that the export ``opb`` writes.

``exact`` is Exact by its Python package, ``opb`` any program of the pseudo-Boolean competitions. Both ask one engine
again and again, with a row more that forbids what was found, or asks for better.
"""
