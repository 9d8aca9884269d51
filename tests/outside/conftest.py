"""The package in ``lookahead`` is another project: its tests run where it is installed."""

collect_ignore = ["lookahead"]
