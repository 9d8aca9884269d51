"""The formats, one a file: what reads it, what writes it, how it is recognised, what it holds."""
