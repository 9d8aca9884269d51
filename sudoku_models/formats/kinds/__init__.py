"""The formats, one in each file: its reader, its writer, how it is recognised, and what it can hold."""
