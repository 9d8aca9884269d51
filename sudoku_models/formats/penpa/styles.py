"""How penpa-edit draws: the colours of its numbered styles, and the sizes of its symbols in cells."""

from __future__ import annotations

from collections.abc import Mapping


def _by_number(numbers: Mapping[str, tuple[int, ...]]) -> Mapping[int, str]:
    return {number: colour for colour, found in numbers.items() for number in found}


LINES = _by_number(
    {
        "#000000": (2, 4, 10, 13, 16, 17, 21, 80),
        "#444444": (12,),
        "#777777": (7, 14, 15),
        "#999999": (5, 6, 40),
        "#208020": (3, 30, 98),
        "#ff0000": (8,),
        "#187bcd": (9,),
    }
)
_SHADES = "#444444 #b3ffb3 #cccccc #000000 #c0e0ff #ffa3a3 #ffffa3 #999999 #ffb3ff #ffcc80 #cc99ff #eecab1 #ff6700"
SURFACES: Mapping[int, str] = {**dict(enumerate(_SHADES.split(), start=1)), 99: "#f0f0f0"}
FIGURES = _by_number(
    {"#ffffff": (0, 1, 6, 7, 8, 10), "#000000": (2,), "#cccccc": (3, 5, 9), "#ff0000": (11,), "#208020": (12,)}
)
"""The fill colours of shapes; shapes that are not listed are hollow."""
BEHIND_NUMBERS: Mapping[int, str] = {5: "#ffffff", 6: "#ffffff", 7: "#000000", 11: "#ff0000"}
"""The circles around numbers, by the style of the number."""
_WIDTHS = {"LL": 1.0, "L": 0.86, "M": 0.7, "S": 0.44, "SS": 0.26}
SIZES: Mapping[str, float] = {
    f"{figure}_{size}": width for figure in ("circle", "square", "diamond") for size, width in _WIDTHS.items()
}
CIRCLES: Mapping[str, float] = {"1": 0.84, "2": 0.84, "4": 0.62, "5": 0.34, "6": 0.5, "10": 0.72, "7": 0.84}
"""The width of the circle around a number, by the size of the number."""
SIGNS = ("<", "^", ">", "\u2228")
"""The symbols of inequality, 1 to 4."""
PILLS: Mapping[int, tuple[int, int]] = {1: (1, 2), 2: (2, 1), 3: (1, 3), 4: (3, 1), 5: (1, 1)}
"""The pills of arrows: the rows and columns that each covers, from the cell in which it is drawn."""
_STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
ARROWS: Mapping[str, tuple[int, int]] = {f"_{number}": step for number, step in enumerate(_STEPS)}
"""The directions of arrows next to numbers, in rows and columns."""
