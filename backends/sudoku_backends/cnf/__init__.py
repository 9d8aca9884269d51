"""Models as clauses: the direct encoding into conjunctive normal form, and the SAT solvers that take it.

The words used here: a *candidate* is a pair (variable, value); a *literal* is a candidate's number, negative for "not";
a *list* is a group of candidates of which at most one is true (the values of a variable, the places of a value in an
AllDifferent); an AllDifferent over as many variables as values is a *house*, and exactly one of its lists is true.
"""
