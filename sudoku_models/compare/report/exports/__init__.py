"""Reports in files that other programs read; one module a format."""
