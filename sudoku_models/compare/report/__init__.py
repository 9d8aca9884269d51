"""Reports of a comparison: a page, tables, plots for notebooks, files that other programs read."""

from .report import SUFFIXES, Report
from .source import read_run

__all__ = ["SUFFIXES", "Report", "read_run"]
