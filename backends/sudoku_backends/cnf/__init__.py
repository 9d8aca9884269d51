"""Models as clauses: the direct encoding into conjunctive normal form, and the SAT solvers that use it.

The files, each of which imports only from those before it:

- ``compiled``: the options, what is accepted, a compiled model, its clauses as plain Python and as DIMACS;
- ``at_most_one``: patterns of clauses for a list; ``formula``: a model, its givens applied, and clauses of the rest;
- ``propagation``: what follows from the givens before a solver is asked, as kernels;
- ``search``: searches, with one solver that is kept and assumptions; objectives as clauses;
- ``pycosat``, ``pysat`` and ``program``: the backends ``pycosat``, ``pysat`` and ``dimacs``, and refuters.

The words used here: a *candidate* is a pair (variable, value); a *literal* is a candidate's number, negative for "not";
a *list* is a group of candidates of which at most one is true (the values of a variable, the places of a value in an
AllDifferent); an AllDifferent over as many variables as values is a *house*, and exactly one of its lists is true.
"""
