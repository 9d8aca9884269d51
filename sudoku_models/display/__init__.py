"""How figures and tables are shown."""

from .table import Column, Table
from .units import seconds

__all__ = ["Column", "Table", "seconds"]
