"""Numbers with their units."""

from __future__ import annotations

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def seconds(value: float | None) -> str:
    """Write a time with three digits and its unit; return "" for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    size, unit = next(((size, unit) for size, unit in _UNITS if abs(value) >= 0.9995 * size), _UNITS[-1])
    return f"{_three_digits(value / size)} {unit}"


def _three_digits(value: float) -> str:
    for decimals, least in ((0, 99.95), (1, 9.995)):
        if abs(value) >= least:
            return f"{value:,.{decimals}f}"
    return f"{value:.2f}"
