"""Reports in files that other programs read; one module for each format."""
