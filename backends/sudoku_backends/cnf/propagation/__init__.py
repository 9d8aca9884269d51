"""What follows from the givens: singles and locked candidates, in three ways from domains to a problem."""
