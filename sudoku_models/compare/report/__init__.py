"""Reports of a comparison: a page, tables, plots for notebooks, files that other programs read."""

from .report import SUFFIXES, Report, check_target, read_run

__all__ = ["SUFFIXES", "Report", "check_target", "read_run"]
