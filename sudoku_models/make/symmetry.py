"""The verbs ``canonical``, ``automorphisms``, ``same`` and ``morph``: boards up to symmetry.

Two boards are the same when a symmetry leads from one to the other. On a board with boxes, and on a Latin square, the
symmetries are all renamings of the values, all orders of bands, of rows in a band, of stacks and of columns in a
stack, and rows exchanged with columns where the boxes allow it. A jigsaw or a variant has its turns and reflections,
which carry regions and rules along; if it only states that cells differ (diagonals, windoku, anti-knight),
it has all orders of lines that preserve this, and all renamings of the values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from ..errors import NoLeastForm
from ..puzzle import Grid, Puzzle, Shape, clashes
from ..verbs.results import shortened
from ..verbs.solving import Problem, as_puzzle
from .transformation import Transformation, array_of, blocks, identity, random_cells

if TYPE_CHECKING:
    from .board_forms import BoardForms


@dataclass(frozen=True)
class Canonical:
    """The least form of a board: ``board``, and the ``transformation`` from the original board to it.

    ``automorphisms`` is the number of symmetries of the cells that keep the board up to the names of its values.
    """

    board: Any
    transformation: Transformation
    automorphisms: int

    def __repr__(self) -> str:
        return f"<Canonical: {shortened(self.to_line())}, automorphisms: {self.automorphisms}>"

    def to_line(self) -> str:
        """Return the least form in one line."""
        line: str = self.board.to_line()
        return line


def canonical(problem: Problem) -> Canonical:
    """Return the least form of a grid or a puzzle under all its symmetries, compared as lines with 0 for open cells.

    Two boards that are the same have the same form, others have different ones. The form of a Grid is a Grid, that of
    anything else a Puzzle. NoLeastForm (a ValueError) for a board with clashing values or with candidates;
    LimitReached for a large board that is nearly full.
    """
    board = problem if isinstance(problem, Grid) else as_puzzle(problem)
    puzzle = as_puzzle(board)
    _check(puzzle)
    found = _of_blocks(puzzle) if not puzzle.rules and blocks(puzzle.shape) else _of_variant(puzzle)
    if isinstance(board, Grid):
        return replace(found, board=found.board.grid)
    return found


def automorphisms(problem: Problem) -> int:
    """Return how many symmetries of the cells keep a board up to the names of its values; errors as for
    ``canonical``.
    """
    return canonical(problem).automorphisms


def same(a: Problem, b: Problem) -> Transformation | None:
    """Return a transformation from one board to the other; None if they are not the same.

    For variants it moves the cells; the rules move along. Errors as for ``canonical``.
    """
    first, second = canonical(a), canonical(b)
    one, two = as_puzzle(first.board), as_puzzle(second.board)
    if (one.shape, one.givens, one.rules) != (two.shape, two.givens, two.rules):
        return None
    return first.transformation.then(second.transformation.inverse(two.shape), one.shape)


def morph(problem: Problem, seed: int) -> Any:
    """Return another board that is the same up to symmetry: a random symmetry, determined by the seed, is applied.

    A Grid gives a Grid, anything else a Puzzle; with its candidates, its stated solution, and its rules carried along.
    """
    board = problem if isinstance(problem, Grid) else as_puzzle(problem)
    puzzle, rng = as_puzzle(board), Random(f"morph/{seed}")
    if not puzzle.rules and blocks(puzzle.shape):
        names = rng.sample(puzzle.shape.values, len(puzzle.shape.values))
        found = Transformation(random_cells(puzzle.shape, rng), tuple(names))(puzzle)
    else:
        found = _morphed_variant(puzzle, rng)
    return found.grid if isinstance(board, Grid) else found


def _check(puzzle: Puzzle) -> None:
    if puzzle.candidates:
        raise NoLeastForm("a board with candidates has no canonical form: only values and open cells are allowed")
    found = clashes(puzzle.shape, puzzle.givens)
    if found:
        raise NoLeastForm(f"the board has no solution, so it has no canonical form: {found[0]}")


def _of_blocks(puzzle: Puzzle) -> Canonical:
    from .grid_forms import grid_forms

    shape, values = puzzle.shape, array_of(puzzle.givens)
    if shape.box == (3, 3) and values.all():
        _, counts, cells, names = grid_forms(values)
        count = int(counts[0])
    else:
        finder = forms_of(shape)
        forms, ways, cells, names = finder.of(values)
        count = int(finder.automorphisms(forms, ways)[0])
    transformation = Transformation(tuple(cells[0].tolist()), tuple(names[0].tolist()))
    return Canonical(transformation(_bare(puzzle)), transformation, count)


def forms_of(shape: Shape) -> BoardForms:
    """Return the object that finds the least forms of boards of a shape with blocks; not for two threads at the same
    time.
    """
    from .board_forms import BoardForms

    found = blocks(shape)
    if found is None:
        raise ValueError(f"{shape}: a board with boxes, or a Latin square, is expected")
    return BoardForms(shape.height, *found)


def _bare(puzzle: Puzzle) -> Puzzle:
    return Puzzle(puzzle.shape, puzzle.givens, rules=puzzle.rules)


def _of_variant(puzzle: Puzzle) -> Canonical:
    """Try all symmetries; keep the least shape and rules, then the least givens."""
    best: tuple[Any, ...] | None = None
    found, count = identity(puzzle.shape), 0
    made = puzzle
    for transformation, shape, rules in _symmetries(puzzle):
        givens = transformation.moved(puzzle.givens, puzzle.shape)
        key = shape.regions, repr(rules), tuple(value or 0 for value in givens)
        if best is None or key < best:
            best, found, count = key, transformation, 0
            made = Puzzle(shape, givens, rules=rules)
        count += key == best
    return Canonical(made, found, count)


def _symmetries(puzzle: Puzzle) -> Iterator[tuple[Transformation, Shape, tuple[Any, ...]]]:
    from .moving import images, is_about_difference, line_symmetries

    if not is_about_difference(puzzle):
        for cells, shape, rules in images(puzzle):
            yield Transformation(cells, shape.values), shape, rules
        return
    for cells, shape, rules in _least_images(puzzle):
        for line in line_symmetries(shape, rules).tolist():
            both = tuple(cells[source] for source in line)
            yield Transformation(both, _first_names(puzzle, both)), shape, rules


def _least_images(puzzle: Puzzle) -> Iterator[tuple[tuple[int, ...], Shape, tuple[Any, ...]]]:
    """Yield one of the turns that make shape and rules least: the others differ from it by a symmetry of these."""
    from .moving import images

    yield min(images(puzzle), key=lambda image: (image[1].regions, repr(image[2])))


def _first_names(puzzle: Puzzle, cells: tuple[int, ...]) -> tuple[int, ...]:
    """Name the values in the order in which they occur."""
    order = [value for value in dict.fromkeys(puzzle.givens[cell] for cell in cells) if value is not None]
    order += [value for value in puzzle.shape.values if value not in order]
    names = dict(zip(order, puzzle.shape.values, strict=True))
    return tuple(names[value] for value in puzzle.shape.values)


def _morphed_variant(puzzle: Puzzle, rng: Random) -> Puzzle:
    from .moving import images, is_about_difference, line_symmetries

    cells, shape, rules = rng.choice(list(images(puzzle)))
    values = shape.values
    if is_about_difference(puzzle):
        line = rng.choice(line_symmetries(shape, rules).tolist())
        cells, values = tuple(cells[source] for source in line), tuple(rng.sample(values, len(values)))
    return replace(Transformation(cells, values)(puzzle), shape=shape, rules=rules)
