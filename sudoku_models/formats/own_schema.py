"""The JSON Schema of the package's own JSON, made from the field declarations of the rules.

It describes the form of a document. Only the reader can find errors that depend on the board (a cell outside it,
overlapping regions, an impossible clue). ``python -m sudoku_models.formats.own_schema`` prints it.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import Any

from ..model.regular import MOST_STATES
from ..puzzle.rules import Rule, known_rules
from ..puzzle.rules.fields import NUMBER
from ..puzzle.shape import LARGEST_SIDE
from .own_json import MOST_RULES, MOST_VALUES, SCHEMA, VERSION, is_known

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAME = "([Rr]0*[1-9][0-9]{0,3}[Cc]0*[1-9][0-9]{0,3}|[A-Z]{1,40}([1-9][0-9]{0,5})?)"
_ON_GRID = {"type": "string", "pattern": "^[Rr][0-9]{1,4}[Cc][0-9]{1,4}$"}
_PLACE = {"type": "string", "pattern": "^R[1-9][0-9]{0,2}C[1-9][0-9]{0,2}$"}
_NATURAL = {"type": "integer", "minimum": 0}


def schema() -> dict[str, Any]:
    """Return the schema of all rules of the package, as data of JSON."""
    found: dict[str, Any] = json.loads(json.dumps(_schema()))
    return found


def _schema() -> dict[str, Any]:
    return {
        "$schema": DIALECT,
        "title": "A Sudoku: a board, givens, candidates and rules",
        "description": "Keys that are not named here are reported as not understood, and change nothing.",
        "type": "object",
        "required": ["schema", "version", "height", "width", "givens"],
        "properties": _properties(),
        "$defs": _definitions(),
    }


def _properties() -> dict[str, Any]:
    return {
        "schema": {"const": SCHEMA},
        "version": {"const": VERSION},
        "height": _side("rows"),
        "width": _side("columns"),
        "values": _listed(NUMBER, 1, MOST_VALUES)
        | {"description": "what a cell may hold; 1 to the longer side if absent"},
        "box": _listed({"type": "integer", "minimum": 1}, 2, 2) | {"type": ["array", "null"]},
        "regions": _listed({**_listed(_PLACE), "uniqueItems": True}),
        "lines": {"type": "boolean", "description": "whether rows and columns hold each value at most once"},
        "title": {"type": "string"},
        "comment": {"type": "string"},
        "givens": {"$ref": "#/$defs/cells"},
        "candidates": _listed(
            {"type": "array", "prefixItems": [_ON_GRID, _listed(NUMBER)], "minItems": 2, "maxItems": 2}
        ),
        "rules": _listed({"$ref": "#/$defs/rule"}, most=MOST_RULES),
        "solution": {"anyOf": [{"$ref": "#/$defs/cells"}, {"type": "null"}]},
    }


def _side(what: str) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": LARGEST_SIDE, "description": f"the number of {what}"}


def _listed(items: dict[str, Any], least: int = 0, most: int | None = None) -> dict[str, Any]:
    bounds = ({"minItems": least} if least else {}) | ({} if most is None else {"maxItems": most})
    return {"type": "array", **bounds, "items": items}


def _definitions() -> dict[str, Any]:
    kinds = {name: kind for name, kind in sorted(known_rules().items()) if is_known(kind) and _is_ours(kind)}
    named = {"type": "object", "required": ["rule"], "properties": {"rule": {"enum": list(kinds)}}}
    return {
        "cell": {"type": "string", "pattern": f"^{_NAME}$"},
        "names": {"type": "string", "pattern": rf"^[\s,]*({_NAME}([\s,]+|$))+$"},
        "cells": {
            "description": "row by row: a digit or '.' a cell, or a number or null a cell",
            "anyOf": [
                {"type": "string", "pattern": "^[0-9.]*$"},
                _listed({"type": ["integer", "null"]}),
            ],
        },
        "automaton": _automaton("start", _NATURAL),
        "machine": _automaton("starts", _listed(_NATURAL)),
        "rule": {
            **named,
            "allOf": [
                {"if": {"properties": {"rule": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}} for name in kinds
            ],
        },
        **{name: _rule(name, kind) for name, kind in kinds.items()},
    }


def _is_ours(kind: type[Rule]) -> bool:
    return kind.__module__.startswith(Rule.__module__.rpartition(".")[0])


def _rule(name: str, kind: type[Rule]) -> dict[str, Any]:
    known = fields(kind)
    return {
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "required": ["rule", *(field.name for field in known if field.default is MISSING)],
        "properties": {"rule": {"const": name}} | {field.name: field.metadata["form"] for field in known},
        "additionalProperties": False,
    }


def _automaton(start: str, form: dict[str, Any]) -> dict[str, Any]:
    arrow = {"type": "array", "prefixItems": [_NATURAL, NUMBER, _NATURAL], "minItems": 3, "maxItems": 3}
    parts = {
        "states": {"type": "integer", "minimum": 1, "maximum": MOST_STATES},
        start: form,
        "accepting": _listed(_NATURAL),
        "arrows": _listed(arrow) | {"description": "[state, value, next state]"},
    }
    return {"type": "object", "required": list(parts), "properties": parts, "additionalProperties": False}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=1))
