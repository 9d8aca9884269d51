"""OR-tools' CP-SAT: integer variables and its own global constraints, or (``form=booleans``) one literal per value.

Solving runs with one worker unless more are asked for: on boards of usual size more threads only waste time.
"""

from .backend import BACKEND, CpSat, CpSatOptions

__all__ = ["BACKEND", "CpSat", "CpSatOptions"]
