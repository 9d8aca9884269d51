"""What follows from the givens: singles and locked candidates; three ways from domains to a problem."""
