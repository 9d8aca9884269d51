"""The verbs for one problem: solve, count, candidates, validate, cross_check, core and export."""
