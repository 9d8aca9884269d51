"""What follows from the givens: singles and locked candidates, on three roads from domains to a problem."""
