"""Models as clauses: the direct encoding into conjunctive normal form, and the SAT solvers that use it.

Three folders, each of which imports only from those before it:

- ``encoding``: from a model to clauses. ``space`` numbers the candidates, ``structure`` is what is known about a model
  before any puzzle, ``reduce`` applies the givens, ``encode`` writes what is left as a ``formula``.
- ``propagation``: what follows from the givens before a solver is asked. ``prepare`` chooses the road from domains to
  a problem: ``fast`` (kernels, in ``worklist``), or without machine code ``propagate`` (numpy, for every model) and
  ``small`` (boards up to 10 x 10 after some puzzles). Clauses are written by ``encode``, from the table of pairs in
  ``small``, or by ``worklist``.
- ``solvers``: the backends ``pycosat``, ``pysat`` and ``dimacs``, the refuters that write proofs, and what they share.

The words used here: a *candidate* is a pair (variable, value); a *literal* is a candidate's number, negative for "not";
a *list* is a group of candidates of which at most one is true (the values of a variable, the places of a value in an
AllDifferent); an AllDifferent over as many variables as values is a *house*, and exactly one of its lists is true.
"""
