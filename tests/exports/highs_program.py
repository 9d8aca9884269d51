"""A program of its own (HiGHS does not share a process with OR-Tools): reads MPS files, enumerates their solutions.

Arguments: how many solutions at most, then files. Prints a JSON list: for each file its solutions, each a list of the
columns that are 1; with an objective only the best one.
"""

from __future__ import annotations

import json
import sys

import highspy


def enumerated(path: str, limit: int) -> list[list[str]]:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(path) == highspy.HighsStatus.kOk, path
    lp = highs.getLp()
    names, optimises = list(lp.col_names_), any(lp.col_cost_)
    assert all(kind == highspy.HighsVarType.kInteger for kind in lp.integrality_)
    assert all((low, high) == (0, 1) for low, high in zip(lp.col_lower_, lp.col_upper_, strict=True))
    found: list[list[str]] = []
    while len(found) < (1 if optimises else limit):
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            break
        values = [round(value) for value in highs.getSolution().col_value]
        found.append([name for name, value in zip(names, values, strict=True) if value])
        signs = [-1.0 if value else 1.0 for value in values]
        highs.addRow(1.0 - sum(values), highspy.kHighsInf, len(names), list(range(len(names))), signs)
    return found


if __name__ == "__main__":
    print(json.dumps([enumerated(path, int(sys.argv[1])) for path in sys.argv[2:]]))
