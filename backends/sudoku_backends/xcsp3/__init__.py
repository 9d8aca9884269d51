"""The backends ``ace`` and ``choco``: constraint solvers in Java, which read what the export ``xcsp3`` writes.

The package ``pycsp3`` brings both as jars; it is not imported. A run is a process of Java, and ends with this one.
"""
