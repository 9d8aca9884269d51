"""The formats, one a file: what reads it, what writes it, what tells it from others, what it holds."""
