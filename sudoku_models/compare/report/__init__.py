"""Reports of a comparison: a page, tables, plots for notebooks, files that other programs read."""

from .earlier_run import read_run
from .report import SUFFIXES, Report, check_target

__all__ = ["SUFFIXES", "Report", "check_target", "read_run"]
