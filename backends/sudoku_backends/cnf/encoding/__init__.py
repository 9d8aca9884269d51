"""From a model to clauses over candidates, and the DIMACS format."""
